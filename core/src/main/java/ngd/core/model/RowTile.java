package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Shard;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.TileKernels;

/** Some rows of a shard, as many as stay in a cache, with what a pass over them needs. */
final class RowTile {
  final TileKernels kernels = TileKernels.best();
  final double[] eta = new double[Kernels.TILE];
  final double[] y = new double[Kernels.TILE];

  /** 0 for what fills up the last group, and for rows that do not count. */
  final double[] weights = new double[Kernels.TILE];

  final double[] slopes = new double[Kernels.TILE];
  final double[] bends = new double[Kernels.TILE];

  /** What a row's term under a logarithm exceeds 1 by. */
  final double[] excess = new double[Kernels.TILE];

  private final Shard shard;
  private final double[] spare = new double[Kernels.TILE];
  private final double[] products = new double[Kernels.LANES];
  private int start;
  private boolean whole;

  /** The rows, with those that fill up the last group. */
  int count;

  RowTile(Shard shard) {
    this.shard = shard;
  }

  /** Turns to the rows from here on. */
  void take(int from) {
    int rows = Math.min(Kernels.TILE, shard.rows() - from);
    count = Kernels.padded(rows);
    start = shard.xOffset() + from * Kernels.columns(shard.features());
    whole = true;
    for (int i = 0; i < count; i++) {
      y[i] = i < rows ? shard.y(from + i) : 0;
      weights[i] = i < rows ? shard.weight(from + i) : 0;
      whole &= weights[i] == 0 || weights[i] == 1;
    }
  }

  /** Writes xᵀθ. */
  void predict(double[] theta, double[] into) {
    kernels.predict(shard.xArray(), start, count, theta.length, theta, into);
  }

  /** Adds the offsets of the rows from here on, where there are any. */
  void shift(int from, double[] predictors) {
    if (shard.offsetArray() != null) {
      for (int i = 0; i < Math.min(count, shard.rows() - from); i++) {
        predictors[i] += shard.offset(from + i);
      }
    }
  }

  /** Adds the rows times factors. */
  void project(double[] factors, double[] lanes) {
    kernels.project(shard.xArray(), start, count, shard.features(), factors, lanes);
  }

  /** Adds the rows' squares times factors. */
  void square(double[] factors, double[] lanes) {
    kernels.square(shard.xArray(), start, count, shard.features(), factors, lanes, spare);
  }

  /**
   * Σ w log(1 + excess): where every row counts once or not at all, logarithms of products of 32
   * terms.
   */
  double logs() {
    double sum = 0;
    if (!whole) {
      for (int i = 0; i < count; i++) {
        sum += weights[i] == 0 ? 0 : weights[i] * StrictMath.log1p(excess[i]);
      }
      return sum;
    }
    Arrays.fill(products, 1);
    for (int i = 0; i < count; i += Kernels.LANES) {
      for (int lane = 0; lane < Kernels.LANES; lane++) {
        products[lane] *= Math.fma(weights[i + lane], excess[i + lane], 1);
      }
    }
    for (double product : products) {
      sum += StrictMath.log(product);
    }
    return sum;
  }

  /** What the lanes of each sum come to, in their order. */
  static void fold(double[] lanes, double[] into, int from) {
    for (int t = 0; t < lanes.length / Kernels.LANES; t++) {
      into[from + t] = TileKernels.laneSum(lanes, t * Kernels.LANES);
    }
  }
}
