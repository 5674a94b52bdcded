package ngd.core.preparation;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** Some of a site's rows, by their rising numbers: of many sets of few rows each. */
final class RowSet {
  private final int[] rows;

  private RowSet(int[] rows) {
    this.rows = rows;
  }

  void forEach(IntConsumer taker) {
    for (int row : rows) {
      taker.accept(row);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowSet set && Arrays.equals(rows, set.rows);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(rows);
  }

  /** Takes rows in their order. */
  static final class Filler {
    private int[] rows = new int[8];
    private int size;

    void add(int row) {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, 2 * size);
      }
      rows[size++] = row;
    }

    RowSet done() {
      return new RowSet(Arrays.copyOf(rows, size));
    }
  }
}
