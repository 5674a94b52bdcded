package ngd.core.world;

import java.util.Arrays;
import ngd.core.algorithm.Local;
import ngd.core.rows.Rows;

/**
 * One of several parts of each client's rows, near enough equal and in the order of the rows; the
 * same in every round. A client with fewer rows than parts has empty ones among them.
 */
public final class Parts implements RowChoice {
  private final int[] rows;
  private final int[] chosen;
  private final int of;

  /** The first row of each client's part, and the one after its last. */
  private final int[] from;

  private final int[] to;
  private final int[] natural;

  /** The chosen parts of clients with these numbers of rows. */
  public Parts(int[] rows, int[] chosen, int of) {
    this.rows = rows.clone();
    this.chosen = chosen.clone();
    this.of = of;
    from = new int[rows.length];
    to = new int[rows.length];
    int most = 0;
    for (int m = 0; m < rows.length; m++) {
      if (chosen.length != rows.length || chosen[m] < 0 || chosen[m] >= of) {
        throw new IllegalArgumentException(
            "parts: must be one of %d for each of %d clients; got %s"
                .formatted(of, rows.length, Arrays.toString(chosen)));
      }
      from[m] = first(rows[m], chosen[m], of);
      to[m] = first(rows[m], chosen[m] + 1, of);
      most = Math.max(most, rows[m]);
    }
    natural = new int[most];
    for (int i = 0; i < most; i++) {
      natural[i] = i;
    }
  }

  @Override
  public int[] order(int row, int round) {
    return natural;
  }

  @Override
  public int from(int row, int round) {
    return empty(row) ? 0 : from[row];
  }

  /** Of an empty part one row, which {@link #over} counts as nothing. */
  @Override
  public int to(int row, int round) {
    return empty(row) ? 1 : to[row];
  }

  @Override
  public double[] key(int row, int round) {
    return new double[] {of, -1 - chosen[row]};
  }

  private static int first(int rows, int part, int of) {
    return (int) ((long) rows * part / of);
  }

  private boolean empty(int row) {
    return from[row] == to[row];
  }

  /**
   * Data on these parts, scaled such that their mean over all parts is the whole.
   *
   * @param whole all data
   * @param means the mean over the rows of these parts
   */
  public Local over(Local whole, Local means) {
    double[] factors = new double[rows.length];
    Arrays.setAll(factors, m -> (double) of * (to[m] - from[m]) / Math.max(1, rows[m]));
    return new Local() {
      @Override
      public int rows(int row) {
        return whole.rows(row);
      }

      @Override
      public Rows gradient(Rows at) {
        return means.gradient(at).timesEach(factors);
      }

      @Override
      public Local batch(int size, int round) {
        return whole.batch(size, round);
      }

      @Override
      public Local part(int[] other, int others) {
        return whole.part(other, others);
      }
    };
  }
}
