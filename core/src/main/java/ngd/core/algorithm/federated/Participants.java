package ngd.core.algorithm.federated;

import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/** The clients that take part in a round. */
final class Participants {
  private final int count;

  /** 1 for each row here whose client takes part, 0 for the others; null where all do. */
  private final double @Nullable [] here;

  private Participants(int count, double @Nullable [] here) {
    this.count = count;
    this.here = here;
  }

  /**
   * Those whom a rule selects.
   *
   * @param clients M
   */
  static Participants of(
      ClientSelection selection,
      Draws draws,
      double clients,
      Rows theta,
      Local local,
      Exchange exchange) {
    if (selection.everybody()) {
      return new Participants((int) clients, null);
    }
    boolean[] chosen = selection.chosen(draws, (int) clients, theta, local, exchange);
    int count = 0;
    for (boolean one : chosen) {
      count += one ? 1 : 0;
    }
    if (count == chosen.length) {
      return new Participants(count, null);
    }
    double[] here = new double[theta.rows()];
    for (int row = 0; row < here.length; row++) {
      here[row] = chosen[draws.firstClient() + row] ? 1 : 0;
    }
    return new Participants(count, here);
  }

  /** How many of all clients. */
  int count() {
    return count;
  }

  /** The data, of which only theirs are of use in this round. */
  Local data(Local local) {
    return here == null ? local : local.among(row -> here[row] != 0);
  }

  /** Their rows; 0 in those of others. */
  Rows only(Rows x) {
    return here == null ? x : x.timesEach(here);
  }

  /** Their rows of the first block, and of the second those of others. */
  Rows choose(Rows theirs, Rows others) {
    return here == null ? theirs : others.plus(only(theirs.minus(others)));
  }
}
