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

  /** The same in which link e counts {@code weights[e]} times. */
  default Rows sum(double[] weights) {
    return with(values().timesEach(weights)).sum();
  }

  /** For each client, the sum over its links of its row of {@code own} less what it hears. */
  default Rows apart(Rows own) {
    double[] links = new double[own.rows()];
    for (int m = 0; m < links.length; m++) {
      links[m] = (double) first(m + 1) - first(m);
    }
    return own.timesEach(links).minus(sum());
  }

  /**
   * For each link, the squared distance between its client's row of {@code own} and its row; for
   * this round, as all numbers of links are.
   */
  default double[] distances(Rows own) {
    double[] squares = new double[values().rows()];
    for (int m = 0; m < own.rows(); m++) {
      for (int e = first(m); e < first(m + 1); e++) {
        for (int j = 0; j < own.width(); j++) {
          double way = own.get(m, j) - values().get(e, j);
          squares[e] = Math.fma(way, way, squares[e]);
        }
      }
    }
    return squares;
  }

  /** The same links with only the first numbers of each row. */
  default Edges leading(int width) {
    return with(values().segment(new int[values().rows()], width));
  }

  /** One number of each link's row. */
  default double[] column(int column) {
    double[] numbers = new double[values().rows()];
    for (int e = 0; e < numbers.length; e++) {
      numbers[e] = values().get(e, column);
    }
    return numbers;
  }

  /** For each link, its client's one number in {@code own} plus one number of its row. */
  default double[] ends(Rows own, int column) {
    double[] numbers = column(column);
    for (int m = 0; m < own.rows(); m++) {
      double mine = own.get(m, 0);
      for (int e = first(m); e < first(m + 1); e++) {
        numbers[e] += mine;
      }
    }
    return numbers;
  }

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
