/**
 * One model from the data of simulated clients or sites: described, checked before it runs, fitted
 * as told ({@link ngd.app.fit.Fit}) or like the pooled data ({@link ngd.app.fit.Estimation}),
 * compared, and used to predict. {@link ngd.app.fit.SetupOptions} says who the clients are and what
 * they hold.
 */
@NullMarked
package ngd.app.fit;

import org.jspecify.annotations.NullMarked;
