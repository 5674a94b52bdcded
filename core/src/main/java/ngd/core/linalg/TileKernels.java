package ngd.core.linalg;

/**
 * The parts of a pass over rows that sees each of them once, for some rows at a time: predictors,
 * functions of these, and the products with the rows in which they end.
 *
 * <p>A tile is a whole number of groups of {@link Kernels#LANES} rows, at most {@link Kernels#TILE}
 * rows, that lie in memory as {@link Kernels} says. Sums have as many lanes, row i adding to lane i
 * mod {@link Kernels#LANES}, so that vectors and single numbers are added in one order.
 */
public sealed interface TileKernels permits ScalarTiles, VectorTiles {
  /** The best this machine has. */
  static TileKernels best() {
    return KernelChoice.TILES;
  }

  /**
   * eta[i] = Σ_j x[i][j] · at[j].
   *
   * @param start where the tile begins
   * @param count its rows, with those that fill up the last group
   */
  void predict(double[] x, int start, int count, int p, double[] at, double[] eta);

  /** Adds Σ_i factors[i] · x[i][j] to the lanes of each j. */
  void project(double[] x, int start, int count, int p, double[] factors, double[] lanes);

  /**
   * Adds Σ_i factors[i] · x[i][j] · x[i][k] to the lanes of each (j, k) with k ≤ j, which follow
   * each other row by row.
   *
   * @param spare {@link Kernels#TILE} numbers, of no meaning before or after
   */
  void square(
      double[] x, int start, int count, int p, double[] factors, double[] lanes, double[] spare);

  /** out[i] = exp(in[i]), its arguments cut at ±{@link Exp#LIMIT}; the two may be one array. */
  void exp(double[] in, int count, double[] out);

  /** The sum of eight lanes, in the order of every sum over rows. */
  static double laneSum(double[] lanes, int at) {
    return ScalarKernels.laneSum(lanes, at);
  }
}
