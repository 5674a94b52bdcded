package ngd.core.linalg;

import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;
import org.netlib.arpack.Dnaupd;
import org.netlib.arpack.Dneupd;
import org.netlib.util.doubleW;
import org.netlib.util.intW;

/**
 * The largest modulus of the eigenvalues of an operator that is known only by its products, by
 * ARPACK's implicitly restarted Arnoldi iteration. Empty where it does not converge. Symmetric
 * operators have {@link Lanczos}, and those without eigenvalues apart {@link PowerNorms}.
 *
 * <p>The Java translation of ARPACK is called as it is: netlib's face would first look for a native
 * library, complain where there is none, and give other last digits where there is one.
 */
public final class Arnoldi {
  /** The translated Fortran keeps its state in static fields, so one caller at a time. */
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Residuals relative to the eigenvalue: fine where it is cheap, enough to read where not. */
  private static double tolerance(int size) {
    return size <= 10_000 ? 1e-10 : 1e-6;
  }

  /** How many vectors the iteration keeps between restarts. */
  public static final int BASIS = 80;

  private Arnoldi() {}

  /** A square matrix that multiplies vectors. */
  @FunctionalInterface
  public interface LinearMap {
    /** Sets {@code product} to the matrix times {@code x}. */
    void apply(double[] x, double[] product);
  }

  /**
   * The largest modulus of the eigenvalues of any operator of at least 3 rows.
   *
   * <p>A dozen values are asked for: with fewer, where many moduli lie close together, the
   * iteration can settle on some that are not the largest.
   */
  public static OptionalDouble radius(int size, LinearMap operator, int restarts) {
    if (size < 3) {
      throw new IllegalArgumentException("Arnoldi: needs at least 3 rows; got " + size);
    }
    LOCK.lock();
    try {
      Reverse r = new Reverse(size, Math.min(12, size - 2), Math.min(size, BASIS), restarts);
      do {
        Dnaupd.dnaupd(
            r.step,
            "I",
            size,
            "LM",
            r.wanted,
            r.tolerance,
            r.residual,
            0,
            r.basis,
            r.vectors,
            0,
            size,
            r.parameters,
            0,
            r.pointers,
            0,
            r.work,
            0,
            r.projected,
            0,
            r.projected.length,
            r.info);
      } while (r.multiply(operator));
      if (r.failed()) {
        return OptionalDouble.empty();
      }
      double[] real = new double[r.wanted + 1];
      double[] imaginary = new double[r.wanted + 1];
      Dneupd.dneupd(
          false,
          "A",
          new boolean[r.basis],
          0,
          real,
          0,
          imaginary,
          0,
          r.vectors,
          0,
          size,
          0,
          0,
          new double[3 * r.basis],
          0,
          "I",
          size,
          "LM",
          new intW(r.wanted),
          tolerance(size),
          r.residual,
          0,
          r.basis,
          r.vectors,
          0,
          size,
          r.parameters,
          0,
          r.pointers,
          0,
          r.work,
          0,
          r.projected,
          0,
          r.projected.length,
          r.info);
      if (r.info.val != 0) {
        return OptionalDouble.empty();
      }
      double radius = 0;
      for (int i = 0; i <= r.wanted; i++) {
        radius = Math.max(radius, Math.hypot(real[i], imaginary[i]));
      }
      return OptionalDouble.of(radius);
    } finally {
      LOCK.unlock();
    }
  }

  /** ARPACK's reverse communication: it asks for a product, gets it, and goes on. */
  private static final class Reverse {
    final intW step = new intW(0);
    final intW info = new intW(1);
    final doubleW tolerance = new doubleW(0);
    final int size;
    final int wanted;
    final int basis;
    final double[] residual;
    final double[] vectors;
    final double[] work;
    final double[] projected;
    final int[] parameters = new int[11];
    final int[] pointers = new int[14];
    private final double[] x;
    private final double[] product;

    Reverse(int size, int wanted, int basis, int restarts) {
      this.size = size;
      this.wanted = wanted;
      this.basis = basis;
      tolerance.val = tolerance(size);
      // A start of our own (info = 1): the library's random one would differ from call to call.
      residual = Lanczos.start(size);
      vectors = new double[Math.multiplyExact(size, basis)];
      work = new double[3 * size];
      projected = new double[3 * basis * basis + 6 * basis];
      parameters[0] = 1;
      parameters[2] = restarts;
      parameters[6] = 1;
      x = new double[size];
      product = new double[size];
    }

    boolean multiply(LinearMap operator) {
      if (step.val != 1 && step.val != -1) {
        return false;
      }
      System.arraycopy(work, pointers[0] - 1, x, 0, size);
      operator.apply(x, product);
      System.arraycopy(product, 0, work, pointers[1] - 1, size);
      return true;
    }

    boolean failed() {
      return info.val != 0 || parameters[4] < wanted;
    }
  }
}
