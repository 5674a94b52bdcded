package ngd.core.linalg;

/**
 * Many small positive definite systems side by side, an array for each entry of the matrices, so
 * that the loops over systems run on vectors: a factorisation L D Lᵀ, which needs no root. A
 * system's bits do not depend on how many stand beside it.
 */
final class CholeskySolve {
  /** The numbers of one group of systems: they fit the first-level cache. */
  private static final int NUMBERS = 4096;

  private final int p;

  /** Entry (i, j) of every system at {@code i * p + j}; L comes above the diagonals, L D below. */
  private final double[][] a;

  /** Right-hand side i of every system, in the end the answers. */
  private final double[][] b;

  CholeskySolve(int p, int systems) {
    this.p = p;
    a = new double[p * p][systems];
    b = new double[p][systems];
  }

  /**
   * Solves a system for each row: its matrix begins at {@code m * matrixStride}, its right-hand
   * side and its answer at {@code m * stride}.
   */
  static void each(
      double[] matrices,
      int matrixStride,
      double[] right,
      double[] out,
      int stride,
      int p,
      int rows) {
    int most = Math.clamp(NUMBERS / Math.max(1, p * p), 1, Math.max(1, rows));
    CholeskySolve group = new CholeskySolve(p, most);
    for (int from = 0; from < rows; from += most) {
      int count = Math.min(most, rows - from);
      for (int l = 0; l < count; l++) {
        group.put(l, matrices, (from + l) * matrixStride, right, (from + l) * stride);
      }
      if (!group.solve(count)) {
        throw new ArithmeticException(
            "systems %d to %d: one is not positive definite".formatted(from, from + count - 1));
      }
      for (int l = 0; l < count; l++) {
        group.get(l, out, (from + l) * stride);
      }
    }
  }

  /** Solves one system in place; see {@link SymmetricMatrix#solveOver}. */
  static boolean one(double[] matrix, int p, double[] right) {
    boolean positive = true;
    for (int j = 0; j < p; j++) {
      double pivot = matrix[j * p + j];
      positive &= pivot > 0;
      for (int i = j + 1; i < p; i++) {
        double below = matrix[i * p + j];
        double factor = below / pivot;
        matrix[j * p + i] = factor;
        for (int k = j + 1; k <= i; k++) {
          matrix[i * p + k] -= below * matrix[j * p + k];
        }
        right[i] -= factor * right[j];
      }
    }
    for (int j = p - 1; j >= 0; j--) {
      right[j] /= matrix[j * p + j];
      for (int i = j + 1; i < p; i++) {
        right[j] -= matrix[j * p + i] * right[i];
      }
    }
    return positive;
  }

  private void put(int system, double[] matrix, int matrixAt, double[] right, int rightAt) {
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        a[i * p + j][system] = matrix[matrixAt + i * p + j];
      }
      b[i][system] = right[rightAt + i];
    }
  }

  private void get(int system, double[] out, int at) {
    for (int i = 0; i < p; i++) {
      out[at + i] = b[i][system];
    }
  }

  /** False where one of the first {@code count} systems is not positive definite. */
  private boolean solve(int count) {
    boolean positive = true;
    for (int j = 0; j < p; j++) {
      double[] pivot = a[j * p + j];
      for (int l = 0; l < count; l++) {
        positive &= pivot[l] > 0;
      }
      for (int i = j + 1; i < p; i++) {
        double[] below = a[i * p + j];
        divide(below, pivot, a[j * p + i], count);
        for (int k = j + 1; k <= i; k++) {
          subtract(a[i * p + k], below, a[j * p + k], count);
        }
        subtract(b[i], a[j * p + i], b[j], count);
      }
    }
    for (int j = p - 1; j >= 0; j--) {
      divide(b[j], a[j * p + j], b[j], count);
      for (int i = j + 1; i < p; i++) {
        subtract(b[j], a[j * p + i], b[i], count);
      }
    }
    return positive;
  }

  /** x −= y z. */
  private static void subtract(double[] x, double[] y, double[] z, int count) {
    for (int l = 0; l < count; l++) {
      x[l] -= y[l] * z[l];
    }
  }

  /** out = x / y. */
  private static void divide(double[] x, double[] y, double[] out, int count) {
    for (int l = 0; l < count; l++) {
      out[l] = x[l] / y[l];
    }
  }
}
