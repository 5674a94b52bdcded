package ngd.core.model;

import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * What a client minimises over its own rows. Implement the value and the gradient of a loss of your
 * own and it runs in everything; implement {@link CurvedLoss} and the theory can judge it too.
 */
public interface Loss {
  String name();

  /**
   * The number of parameters for data with this many features; the same, unless the loss differs.
   */
  default int parameters(int features) {
    return features;
  }

  /** The loss of this shard at theta. */
  double value(Shard shard, double[] theta);

  /** Writes the gradient of {@link #value} at theta into {@code gradient}. */
  void gradient(Shard shard, double[] theta, double[] gradient);

  /** This loss on every shard, prepared for repeated evaluation. */
  default Objective over(Shards shards) {
    return new ShardwiseObjective(this, shards);
  }
}
