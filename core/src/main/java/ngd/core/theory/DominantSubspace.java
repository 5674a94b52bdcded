package ngd.core.theory;

import java.util.Arrays;
import java.util.Optional;
import ngd.core.linalg.DenseSpectrum;

/**
 * The largest eigenvalue of a large class by iterating a few vectors together.
 *
 * <p>Where averaging outruns descent, the operator has p eigenvalues near 1, one for each direction
 * that all clients share, and the others lie inside the circle of W's second one. So p vectors of
 * shared directions are close from the start, and each cycle brings them closer by the ratio
 * between the two groups; two vectors more look for what is not shared. Nothing but these is kept,
 * where Arnoldi iteration keeps a basis of eighty.
 */
final class DominantSubspace {
  private static final int UNSHARED = 2;

  /** Cycles between two looks. */
  private static final int STRETCH = 8;

  /** Multiplications of all cycles together: two or three seconds. */
  private static final double WORK = 2.5e9;

  /** The residual, relative to the eigenvalue, with which the iteration ends. */
  private static final double SETTLED = 1e-7;

  private final CyclicClass cyclic;
  private final double[][] basis;
  private final double[][] images;

  private DominantSubspace(CyclicClass cyclic, int parameters) {
    this.cyclic = cyclic;
    int n = cyclic.dimension();
    basis = new double[Math.min(n, parameters + UNSHARED)][n];
    images = new double[basis.length][n];
    for (int j = 0; j < basis.length; j++) {
      for (int i = 0; i < n; i++) {
        basis[j][i] = j < parameters ? (i % parameters == j ? 1 : 0) : spread(i, j);
      }
    }
    orthonormalise(basis);
  }

  /**
   * An eigenvalue of A^d.
   *
   * @param modulus its modulus
   * @param residual ‖A^d v − θ v‖ of a unit vector: so near is an operator that has it exactly
   */
  record Found(double modulus, double residual) {}

  /** Empty where the work allowed does not bring the residual below {@code worst}. */
  static Optional<Found> of(CyclicClass cyclic, double worst) {
    DominantSubspace space = new DominantSubspace(cyclic, cyclic.parameters());
    double cycles = WORK / ((double) cyclic.multiplications() * space.basis.length);
    Optional<Found> best = Optional.empty();
    for (int done = 0; done + STRETCH <= Math.max(cycles, STRETCH); done += STRETCH) {
      Optional<Found> found = space.advance();
      if (found.isEmpty()) {
        return best;
      }
      if (found.get().residual <= worst) {
        best = found;
      }
      if (found.get().residual <= SETTLED * found.get().modulus) {
        return best;
      }
    }
    return best;
  }

  /** Some cycles, then the largest eigenvalue of what they are on the vectors' span. */
  private Optional<Found> advance() {
    CyclicClass.Scratch scratch = cyclic.scratch();
    for (int i = 0; i < STRETCH; i++) {
      for (int j = 0; j < basis.length; j++) {
        cyclic.cycle(basis[j], i == STRETCH - 1 ? images[j] : basis[j], 1, scratch);
      }
      if (i == STRETCH - 2) {
        orthonormalise(basis);
      }
    }
    int b = basis.length;
    double[] projected = new double[b * b];
    double[] squares = new double[b * b];
    for (int i = 0; i < b; i++) {
      for (int j = 0; j < b; j++) {
        projected[i * b + j] = dot(basis[i], images[j]);
        squares[i * b + j] = j < i ? squares[j * b + i] : dot(images[i], images[j]);
      }
    }
    if (!Arrays.stream(squares).allMatch(Double::isFinite)) {
      return Optional.empty();
    }
    Optional<Found> found =
        DenseSpectrum.eigenvalues(projected.clone(), b)
            .map(
                all -> {
                  double[] top = all[0];
                  for (double[] value : all) {
                    top = Math.hypot(value[0], value[1]) > Math.hypot(top[0], top[1]) ? value : top;
                  }
                  return new Found(Math.hypot(top[0], top[1]), residual(projected, squares, top));
                });
    for (int j = 0; j < b; j++) {
      System.arraycopy(images[j], 0, basis[j], 0, basis[j].length);
    }
    return found;
  }

  /**
   * The least ‖(AV − θV) y‖ over unit y: the root of the smallest eigenvalue of the Hermitian
   * matrix (AV − θV)*(AV − θV), taken as a real one of twice the size.
   */
  private static double residual(double[] projected, double[] squares, double[] theta) {
    int b = (int) Math.round(Math.sqrt(projected.length));
    double[] real = new double[4 * b * b];
    for (int i = 0; i < b; i++) {
      for (int j = 0; j < b; j++) {
        double there = projected[i * b + j];
        double back = projected[j * b + i];
        double even =
            squares[i * b + j]
                - theta[0] * (there + back)
                + (i == j ? theta[0] * theta[0] + theta[1] * theta[1] : 0);
        double odd = theta[1] * (there - back);
        real[i * 2 * b + j] = even;
        real[(b + i) * 2 * b + b + j] = even;
        real[i * 2 * b + b + j] = -odd;
        real[(b + i) * 2 * b + j] = odd;
      }
    }
    return DenseSpectrum.symmetricEigenvalues(real, 2 * b)
        .map(values -> Math.sqrt(Math.max(values[0], 0) + 1e-16 * Math.abs(values[2 * b - 1])))
        .orElse(Double.POSITIVE_INFINITY);
  }

  private static void orthonormalise(double[][] vectors) {
    for (int j = 0; j < vectors.length; j++) {
      double[] own = vectors[j];
      for (int twice = 0; twice < 2; twice++) {
        for (int k = 0; k < j; k++) {
          double along = dot(own, vectors[k]);
          for (int i = 0; i < own.length; i++) {
            own[i] = Math.fma(-along, vectors[k][i], own[i]);
          }
        }
      }
      double norm = Math.sqrt(dot(own, own));
      for (int i = 0; i < own.length; i++) {
        own[i] = norm > 0 ? own[i] / norm : 0;
      }
    }
  }

  private static double dot(double[] a, double[] b) {
    double even = 0;
    double odd = 0;
    for (int i = 0; i + 1 < a.length; i += 2) {
      even = Math.fma(a[i], b[i], even);
      odd = Math.fma(a[i + 1], b[i + 1], odd);
    }
    return even + odd + (a.length % 2 == 1 ? a[a.length - 1] * b[a.length - 1] : 0);
  }

  /** A number in [−1, 1) that depends on its place alone. */
  private static double spread(int i, int j) {
    long bits = (i * 31L + j + 1) * 0x9e3779b97f4a7c15L;
    return (((bits ^ (bits >>> 29)) * 0xbf58476d1ce4e5b9L) >> 11) * 0x1p-52;
  }
}
