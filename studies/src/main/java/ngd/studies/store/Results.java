package ngd.studies.store;

import java.util.function.ObjIntConsumer;

/** The stored numbers of the first R replicates, read a few columns at a time. */
public record Results(ReplicateStore store, int replicates) {
  /** Numbers held at once, 32 MB: what is held does not grow with R. */
  private static final int HELD = 4_000_000;

  /** One number of every replicate, in the order of the replicates. */
  public double[] column(int index) {
    double[] values = new double[replicates];
    for (int r = 0; r < replicates; r++) {
      store.read(r, index, values, r, 1);
    }
    return values;
  }

  /** Every column from {@code from} on, one after the other, each with its number from 0. */
  public void columns(int from, int count, ObjIntConsumer<double[]> reader) {
    int together = Math.clamp(HELD / replicates, 1, count);
    double[] row = new double[together];
    for (int start = 0; start < count; start += together) {
      int width = Math.min(together, count - start);
      double[][] columns = new double[width][replicates];
      for (int r = 0; r < replicates; r++) {
        store.read(r, from + start, row, 0, width);
        for (int i = 0; i < width; i++) {
          columns[i][r] = row[i];
        }
      }
      for (int i = 0; i < width; i++) {
        reader.accept(columns[i], start + i);
      }
    }
  }
}
