package ngd.core.model;

import java.util.function.DoubleUnaryOperator;
import ngd.core.data.Shards;

/**
 * The risk sets of one client's rows, which are compared with each other alone, at the times of
 * their events.
 */
public sealed interface OwnRiskSets permits RiskSets, RiskSetsInBlocks {
  /** Those of a client, wherever its rows are; by blocks where there are several and can be. */
  static OwnRiskSets of(Shards shards, int client) {
    if (!shards.isOneBlock(client)) {
      RiskSetsInBlocks inBlocks = RiskSetsInBlocks.of(shards, client).orElse(null);
      if (inBlocks != null) {
        return inBlocks;
      }
    }
    return RiskSets.of(shards.shard(client));
  }

  /** Whether a client's rows need not be in memory all at once. */
  static boolean areInBlocks(Shards shards, int client) {
    return RiskSetsInBlocks.of(shards, client).isPresent();
  }

  /** Minus the log partial likelihood, then its gradient and its Hessian's lower triangle. */
  double[] likelihood(Ties ties, double[] theta, int order);

  /** Σ s sᵀ over the rows' score residuals, the lower triangle. */
  double[] squares(Ties ties, double[] theta);

  /** What a test of proportional hazards is made of, g being a function of time. */
  double[] weightedByTime(Ties ties, double[] theta, DoubleUnaryOperator g);

  /** The times of each stratum's events, rising. */
  double[][] eventTimes();
}
