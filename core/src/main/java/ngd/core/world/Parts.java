package ngd.core.world;

import java.util.Arrays;
import java.util.stream.IntStream;
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
  private final int[] natural;

  /** The chosen parts of clients with these numbers of rows. */
  public Parts(int[] rows, int[] chosen, int of) {
    this.rows = rows.clone();
    this.chosen = chosen.clone();
    this.of = of;
    if (chosen.length != rows.length
        || Arrays.stream(chosen).anyMatch(part -> part < 0 || part >= of)) {
      throw new IllegalArgumentException(
          "parts: must be one of %d for each of %d clients; got %s"
              .formatted(of, rows.length, Arrays.toString(chosen)));
    }
    natural = IntStream.range(0, Arrays.stream(rows).max().orElse(0)).toArray();
  }

  @Override
  public int[] order(int row, int round) {
    return natural;
  }

  @Override
  public int from(int row, int round) {
    return empty(row) ? 0 : first(row, chosen[row]);
  }

  /** Of an empty part one row, which {@link #over} counts as nothing. */
  @Override
  public int to(int row, int round) {
    return empty(row) ? 1 : first(row, chosen[row] + 1);
  }

  @Override
  public double[] key(int row, int round) {
    return new double[] {of, -1 - chosen[row]};
  }

  private int first(int row, int part) {
    return (int) ((long) rows[row] * part / of);
  }

  private boolean empty(int row) {
    return first(row, chosen[row]) == first(row, chosen[row] + 1);
  }

  /**
   * Data on these parts, scaled such that their mean over all parts is the whole.
   *
   * @param whole all data
   * @param means the mean over the rows of these parts
   */
  public Local over(Local whole, Local means) {
    double[] factors = new double[rows.length];
    Arrays.setAll(
        factors,
        m -> (double) of * (first(m, chosen[m] + 1) - first(m, chosen[m])) / Math.max(1, rows[m]));
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
