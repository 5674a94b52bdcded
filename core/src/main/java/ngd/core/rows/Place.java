package ngd.core.rows;

/** Where blocks live, for whoever fills them from outside an algorithm. */
public interface Place {
  /** A block of so many rows, whose numbers stand row after row in {@code values}. */
  Rows rows(int rows, int width, double[] values);

  /** One row for each link; client m hears on the links {@code offsets[m] .. offsets[m + 1]}. */
  Edges edges(int[] offsets, Rows values);
}
