package ngd.core.data;

import java.util.Objects;
import ngd.core.linalg.Kernels;

/**
 * One client's rows: n responses and an n × p matrix, stored in groups of {@link #GROUP} rows, each
 * group column after column, the last group filled up with zeros so that kernels need no tails.
 *
 * <p>The raw arrays are there for kernels and are shared; an own loss reads {@link #x(int, int)}
 * and {@link #y(int)}.
 */
public final class Shard {
  /** The rows of a group. */
  static final int GROUP = Kernels.LANES;

  private final double[] x;
  private final int xOffset;
  private final double[] y;
  private final int yOffset;
  private final int rows;
  private final int features;

  Shard(double[] x, int xOffset, double[] y, int yOffset, int rows, int features) {
    this.x = x;
    this.xOffset = xOffset;
    this.y = y;
    this.yOffset = yOffset;
    this.rows = rows;
    this.features = features;
  }

  public int rows() {
    return rows;
  }

  public int features() {
    return features;
  }

  public double x(int row, int feature) {
    Objects.checkIndex(row, rows);
    Objects.checkIndex(feature, features);
    return x[xOffset + place(row, feature)];
  }

  public double y(int row) {
    Objects.checkIndex(row, rows);
    return y[yOffset + row];
  }

  /** Copies one row's features. */
  public void row(int row, double[] into) {
    int at = xOffset + place(Objects.checkIndex(row, rows), 0);
    for (int j = 0; j < features; j++) {
      into[j] = x[at + j * GROUP];
    }
  }

  private int place(int row, int feature) {
    return (row / GROUP * Kernels.columns(features) + feature) * GROUP + row % GROUP;
  }

  public double[] xArray() {
    return x;
  }

  public int xOffset() {
    return xOffset;
  }

  public double[] yArray() {
    return y;
  }

  public int yOffset() {
    return yOffset;
  }

  /** A shard of zeros, of its own arrays. */
  static Shard blank(int rows, int features) {
    return new Shard(
        new double[Kernels.columns(features) * padded(rows)],
        0,
        new double[padded(rows)],
        0,
        rows,
        features);
  }

  /** The shard made of the given rows of this one, in that order: a mini-batch. */
  public Shard take(int[] chosen, int from, int to) {
    Shard taken = blank(to - from, features);
    take(chosen, from, to, taken);
    return taken;
  }

  /** Writes the given rows of this shard over all rows of another. */
  void take(int[] chosen, int from, int to, Shard taken) {
    for (int i = 0; i < to - from; i++) {
      int row = Objects.checkIndex(chosen[from + i], rows);
      taken.y[i] = y[yOffset + row];
      int source = xOffset + place(row, 0);
      int target = taken.place(i, 0);
      for (int j = 0; j < features; j++) {
        taken.x[target + j * GROUP] = x[source + j * GROUP];
      }
    }
  }

  static int padded(int rows) {
    return Kernels.padded(rows);
  }
}
