package ngd.core.inference;

/**
 * The distribution of |Z| / √∫B², Z standard normal and B an independent Brownian bridge on [0, 1]:
 * what an average is away from its target, in units of its random scale (Abadir and Paruolo 1997).
 *
 * <p>∫B² has the Laplace transform E exp(−s ∫B²) = (x / sinh x)^½ with x = √(2s), and Craig's form
 * of the normal tail, P(|Z| &gt; z) = (2/π) ∫ exp(−z² / 2cos²φ) dφ over [0, π/2], turns the mean
 * over ∫B² into P(|Z| &gt; c √∫B²) = (2/π) ∫ (x / sinh x)^½ dφ with x = c / cos φ.
 */
final class RandomScalingLaw {
  /** Midpoints of the integral, whose integrand is smooth and periodic: more change no digit. */
  private static final int POINTS = 256;

  private static final double LARGEST = 1e6;

  private RandomScalingLaw() {}

  /** P(|Z| &gt; c √∫B²). */
  static double beyond(double c) {
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
      double x = c / Math.cos((i + 0.5) * Math.PI / 2 / POINTS);
      // sinh x = eˣ (1 − e⁻²ˣ) / 2, of which eˣ may overflow.
      sum += x == 0 ? 1 : Math.exp((Math.log(2 * x) - x - Math.log1p(-Math.exp(-2 * x))) / 2);
    }
    return sum / POINTS;
  }

  /** The c beyond which it is with this probability, by bisection. */
  static double critical(double beyond) {
    double low = 0;
    double high = 1;
    while (beyond(high) > beyond && high < LARGEST) {
      low = high;
      high *= 2;
    }
    double middle = (low + high) / 2;
    while (low < middle && middle < high) {
      if (beyond(middle) > beyond) {
        low = middle;
      } else {
        high = middle;
      }
      middle = (low + high) / 2;
    }
    return middle;
  }
}
