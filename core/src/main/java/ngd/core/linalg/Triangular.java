package ngd.core.linalg;

/** Solves with an upper triangular p × p matrix R that stands row by row in a plain array. */
public final class Triangular {
  private Triangular() {}

  /** The solution of R x = b. */
  public static double[] solve(double[] r, int p, double[] b) {
    double[] x = b.clone();
    for (int i = p - 1; i >= 0; i--) {
      double sum = x[i];
      for (int j = i + 1; j < p; j++) {
        sum = Math.fma(-r[i * p + j], x[j], sum);
      }
      x[i] = sum / r[i * p + i];
    }
    return x;
  }

  /** The solution of Rᵀ x = b. */
  public static double[] solveTransposed(double[] r, int p, double[] b) {
    double[] x = b.clone();
    for (int i = 0; i < p; i++) {
      x[i] /= r[i * p + i];
      for (int j = i + 1; j < p; j++) {
        x[j] = Math.fma(-r[i * p + j], x[i], x[j]);
      }
    }
    return x;
  }
}
