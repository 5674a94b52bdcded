package ngd.core.data;

import ngd.core.InvalidInput;
import ngd.core.linalg.Kernels;

/**
 * Other coordinates of all rows' features: R⁻ᵀ(x − centre), as {@code Triangular.solveTransposed}
 * has it, for eight rows at a time.
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
      int done = at + k * GROUP;
      double pivot = upper[k * features + k];
      for (int i = 0; i < GROUP; i++) {
        x[done + i] /= pivot;
      }
      for (int i = 0; i < GROUP; i++) {
        out += x[done + i] * 0;
      }
      for (int j = k + 1; j < features; j++) {
        double factor = -upper[k * features + j];
        int column = at + j * GROUP;
        for (int i = 0; i < GROUP; i++) {
          x[column + i] = Math.fma(factor, x[done + i], x[column + i]);
        }
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
