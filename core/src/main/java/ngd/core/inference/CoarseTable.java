package ngd.core.inference;

/**
 * One client's sums over its rows on a grid, made coarse where it has few rows: every bin has none
 * or enough of them, and so has every sum over clients, also one from which somebody takes off what
 * is known anyway. Neighbouring bins are put together until they have enough rows, and their sums
 * go into the one bin that has enough itself, or else into that of the mean. Rows that are too few
 * even together are left out.
 */
final class CoarseTable {
  private final double[] sums;
  private final int terms;
  private final double moved;

  private CoarseTable(double[] sums, int terms, double moved) {
    this.sums = sums;
    this.terms = terms;
    this.moved = moved;
  }

  /**
   * @param table for each bin, in order, the sum of each term over its rows; the first term counts
   *     them, the second, where there are more, is of their weights
   * @param fewest rows of a bin that has any
   */
  static CoarseTable of(double[] table, int terms, int fewest) {
    int bins = table.length / terms;
    double[] coarse = new double[table.length];
    int from = 0;
    int last = -1;
    double rows = 0;
    for (int bin = 0; bin < bins; bin++) {
      rows += table[bin * terms];
      if (rows >= fewest) {
        last = place(table, terms, from, bin + 1, fewest);
        add(table, terms, from, bin + 1, coarse, last);
        from = bin + 1;
        rows = 0;
      }
    }
    if (rows > 0 && last >= 0) {
      // Too few are left at the end: they go with those before.
      add(table, terms, from, bins, coarse, last);
    }
    return new CoarseTable(coarse, terms, moved(table, coarse, terms));
  }

  /** Where the rows of some bins are counted. */
  private static int place(double[] table, int terms, int from, int to, int fewest) {
    if (table[(to - 1) * terms] >= fewest) {
      return to - 1;
    }
    double rows = 0;
    double places = 0;
    for (int bin = from; bin < to; bin++) {
      rows += table[bin * terms];
      places += bin * table[bin * terms];
    }
    return (int) Math.round(places / rows);
  }

  private static void add(double[] table, int terms, int from, int to, double[] coarse, int at) {
    for (int bin = from; bin < to; bin++) {
      for (int term = 0; term < terms; term++) {
        coarse[at * terms + term] += table[bin * terms + term];
      }
    }
  }

  /** The most rows, by their weights, that are on another side of a limit than they were. */
  private static double moved(double[] table, double[] coarse, int terms) {
    int counted = terms > 1 ? 1 : 0;
    double before = 0;
    double after = 0;
    double most = 0;
    for (int at = counted; at < table.length; at += terms) {
      before += table[at];
      after += coarse[at];
      most = Math.max(most, Math.abs(before - after));
    }
    return most;
  }

  /** The sum of a term over the rows that are counted in a bin. */
  double at(int bin, int term) {
    return sums[bin * terms + term];
  }

  /** How much less or more than it should be the weight of the rows below any limit may be. */
  double moved() {
    return moved;
  }
}
