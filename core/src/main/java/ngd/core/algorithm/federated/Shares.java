package ngd.core.algorithm.federated;

import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * What each client counts for in a mean over all of them by rows.
 *
 * @param sizes n_m, one number per row
 * @param total N
 */
public record Shares(Rows sizes, double total) {
  /** What is known, or, before the first round, what the clients say. */
  static Shares of(@Nullable Shares known, Rows theta, Local local, Exchange exchange) {
    if (known != null) {
      return known;
    }
    double[][] sizes = new double[theta.rows()][1];
    for (int m = 0; m < sizes.length; m++) {
      sizes[m][0] = local.rows(m);
    }
    return new Shares(theta.of(sizes), local.totalRows(theta, exchange));
  }

  /** Σ n_m x_m / N, the same bits at every client. */
  double[] mean(Rows x, Exchange exchange) {
    return divided(exchange.total(x.timesEach(sizes)), total);
  }

  static double[] divided(double[] sums, double by) {
    for (int j = 0; j < sums.length; j++) {
      sums[j] /= by;
    }
    return sums;
  }
}
