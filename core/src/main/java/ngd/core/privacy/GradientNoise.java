package ngd.core.privacy;

import java.math.BigInteger;

/**
 * Noise for sums of clipped vectors.
 *
 * <p>Neighbouring data replace one row by another, so that the sum of vectors of norm at most C
 * moves by at most 2C. Sums are rounded to a grid of 2C / 2^20 and get whole numbers of it as
 * noise, drawn exactly; the noise is that much larger which rounding adds to what a row can move.
 */
final class GradientNoise {
  private static final double GRID = 0x1p-20;

  /** Rounding of a norm, far below the grid. */
  private static final double ROUNDING = 1e-12;

  private final double step;
  private final long own;
  private final long pair;

  GradientNoise(GradientPrivacy privacy, int parameters) {
    step = 2 * privacy.clip() * GRID;
    // Rounding moves every coordinate by at most half a step, at both ends; one more for doubles.
    double moves = 1 / GRID + Math.sqrt(parameters) + 1;
    own = (long) Math.ceil(privacy.own() * moves);
    pair = (long) Math.ceil(privacy.pair() * moves);
  }

  /** Shortens a vector that is longer than this, in place. */
  static void shorten(double[] vector, double most) {
    double square = 0;
    for (double entry : vector) {
      square = Math.fma(entry, entry, square);
    }
    double norm = Math.sqrt(square);
    if (!(norm <= most)) {
      // A row whose gradient is no number says nothing.
      double scale = norm < Double.POSITIVE_INFINITY ? most / norm : 0;
      for (int j = 0; j < vector.length; j++) {
        vector[j] = scale == 0 ? 0 : vector[j] * scale;
      }
      requireWithin(vector, most);
    }
  }

  /**
   * What a row may contribute is what the accounts rest on, so it is measured and not only meant.
   */
  private static void requireWithin(double[] vector, double most) {
    double square = 0;
    for (double entry : vector) {
      square += entry * entry;
    }
    if (!(square <= most * most * (1 + ROUNDING))) {
      throw new IllegalStateException(
          "privacy: a row's part must be at most %s long; got %s"
              .formatted(most, Math.sqrt(square)));
    }
  }

  /**
   * The sum on the grid, with noise.
   *
   * @param number the gradient's: its random numbers are for it alone
   */
  double[] noised(double[] sum, NoiseSource source, long number) {
    BigInteger[] whole = new BigInteger[sum.length];
    for (int j = 0; j < sum.length; j++) {
      whole[j] = BigInteger.valueOf(Math.round(sum[j] / step));
    }
    add(whole, new DiscreteGaussian(own, source.own(number)), true);
    if (pair > 0) {
      for (NoiseSource.Shared shared : source.shared(number)) {
        add(whole, new DiscreteGaussian(pair, shared.random()), shared.adds());
      }
    }
    double[] noised = new double[sum.length];
    for (int j = 0; j < sum.length; j++) {
      noised[j] = whole[j].doubleValue() * step;
    }
    return noised;
  }

  private static void add(BigInteger[] numbers, DiscreteGaussian noise, boolean adds) {
    for (int j = 0; j < numbers.length; j++) {
      BigInteger drawn = noise.sample();
      numbers[j] = adds ? numbers[j].add(drawn) : numbers[j].subtract(drawn);
    }
  }
}
