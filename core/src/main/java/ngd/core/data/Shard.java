package ngd.core.data;

import java.util.Objects;

/**
 * One client's rows: n responses and an n × p matrix, stored by column with each column padded by
 * zeros to a multiple of {@link #PAD} so that kernels need no tails.
 *
 * <p>The raw arrays are there for kernels and are shared; an own loss reads {@link #x(int, int)}
 * and {@link #y(int)}.
 */
public final class Shard {
  /** Columns are padded to a multiple of this many rows: the virtual lanes of the kernels. */
  public static final int PAD = 8;

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
    return x[xOffset + feature * leading() + row];
  }

  public double y(int row) {
    Objects.checkIndex(row, rows);
    return y[yOffset + row];
  }

  /** The distance between the starts of two columns: the rows, padded. */
  public int leading() {
    return padded(rows);
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

  /** The shard made of the given rows of this one, in that order: a mini-batch. */
  public Shard take(int[] chosen, int from, int to) {
    int n = to - from;
    double[] takenX = new double[features * padded(n)];
    double[] takenY = new double[padded(n)];
    for (int i = 0; i < n; i++) {
      int row = Objects.checkIndex(chosen[from + i], rows);
      takenY[i] = y[yOffset + row];
      for (int j = 0; j < features; j++) {
        takenX[j * padded(n) + i] = x[xOffset + j * leading() + row];
      }
    }
    return new Shard(takenX, 0, takenY, 0, n, features);
  }

  static int padded(int rows) {
    return (rows + PAD - 1) / PAD * PAD;
  }
}
