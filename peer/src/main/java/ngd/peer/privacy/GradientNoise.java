package ngd.peer.privacy;

import java.math.BigInteger;
import java.security.SecureRandom;

/**
 * Noise for sums of clipped vectors.
 *
 * <p>Neighbouring data replace one row by another, so that the sum of vectors of norm at most C
 * moves by at most 2C. Sums are rounded to a grid of 2C / 2^20 and get whole numbers of it as
 * noise, drawn exactly; the noise is that much larger which rounding adds to what a row can move.
 */
final class GradientNoise {
  private static final double GRID = 0x1p-20;

  private final double clip;
  private final double step;
  private final DiscreteGaussian noise;

  /**
   * @param multiplier σ in units of what one row can move
   */
  GradientNoise(double clip, double multiplier, int parameters, SecureRandom random) {
    this.clip = clip;
    step = 2 * clip * GRID;
    // Rounding moves every coordinate by at most half a step, at both ends; one more for doubles.
    double moves = 1 / GRID + Math.sqrt(parameters) + 1;
    noise = new DiscreteGaussian((long) Math.ceil(multiplier * moves), random);
  }

  /** Shortens a vector that is longer than the clip, in place. */
  void clip(double[] vector) {
    double square = 0;
    for (double entry : vector) {
      square = Math.fma(entry, entry, square);
    }
    double norm = Math.sqrt(square);
    if (!(norm <= clip)) {
      // A row whose gradient is no number says nothing.
      double scale = norm < Double.POSITIVE_INFINITY ? clip / norm : 0;
      for (int j = 0; j < vector.length; j++) {
        vector[j] = scale == 0 ? 0 : vector[j] * scale;
      }
    }
  }

  /** The sum on the grid, with noise. */
  double[] noised(double[] sum) {
    double[] noised = new double[sum.length];
    for (int j = 0; j < sum.length; j++) {
      BigInteger drawn = noise.sample();
      noised[j] = drawn.add(BigInteger.valueOf(Math.round(sum[j] / step))).doubleValue() * step;
    }
    return noised;
  }
}
