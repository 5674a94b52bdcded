package ngd.core.rows;

/**
 * One row for each link along which a client hears another, grouped by the client that hears, in
 * ascending order of the client that is heard.
 */
public interface Edges {
  /** The values, a row for each link. */
  Rows values();

  /** The place of a client's first link; its last is just before the next client's first. */
  int first(int client);

  /** The same links with other values. */
  Edges with(Rows values);

  /** For each client, the sum over the links on which it hears. */
  Rows sum();

  /**
   * For each client, its row of {@code own} less the mean over the links on which it hears; zero
   * where it hears on none.
   */
  default Rows fromMean(Rows own) {
    double[] hears = new double[own.rows()];
    double[] share = new double[own.rows()];
    for (int m = 0; m < share.length; m++) {
      int links = first(m + 1) - first(m);
      hears[m] = links == 0 ? 0 : 1;
      share[m] = links == 0 ? 0 : 1.0 / links;
    }
    return own.timesEach(hears).minus(sum().timesEach(share));
  }
}
