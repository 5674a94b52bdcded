package ngd.core.theory;

import java.util.Arrays;
import java.util.OptionalDouble;
import ngd.core.linalg.Arnoldi;
import ngd.core.linalg.DenseSpectrum;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Measured;

/**
 * The spectral radius of the contraction operator: below 1, network gradient descent has one limit
 * from every start and approaches it at this rate.
 *
 * <p>The operator is block triangular over the communicating classes of W, so its eigenvalues are
 * those of the diagonal blocks together; a single client that does not hear itself adds only zeros.
 * A class of period d has d eigenvalues of every modulus, on which Arnoldi iteration fails, so its
 * d-th power is taken on one cyclic class (see {@link CyclicClass}). Where that is still large, a
 * further power spreads moduli that lie close together before Arnoldi looks for the largest; beyond
 * that, {@link DominantSubspace}.
 */
public final class SpectralRadius {
  /** Up to this dimension all eigenvalues take a tenth of a second. */
  private static final int DENSE = 300;

  /** Up to this dimension they take half a minute: worth it when Arnoldi has failed. */
  private static final int DENSE_LAST_RESORT = 2000;

  /** Up to this dimension Arnoldi takes some ten seconds where moduli lie close together. */
  private static final int ARNOLDI = 20_000;

  /** Up to this dimension a few vectors fit any heap. */
  private static final int DOMINANT = 4_000_000;

  /** A residual beyond this says too little of a radius near 1. */
  private static final double WORST = 1e-4;

  private static final int ARNOLDI_RESTARTS = 60;

  /** Arnoldi sees the operator to about this power. */
  private static final int POWER = 32;

  private SpectralRadius() {}

  public static Measured of(ContractionOperator operator, CommunicatingClasses classes) {
    double largest = 0;
    String how = "no client lies on a cycle of links: all eigenvalues are 0";
    for (int c = 0; c < classes.count(); c++) {
      if (classes.period(c) == 0) {
        continue;
      }
      Measured own = ofClass(CyclicClass.of(operator, classes.members(c), classes.period(c)));
      if (own.value().isEmpty()) {
        return Measured.not(
            "the class of client %d: %s".formatted(classes.members(c)[0], own.how()));
      }
      if (own.value().getAsDouble() >= largest) {
        largest = own.value().getAsDouble();
        how = own.how();
      }
    }
    return Measured.of(largest, how);
  }

  private static Measured ofClass(CyclicClass cyclic) {
    if (cyclic.dimension() <= DENSE) {
      Measured dense = dense(cyclic);
      if (dense.value().isPresent()) {
        return dense;
      }
    }
    if (cyclic.wholeDimension() > ARNOLDI) {
      return dominant(cyclic);
    }
    Measured arnoldi = arnoldi(cyclic);
    if (arnoldi.value().isPresent() || cyclic.dimension() <= DENSE) {
      return arnoldi;
    }
    return cyclic.dimension() <= DENSE_LAST_RESORT ? dense(cyclic) : arnoldi;
  }

  private static Measured dense(CyclicClass cyclic) {
    CyclicClass.Product product = cyclic.product();
    int d = cyclic.period();
    OptionalDouble modulus = modulus(product);
    if (modulus.isEmpty()) {
      return Measured.not(
          "the eigenvalues of its %d x %d matrix did not converge"
              .formatted(product.n(), product.n()));
    }
    double log = (product.log() + Math.log(modulus.getAsDouble())) / d;
    return Measured.of(
        Math.exp(log),
        "all eigenvalues of a %d x %d matrix%s".formatted(product.n(), product.n(), powers(d)));
  }

  private static OptionalDouble modulus(CyclicClass.Product product) {
    if (!Arrays.stream(product.matrix()).allMatch(Double::isFinite)) {
      return OptionalDouble.empty();
    }
    return DenseSpectrum.eigenvalues(product.matrix(), product.n())
        .map(
            all ->
                OptionalDouble.of(
                    Arrays.stream(all)
                        .mapToDouble(value -> Math.hypot(value[0], value[1]))
                        .max()
                        .orElse(0)))
        .orElse(OptionalDouble.empty());
  }

  private static Measured arnoldi(CyclicClass cyclic) {
    int n = cyclic.dimension();
    int d = cyclic.period();
    int cycles = Math.ceilDiv(POWER, d);
    CyclicClass.Scratch scratch = cyclic.scratch();
    double[] moved = new double[n];
    Arrays.setAll(moved, i -> 1.0 / (1 + i % 7));
    double log = 0;
    for (int i = 0; i < cycles; i++) {
      log = cyclic.growth(moved, scratch);
    }
    double pace = Math.exp(log / d);
    if (!(pace > 0) || n < 10) {
      return Measured.not("its products vanish, so Arnoldi iteration has nothing to work on");
    }
    OptionalDouble modulus =
        Arnoldi.radius(
            n,
            (x, y) -> {
              cyclic.cycle(x, y, pace, scratch);
              for (int i = 1; i < cycles; i++) {
                cyclic.cycle(y, y, pace, scratch);
              }
            },
            ARNOLDI_RESTARTS);
    if (modulus.isEmpty()) {
      return Measured.not(
          "Arnoldi iteration over %d unknowns did not converge in %d restarts%s"
              .formatted(n, ARNOLDI_RESTARTS, powers(d * cycles)));
    }
    return Measured.of(
        pace * Math.pow(modulus.getAsDouble(), 1.0 / (d * cycles)),
        "Arnoldi iteration over %d unknowns%s".formatted(n, powers(d * cycles)));
  }

  private static Measured dominant(CyclicClass cyclic) {
    if (cyclic.wholeDimension() > DOMINANT) {
      return Measured.not(
          "%d unknowns are more than the %d up to which the spectral radius is computed"
              .formatted(cyclic.wholeDimension(), DOMINANT));
    }
    int d = cyclic.period();
    return DominantSubspace.of(cyclic, WORST)
        .map(
            found ->
                Measured.of(
                    Math.pow(found.modulus(), 1.0 / d),
                    "iteration of a few vectors over %d unknowns%s, residual %.1g"
                        .formatted(cyclic.dimension(), powers(d), found.residual())))
        .orElse(
            Measured.not(
                "iteration of a few vectors over %d unknowns left a residual above %s: the network averages too slowly beside the descent"
                    .formatted(cyclic.dimension(), WORST)));
  }

  private static String powers(int power) {
    return power == 1 ? "" : ", of the operator to the power %d".formatted(power);
  }
}
