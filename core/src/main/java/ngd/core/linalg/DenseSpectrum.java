package ngd.core.linalg;

import java.util.Arrays;
import java.util.Optional;
import org.ejml.data.Complex_F64;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;

/**
 * Eigenvalues and singular values of a square matrix held in full, row after row; the matrix is
 * used up. Empty where the iteration behind them does not settle.
 */
public final class DenseSpectrum {
  private DenseSpectrum() {}

  /** The eigenvalues as (real, imaginary) pairs, in no particular order. */
  public static Optional<double[][]> eigenvalues(double[] matrix, int size) {
    return eigenvalues(matrix, size, false);
  }

  /** The eigenvalues of a symmetric matrix, ascending. */
  public static Optional<double[]> symmetricEigenvalues(double[] matrix, int size) {
    return eigenvalues(matrix, size, true)
        .map(pairs -> Arrays.stream(pairs).mapToDouble(pair -> pair[0]).sorted().toArray());
  }

  private static Optional<double[][]> eigenvalues(double[] matrix, int size, boolean symmetric) {
    EigenDecomposition_F64<DMatrixRMaj> library =
        DecompositionFactory_DDRM.eig(size, false, symmetric);
    if (!library.decompose(new DMatrixRMaj(size, size, true, matrix))) {
      return Optional.empty();
    }
    double[][] values = new double[size][];
    for (int i = 0; i < size; i++) {
      Complex_F64 value = library.getEigenvalue(i);
      values[i] = new double[] {value.getReal(), value.getImaginary()};
    }
    return Optional.of(values);
  }

  /** The singular values, ascending. */
  public static Optional<double[]> singularValues(double[] matrix, int size) {
    SingularValueDecomposition_F64<DMatrixRMaj> library =
        DecompositionFactory_DDRM.svd(size, size, false, false, false);
    if (!library.decompose(new DMatrixRMaj(size, size, true, matrix))) {
      return Optional.empty();
    }
    double[] values = Arrays.copyOf(library.getSingularValues(), size);
    Arrays.sort(values);
    return Optional.of(values);
  }
}
