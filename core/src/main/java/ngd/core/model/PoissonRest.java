package ngd.core.model;

import ngd.core.data.Shard;
import ngd.core.data.Shards;
import org.jspecify.annotations.Nullable;

/**
 * Each client's part of the Poisson loss, Σ (exp(η) − y η − least), that is known without a look at
 * the rows once their residuals r = exp(η) − y are summed: Σ (y − y offset − least) − θᵀ Σ x y. For
 * rows without weights, of clients whose rows are in one block.
 */
final class PoissonRest {
  /** The share of its terms that a loss must be to be known from them to some twelve digits. */
  private static final double LEAST_SHARE = 1e-3;

  /** Beyond this a predictor may have been cut off, where the loss is another one. */
  private static final double MOST = 1e100;

  private final int p;

  /** Σ (y − y offset − least) of each client. */
  private final double[] constants;

  /** Σ x y of each client. */
  private final double[] xy;

  /**
   * Sums them.
   *
   * @param leasts the factor times the least loss of each row, in the places of the responses; null
   *     where all are 0
   */
  PoissonRest(Shards shards, double factor, double @Nullable [] leasts) {
    p = shards.features();
    constants = new double[shards.clients()];
    xy = new double[constants.length * p];
    double[] x = new double[p];
    for (int m = 0; m < constants.length; m++) {
      Shard rows = shards.shard(m);
      for (int i = 0; i < rows.rows(); i++) {
        double y = rows.y(i);
        double least = leasts == null ? 0 : leasts[rows.yOffset() + i] / factor;
        constants[m] += y - y * rows.offset(i) - least;
        rows.row(i, x);
        for (int j = 0; j < p; j++) {
          xy[m * p + j] = Math.fma(x[j], y, xy[m * p + j]);
        }
      }
    }
  }

  /**
   * The sum of a client's losses, or NaN where digits were lost.
   *
   * @param residuals Σ r
   */
  double loss(int client, double residuals, double[] at, int atOffset) {
    double predicted = 0;
    for (int j = 0; j < p; j++) {
      predicted = Math.fma(at[atOffset + j], xy[client * p + j], predicted);
    }
    double loss = residuals + constants[client] - predicted;
    double terms = Math.abs(residuals) + Math.abs(constants[client]) + Math.abs(predicted);
    return loss > LEAST_SHARE * terms && terms < MOST ? loss : Double.NaN;
  }
}
