package ngd.core.model;

import java.util.function.Function;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/** A loss with a second derivative: what the theory and Newton's method need. */
public interface CurvedLoss extends Loss {

  /**
   * Writes the symmetric p × p Hessian of {@link #value} at theta into {@code hessian}, row by row.
   */
  void hessian(Shard shard, double[] theta, double[] hessian);

  /** The Hessian of one client's loss, wherever its rows are. */
  default double[] hessian(Shards shards, int client, double[] theta) {
    Function<Shard, double[]> ofRows =
        rows -> {
          double[] hessian = new double[theta.length * theta.length];
          hessian(rows, theta, hessian);
          return hessian;
        };
    return isMean() ? shards.mean(client, ofRows) : ofRows.apply(shards.shard(client));
  }
}
