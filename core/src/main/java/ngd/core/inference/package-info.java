/**
 * The regression that the pooled data would give, with standard errors, from what clients may
 * share.
 *
 * <p>Everything here is written over {@link ngd.core.world.World}, that is, over what a process
 * hears and over the rows it holds, and so runs unchanged where all clients are simulated and in a
 * real peer that holds one. What leaves a client besides its models are terms of {@link
 * ngd.core.algorithm.Totals#total}, of which only the sums are seen.
 *
 * <p>{@link ngd.core.inference.Coordinates} are agreed first; {@link ngd.core.inference.PooledFit}
 * runs balanced network gradient descent in them and ends it with Newton steps on the sums of a
 * pooled likelihood; {@link ngd.core.inference.Inference} turns the point into a table. Knows no
 * clock and no file; of the network a client brings its stationary weight alone.
 */
@NullMarked
package ngd.core.inference;

import org.jspecify.annotations.NullMarked;
