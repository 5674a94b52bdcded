package ngd.core.linalg;

import java.util.Arrays;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.lu.LUDecompositionAlt_DDRM;

/** Solves with general n × n matrices that stand row by row in plain arrays. */
public final class DenseSolve {
  /**
   * A pivot below this share of the largest one is rounding: the matrix counts as singular. Partial
   * pivoting leaves an exactly singular matrix a last pivot of a few units in the last place.
   */
  private static final double SINGULAR = 1e-14;

  private DenseSolve() {}

  /** The solution of matrix · x = b; empty when the matrix is numerically singular. */
  public static Optional<double[]> solve(double[] matrix, int n, double[] b) {
    if (n == 0) {
      return Optional.of(new double[0]);
    }
    if (!Arrays.stream(matrix).allMatch(Double::isFinite)) {
      return Optional.empty();
    }
    LUDecompositionAlt_DDRM lu = new LUDecompositionAlt_DDRM();
    if (!lu.decompose(DMatrixRMaj.wrap(n, n, matrix.clone()))) {
      return Optional.empty();
    }
    DMatrixRMaj upper = lu.getUpper(null);
    double smallest = Double.POSITIVE_INFINITY;
    double largest = 0;
    for (int i = 0; i < n; i++) {
      double pivot = Math.abs(upper.get(i, i));
      smallest = Math.min(smallest, pivot);
      largest = Math.max(largest, pivot);
    }
    if (!(smallest > SINGULAR * largest)) {
      return Optional.empty();
    }
    double[] x = new double[n];
    int[] pivots = lu.getRowPivotV(null);
    for (int i = 0; i < n; i++) {
      x[i] = b[pivots[i]];
    }
    solvePermuted(lu, upper, n, x);
    return Arrays.stream(x).allMatch(Double::isFinite) ? Optional.of(x) : Optional.empty();
  }

  private static void solvePermuted(
      LUDecompositionAlt_DDRM lu, DMatrixRMaj upper, int n, double[] x) {
    double[] both = lu.getLU().data;
    for (int i = 0; i < n; i++) {
      double sum = x[i];
      for (int j = 0; j < i; j++) {
        sum = Math.fma(-both[i * n + j], x[j], sum);
      }
      x[i] = sum;
    }
    double[] solved = Triangular.solve(upper.data, n, x);
    System.arraycopy(solved, 0, x, 0, n);
  }
}
