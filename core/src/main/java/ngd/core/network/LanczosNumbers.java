package ngd.core.network;

import ngd.core.linalg.Lanczos;

/** What Lanczos iteration found, as numbers that say how far off they may be. */
final class LanczosNumbers {
  /** Errors relative to the value at which an iteration ends. */
  static final double TOLERANCE = 1e-10;

  /** An error beyond this share of the number leaves nothing of it. */
  private static final double LOOSE = 0.5;

  /** Links and clients that are touched: about a second. */
  private static final long WORK = 600_000_000L;

  private LanczosNumbers() {}

  static int steps(int size, long links) {
    return Math.clamp(WORK / (links + 8L * size), 100, 10_000);
  }

  /** The larger modulus of the two ends, which are those of a stochastic matrix without its 1. */
  static Measured largestModulus(Lanczos.Ends ends) {
    Lanczos.Value low = ends.smallest();
    Lanczos.Value high = ends.largest();
    double modulus = Math.max(Math.abs(low.value()), Math.abs(high.value()));
    return stated(Math.min(modulus, 1), Math.max(low.error(), high.error()), modulus);
  }

  /** 1 − λ of the largest eigenvalue but 1. */
  static Measured lessThanOne(Lanczos.Value second) {
    double gap = 1 - second.value();
    return stated(gap, second.error(), gap);
  }

  /**
   * The root of an eigenvalue: a singular value. Loose ones are left out where another method can
   * step in.
   */
  static Measured root(Lanczos.Value square, boolean looseToo) {
    double value = Math.sqrt(Math.max(square.value(), 0));
    double error =
        square.error() / (value + Math.sqrt(Math.max(square.value() - square.error(), 0)));
    return looseToo || error <= 10 * TOLERANCE * value
        ? stated(value, error, value)
        : Measured.not("not computed: the iterative (Lanczos) method did not converge");
  }

  private static Measured stated(double value, double error, double scale) {
    return error <= LOOSE * scale
        ? Measured.within(value, error, "iterative (Lanczos), error at most %.1g".formatted(error))
        : Measured.not(
            "not computed: the iterative (Lanczos) method came to %.3g, with an error of up to %.1g"
                .formatted(value, error));
  }
}
