package ngd.core.privacy;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Exact accounts for Gaussian noise.
 *
 * <p>A mechanism that adds N(0, σ²) to what one row can move by Δ is as hard to tell apart as two
 * normal distributions at distance μ = Δ/σ; k of them together as two at √k μ, however the later
 * ones depend on the earlier (Dong, Roth and Su 2022, corollary 3.3). Such a pair is (ε, δ)-private
 * for exactly
 *
 * <pre>δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)</pre>
 *
 * (Balle and Wang 2018, theorem 8): no bound is lost on the way.
 */
public final class GaussianAccount {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  private GaussianAccount() {}

  /** δ at ε for the distance μ. */
  public static double delta(double mu, double epsilon) {
    if (mu == 0) {
      return 0;
    }
    double above = NORMAL.cumulativeProbability(mu / 2 - epsilon / mu);
    // e^ε Φ(−x) in logarithms: the factor overflows long before the product does.
    double below = Math.exp(epsilon + logCumulative(-mu / 2 - epsilon / mu));
    return Math.max(0, above - below);
  }

  private static double logCumulative(double x) {
    double probability = NORMAL.cumulativeProbability(x);
    if (probability > 0) {
      return Math.log(probability);
    }
    // Far out, Φ(x) = φ(x) / |x| to within 1 / x².
    return -x * x / 2 - Math.log(-x * Math.sqrt(2 * Math.PI));
  }

  /** ε at δ for the distance μ: the smallest that holds. */
  public static double epsilon(double mu, double delta) {
    if (mu == 0 || delta(mu, 0) <= delta) {
      return 0;
    }
    return Threshold.above(0, 1, epsilon -> delta(mu, epsilon) > delta).above();
  }

  /** The largest μ that (ε, δ) allows: all that may be spent. */
  public static double budget(double epsilon, double delta) {
    return Threshold.above(0, 1, mu -> delta(mu, epsilon) <= delta).below();
  }

  /** μ of {@code times} mechanisms, each with noise of σ = {@code multiplier} · Δ. */
  public static double composed(long times, double multiplier) {
    return Math.sqrt((double) times) / multiplier;
  }
}
