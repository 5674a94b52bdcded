package ngd.core.algorithm.federated;

import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * What each client counts for in a mean over all of them by rows.
 *
 * @param sizes n_m, one number per row
 * @param total N
 * @param clients M, or 0 where nobody needs it
 */
public record Shares(Rows sizes, double total, double clients) {
  /** What is known, or, before the first round, what the clients say. */
  static Shares of(
      @Nullable Shares known,
      ClientSelection selection,
      Rows theta,
      Local local,
      Exchange exchange) {
    if (known != null) {
      return known;
    }
    double[][] sizes = new double[theta.rows()][1];
    for (int m = 0; m < sizes.length; m++) {
      sizes[m][0] = local.rows(m);
    }
    boolean all = selection instanceof ClientSelection.All;
    return new Shares(
        theta.of(sizes),
        local.totalRows(theta, exchange),
        all ? 0 : exchange.clients(theta.rows()));
  }

  /** Who takes part in a round. */
  Participants participants(
      ClientSelection selection, Draws draws, Rows theta, Local local, Exchange exchange) {
    return Participants.of(selection, draws, clients, theta, local, exchange);
  }

  /** The same among those who take part in a round, where others count for nothing. */
  Shares among(ClientSelection selection, Participants these, Exchange exchange) {
    if (selection.everybody()) {
      return this;
    }
    Rows theirs = these.only(sizes);
    return new Shares(theirs, exchange.total(theirs)[0], clients);
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
