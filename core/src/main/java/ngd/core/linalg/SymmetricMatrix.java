package ngd.core.linalg;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** Functions of symmetric p × p matrices that stand row by row in plain arrays. */
public final class SymmetricMatrix {
  /** The least share of what a matrix says of a step's bend that is believed. */
  private static final double LEAST_BEND = 1e-3;

  private SymmetricMatrix() {}

  /** Adds factor · x xᵀ to the lower triangle. */
  public static void addSquare(double[] lower, int p, double factor, double[] x) {
    for (int j = 0; j < p; j++) {
      double scaled = factor * x[j];
      int row = j * p;
      for (int k = 0; k <= j; k++) {
        lower[row + k] = Math.fma(scaled, x[k], lower[row + k]);
      }
    }
  }

  /**
   * The matrix after which a step bends as it was seen to (Broyden, Fletcher, Goldfarb and Shanno):
   * A − A s sᵀA / sᵀA s + b bᵀ / bᵀs, positive definite where A is; A itself where bᵀs is not above
   * 0.
   *
   * @param step s
   * @param bend b, what the gradient changed by
   */
  public static double[] secant(double[] matrix, int p, double[] step, double[] bend) {
    double[] image = new double[p];
    double before = 0;
    double after = 0;
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        image[i] = Math.fma(matrix[i * p + j], step[j], image[i]);
      }
      before = Math.fma(step[i], image[i], before);
      after = Math.fma(step[i], bend[i], after);
    }
    if (!(before > 0 && after > LEAST_BEND * before)) {
      return matrix;
    }
    double[] secant = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        secant[i * p + j] =
            matrix[i * p + j] + (bend[i] * bend[j] / after - image[i] * image[j] / before);
        secant[j * p + i] = secant[i * p + j];
      }
    }
    return secant;
  }

  /** All eigenvalues in ascending order. */
  public static double[] eigenvalues(double[] matrix, int p) {
    if (p == 0) {
      return new double[0];
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen =
        DecompositionFactory_DDRM.eig(p, /* computeVectors= */ false, /* isSymmetric= */ true);
    if (!finite(matrix) || !eigen.decompose(copy(matrix, p))) {
      throw new ArithmeticException(
          "eigenvalues of a symmetric %d x %d matrix: did not converge".formatted(p, p));
    }
    double[] values = new double[p];
    for (int i = 0; i < p; i++) {
      values[i] = eigen.getEigenvalue(i).getReal();
    }
    Arrays.sort(values);
    return values;
  }

  /** Eigenvalues in ascending order, each with its unit vector. */
  public static final class Spectrum {
    private final double[] values;
    private final double[][] vectors;

    private Spectrum(double[] values, double[][] vectors) {
      this.values = values;
      this.vectors = vectors;
    }

    public double value(int k) {
      return values[k];
    }

    /** Entry j of the k-th vector. */
    public double vector(int k, int j) {
      return vectors[k][j];
    }
  }

  /** All eigenvalues and their vectors. */
  public static Spectrum spectrum(double[] matrix, int p) {
    EigenDecomposition_F64<DMatrixRMaj> eigen =
        DecompositionFactory_DDRM.eig(p, /* computeVectors= */ true, /* isSymmetric= */ true);
    if (!finite(matrix) || !eigen.decompose(copy(matrix, p))) {
      throw new ArithmeticException(
          "eigenvectors of a symmetric %d x %d matrix: did not converge".formatted(p, p));
    }
    Integer[] order = new Integer[p];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> eigen.getEigenvalue(i).getReal()));
    double[] values = new double[p];
    double[][] vectors = new double[p][];
    for (int k = 0; k < p; k++) {
      values[k] = eigen.getEigenvalue(order[k]).getReal();
      vectors[k] = eigen.getEigenVector(order[k]).getData().clone();
    }
    return new Spectrum(values, vectors);
  }

  public static double smallestEigenvalue(double[] matrix, int p) {
    return eigenvalues(matrix, p)[0];
  }

  public static double largestEigenvalue(double[] matrix, int p) {
    return eigenvalues(matrix, p)[p - 1];
  }

  /**
   * The lower triangular factor L with matrix = L Lᵀ, row by row with zeros above the diagonal;
   * empty when the matrix is not numerically positive definite.
   */
  public static Optional<double[]> cholesky(double[] matrix, int p) {
    if (p == 0) {
      return Optional.of(new double[0]);
    }
    CholeskyDecomposition_F64<DMatrixRMaj> cholesky =
        DecompositionFactory_DDRM.chol(p, /* lower= */ true);
    if (!finite(matrix) || !cholesky.decompose(copy(matrix, p))) {
      return Optional.empty();
    }
    double[] lower = Arrays.copyOf(cholesky.getT(null).data, p * p);
    return finite(lower) ? Optional.of(lower) : Optional.empty();
  }

  /** The solution of matrix · x = b; empty when the matrix is not positive definite. */
  public static Optional<double[]> solve(double[] matrix, int p, double[] b) {
    return cholesky(matrix, p)
        .map(
            lower -> {
              double[] upper = transposed(lower, p);
              return Triangular.solve(upper, p, Triangular.solveTransposed(upper, p, b));
            });
  }

  /** The inverse; empty when the matrix is not positive definite. */
  public static Optional<double[]> inverse(double[] matrix, int p) {
    return cholesky(matrix, p)
        .map(
            lower -> {
              double[] upper = transposed(lower, p);
              double[] inverse = new double[p * p];
              for (int j = 0; j < p; j++) {
                double[] unit = new double[p];
                unit[j] = 1;
                double[] column =
                    Triangular.solve(upper, p, Triangular.solveTransposed(upper, p, unit));
                for (int i = 0; i < p; i++) {
                  inverse[i * p + j] = column[i];
                }
              }
              // Rounding must not leave it lopsided.
              for (int i = 0; i < p; i++) {
                for (int j = 0; j < i; j++) {
                  double mean = 0.5 * (inverse[i * p + j] + inverse[j * p + i]);
                  inverse[i * p + j] = mean;
                  inverse[j * p + i] = mean;
                }
              }
              return inverse;
            });
  }

  /**
   * Writes the solution of matrix · x = b over b; of the matrix the lower triangle is read; false
   * where the matrix is not positive definite.
   */
  public static boolean solveInPlace(double[] matrix, int p, double[] b) {
    return solveOver(matrix.clone(), p, b);
  }

  /** The same, and over the matrix its factors are written. */
  public static boolean solveOver(double[] matrix, int p, double[] b) {
    return CholeskySolve.one(matrix, p, b);
  }

  /**
   * Solves A x = b for each of many rows, b beginning at {@code m * stride} of {@code right} and A,
   * p × p and row by row, at {@code m * matrixStride} of {@code matrices}; refuses one that is not
   * positive definite.
   */
  public static void solveEach(
      double[] matrices,
      int matrixStride,
      double[] right,
      double[] out,
      int stride,
      int p,
      int rows) {
    CholeskySolve.each(matrices, matrixStride, right, out, stride, p, rows);
  }

  static double[] transposed(double[] matrix, int p) {
    double[] transposed = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        transposed[j * p + i] = matrix[i * p + j];
      }
    }
    return transposed;
  }

  private static boolean finite(double[] matrix) {
    return Arrays.stream(matrix).allMatch(Double::isFinite);
  }

  /** EJML's factorisations write over what they are given. */
  private static DMatrixRMaj copy(double[] matrix, int p) {
    if (matrix.length != p * p) {
      throw new IllegalArgumentException(
          "matrix: must have %d entries for p = %d; got %d".formatted(p * p, p, matrix.length));
    }
    return DMatrixRMaj.wrap(p, p, matrix.clone());
  }
}
