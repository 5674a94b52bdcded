package ngd.core.data;

import java.util.Arrays;

/**
 * Each client's rows divided into parts, near enough equal and in the order of the rows. A client
 * with fewer rows than parts has empty ones among them.
 */
public final class RowParts {
  private final int[] rows;
  private final int of;

  /** The first row of each part and the number of rows, client after client. */
  private final int[] first;

  private final int[] order;

  /**
   * The parts of clients with these numbers of rows.
   *
   * @param of how many parts each client's rows are divided into
   */
  public RowParts(int[] rows, int of) {
    if (of < 1) {
      throw new IllegalArgumentException("parts: must be at least 1; got " + of);
    }
    this.rows = rows.clone();
    this.of = of;
    first = new int[Math.multiplyExact(rows.length, of + 1)];
    Arrays.setAll(first, i -> (int) ((long) rows[i / (of + 1)] * (i % (of + 1)) / of));
    order = new int[Arrays.stream(rows).max().orElse(0)];
    Arrays.setAll(order, i -> i);
  }

  public int clients() {
    return rows.length;
  }

  /** How many parts each client's rows are divided into. */
  public int of() {
    return of;
  }

  /** The first row of a part, counted from 0; of the part after the last, the number of rows. */
  public int first(int client, int part) {
    return first[client * (of + 1) + part];
  }

  /** The rows of a part. */
  public int count(int client, int part) {
    int at = client * (of + 1) + part;
    return first[at + 1] - first[at];
  }

  /** How often the mean over a part counts, for the mean over all parts to be that of all rows. */
  public double factor(int client, int part) {
    return (double) of * count(client, part) / Math.max(1, rows[client]);
  }

  /** The rows from 0 on, as many as the largest client has; shared. */
  public int[] order() {
    return order;
  }

  /** Refuses anything but one of the parts for each client. */
  public void requireChosen(int[] chosen) {
    boolean known = chosen.length == rows.length;
    for (int part : chosen) {
      known &= part >= 0 && part < of;
    }
    if (!known) {
      throw new IllegalArgumentException(
          "parts: must be one of %d for each of %d clients; got %s"
              .formatted(of, rows.length, Arrays.toString(chosen)));
    }
  }
}
