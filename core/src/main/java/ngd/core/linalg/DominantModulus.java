package ngd.core.linalg;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.netlib.arpack.Dnaupd;
import org.netlib.util.doubleW;
import org.netlib.util.intW;

/** The largest modulus among the eigenvalues of a general real matrix: its spectral radius. */
public final class DominantModulus {
  /** ARPACK in Java keeps its state between calls in static fields: one at a time. */
  private static final Object ARPACK = new Object();

  private static final int WANTED = 4;
  private static final double TOLERANCE = 1e-12;

  private DominantModulus() {}

  /** From all n eigenvalues of a matrix that stands row by row; empty if they did not converge. */
  public static OptionalDouble dense(double[] matrix, int n) {
    if (n == 0) {
      return OptionalDouble.of(0);
    }
    if (!Arrays.stream(matrix).allMatch(Double::isFinite)) {
      return OptionalDouble.empty();
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen =
        DecompositionFactory_DDRM.eig(n, /* computeVectors= */ false, /* isSymmetric= */ false);
    if (!eigen.decompose(DMatrixRMaj.wrap(n, n, matrix.clone()))) {
      return OptionalDouble.empty();
    }
    double largest = 0;
    for (int i = 0; i < n; i++) {
      largest = Math.max(largest, eigen.getEigenvalue(i).getMagnitude());
    }
    return OptionalDouble.of(largest);
  }

  /**
   * By implicitly restarted Arnoldi iteration (ARPACK's dnaupd) from products alone: {@code space}
   * vectors, at most {@code restarts} restarts, from a start with a part in every direction; empty
   * if that did not converge.
   */
  public static OptionalDouble arnoldi(
      BiConsumer<double[], double[]> multiply, double[] start, int space, int restarts) {
    int n = start.length;
    if (n < WANTED + 2) {
      throw new IllegalArgumentException(
          "Arnoldi: needs at least %d dimensions; got %d".formatted(WANTED + 2, n));
    }
    synchronized (ARPACK) {
      return iterate(multiply, n, Math.min(n, space), restarts, start.clone());
    }
  }

  private static OptionalDouble iterate(
      BiConsumer<double[], double[]> multiply, int n, int ncv, int restarts, double[] residual) {
    double[] basis = new double[Math.multiplyExact(n, ncv)];
    int[] parameters = new int[11];
    parameters[0] = 1; // exact shifts
    parameters[2] = restarts;
    parameters[3] = 1;
    parameters[6] = 1; // the standard problem A x = λ x
    int[] pointers = new int[14];
    double[] exchanged = new double[3 * n];
    int length = 3 * ncv * ncv + 6 * ncv;
    double[] work = new double[length];
    intW todo = new intW(0);
    intW outcome = new intW(1); // the start is ours
    doubleW tolerance = new doubleW(TOLERANCE);
    double[] x = new double[n];
    double[] y = new double[n];
    while (true) {
      Dnaupd.dnaupd(
          todo,
          "I",
          n,
          "LM",
          WANTED,
          tolerance,
          residual,
          0,
          ncv,
          basis,
          0,
          n,
          parameters,
          0,
          pointers,
          0,
          exchanged,
          0,
          work,
          0,
          length,
          outcome);
      if (todo.val != 1 && todo.val != -1) {
        break;
      }
      System.arraycopy(exchanged, pointers[0] - 1, x, 0, n);
      multiply.accept(x, y);
      System.arraycopy(y, 0, exchanged, pointers[1] - 1, n);
    }
    if (outcome.val != 0) {
      return OptionalDouble.empty();
    }
    double largest = 0;
    for (int i = 0; i < ncv; i++) {
      largest = Math.max(largest, Math.hypot(work[pointers[5] - 1 + i], work[pointers[6] - 1 + i]));
    }
    return OptionalDouble.of(largest);
  }
}
