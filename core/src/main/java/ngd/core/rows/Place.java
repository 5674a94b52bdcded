package ngd.core.rows;

import java.util.List;

/** Where blocks live, for whoever fills them from outside an algorithm or runs one. */
public interface Place {
  /** Takes back all blocks that were made here, but for those that are still shown. */
  void recycle(List<Rows> kept);

  /** The first row in which a number is lost, NaN or beyond all bounds; −1 where none is. */
  int firstLost(Rows rows);

  /** A block of {@code rows} rows, stored row by row in {@code values}. */
  Rows rows(int rows, int width, double[] values);

  /** Overwrites a row of a block that was made here. */
  void write(Rows block, int row, double[] values);

  /** One row for each link; client m hears on the links {@code offsets[m] .. offsets[m + 1]}. */
  Edges edges(int[] offsets, Rows values);
}
