/**
 * The commands about one model of the data of sites or simulated clients: describe the data, check
 * a fit before it runs, fit, compare algorithms, predict. {@link ngd.app.fit.FitTrial} is a fit
 * that the window watches.
 */
@NullMarked
package ngd.app.fit;

import org.jspecify.annotations.NullMarked;
