package ngd.core.data;

import ngd.core.InvalidInput;
import ngd.core.linalg.Kernels;

/**
 * Other coordinates of all rows' features: R⁻ᵀ(x − centre), as {@code Triangular.solveTransposed}
 * has it, for eight rows at a time: written out, since short loops cost the first compiler more
 * than what is in them.
 */
final class FeatureMap {
  private static final int GROUP = Shard.GROUP;

  private final double[] upper;
  private final double[] centre;
  private final int features;

  /**
   * @param upper the upper triangular R, row by row
   * @param centre as many numbers as there are features, or none
   */
  FeatureMap(double[] upper, double[] centre, int features) {
    this.upper = upper.clone();
    this.centre = centre.clone();
    this.features = features;
  }

  /** Writes a client's rows over themselves, from a place of an array on. */
  void apply(double[] x, int from, int rows, int client) {
    int step = Kernels.columns(features) * GROUP;
    int groups = Shard.padded(rows) / GROUP;
    double out = 0;
    for (int g = 0; g < groups; g++) {
      out += apply(x, from + g * step);
    }
    for (int i = rows; i < groups * GROUP; i++) {
      // What fills up the last group is no row, and stays zero.
      for (int j = 0; j < features; j++) {
        x[from + (groups - 1) * step + j * GROUP + i % GROUP] = 0;
      }
    }
    if (out != 0) {
      throw notFinite(x, from, rows, client);
    }
  }

  /** One group; what is returned is 0 where all is finite, else no number. */
  private double apply(double[] x, int at) {
    for (int j = 0; j < centre.length; j++) {
      int column = at + j * GROUP;
      for (int i = 0; i < GROUP; i++) {
        x[column + i] -= centre[j];
      }
    }
    double out = 0;
    for (int k = 0; k < features; k++) {
      int column = at + k * GROUP;
      int row = k * features;
      double pivot = upper[row + k];
      double x0 = x[column] / pivot;
      double x1 = x[column + 1] / pivot;
      double x2 = x[column + 2] / pivot;
      double x3 = x[column + 3] / pivot;
      double x4 = x[column + 4] / pivot;
      double x5 = x[column + 5] / pivot;
      double x6 = x[column + 6] / pivot;
      double x7 = x[column + 7] / pivot;
      x[column] = x0;
      x[column + 1] = x1;
      x[column + 2] = x2;
      x[column + 3] = x3;
      x[column + 4] = x4;
      x[column + 5] = x5;
      x[column + 6] = x6;
      x[column + 7] = x7;
      out += x0 * 0 + x1 * 0 + x2 * 0 + x3 * 0 + x4 * 0 + x5 * 0 + x6 * 0 + x7 * 0;
      for (int j = k + 1; j < features; j++) {
        double factor = -upper[row + j];
        column += GROUP;
        x[column] = Math.fma(factor, x0, x[column]);
        x[column + 1] = Math.fma(factor, x1, x[column + 1]);
        x[column + 2] = Math.fma(factor, x2, x[column + 2]);
        x[column + 3] = Math.fma(factor, x3, x[column + 3]);
        x[column + 4] = Math.fma(factor, x4, x[column + 4]);
        x[column + 5] = Math.fma(factor, x5, x[column + 5]);
        x[column + 6] = Math.fma(factor, x6, x[column + 6]);
        x[column + 7] = Math.fma(factor, x7, x[column + 7]);
      }
    }
    return out;
  }

  private InvalidInput notFinite(double[] x, int from, int rows, int client) {
    int step = Kernels.columns(features) * GROUP;
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < features; j++) {
        double found = x[from + i / GROUP * step + j * GROUP + i % GROUP];
        if (!Double.isFinite(found)) {
          return Shards.notFinite(client, i, "feature " + j, found);
        }
      }
    }
    throw new IllegalStateException("some number is not finite");
  }
}
