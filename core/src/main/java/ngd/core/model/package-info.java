/**
 * What a client minimises: losses, their gradients and Hessians, and the global estimate that the
 * pooled data would give.
 *
 * <p>A {@link ngd.core.model.Loss} is defined on one shard; {@link ngd.core.model.Objective} is
 * that loss on all shards, prepared for speed. The linear loss is half the mean squared error
 * (2.1); those of other families are minus twice the log-likelihood over n, those that are no
 * likelihoods ({@link ngd.core.model.Losses}) means over rows. {@link
 * ngd.core.model.GlobalEstimate} is what all of this is measured against; where the data have none,
 * {@link ngd.core.model.NoEstimate} says why. Knows nothing of networks or algorithms.
 */
@NullMarked
package ngd.core.model;

import org.jspecify.annotations.NullMarked;
