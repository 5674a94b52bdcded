package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oracle is the definition of δ(ε), integrated, and the defining sums of the noise. */
class GaussianAccountTest {
  /** δ(ε) = ∫ max(0, p(x) − e^ε q(x)) dx for p = N(μ, 1), q = N(0, 1), by the trapezoidal rule. */
  private static double integrated(double mu, double epsilon) {
    double sum = 0;
    double step = 1e-4;
    for (double x = -12; x < 12 + mu; x += step) {
      double p = Math.exp(-(x - mu) * (x - mu) / 2);
      double q = Math.exp(epsilon - x * x / 2);
      sum += Math.max(0, p - q) * step;
    }
    return sum / Math.sqrt(2 * Math.PI);
  }

  @ParameterizedTest
  @CsvSource({"0.1,0.1", "0.5,1", "1,0", "1,1", "2,3", "3,0.5", "0.7,4"})
  void delta_ofADistance_isTheIntegralThatDefinesIt(double mu, double epsilon) {
    assertThat(GaussianAccount.delta(mu, epsilon)).isCloseTo(integrated(mu, epsilon), within(1e-8));
  }

  @ParameterizedTest
  @CsvSource({"1,1e-6", "0.1,1e-5", "8,1e-9", "30,1e-6", "700,1e-10"})
  void budget_ofEpsilonAndDelta_isSpentExactly(double epsilon, double delta) {
    double mu = GaussianAccount.budget(epsilon, delta);
    assertThat(GaussianAccount.delta(mu, epsilon) / delta).isCloseTo(1, within(1e-6));
    assertThat(GaussianAccount.epsilon(mu, delta)).isCloseTo(epsilon, within(1e-6 * epsilon));
  }

  /** k steps of noise multiplier √k z are one of z: the likelihood ratio adds up. */
  @Test
  void composed_manySteps_isTheDistanceOfTheirLikelihoodRatios() {
    assertThat(GaussianAccount.composed(400, 20)).isEqualTo(1);
    assertThat(GaussianAccount.delta(GaussianAccount.composed(100, 5), 1.5))
        .isCloseTo(integrated(2, 1.5), within(1e-8));
  }

  /** χ² of 40,000 draws against exp(−x²/2σ²) / Σ, the defining probabilities. */
  @Test
  void sample_smallSigma_hasTheDefiningProbabilities() {
    int sigma = 3;
    int draws = 40_000;
    DiscreteGaussian noise =
        new DiscreteGaussian(sigma, Streams.of(3).stream(Streams.Purpose.NOISE));
    Map<Integer, Integer> counts = new HashMap<>();
    for (int i = 0; i < draws; i++) {
      counts.merge(noise.sample().intValueExact(), 1, Integer::sum);
    }
    double all = 0;
    for (int x = -60; x <= 60; x++) {
      all += Math.exp(-x * x / (2.0 * sigma * sigma));
    }
    double chi2 = 0;
    int cells = 0;
    double tail = draws;
    int seenInside = 0;
    for (int x = -8; x <= 8; x++) {
      double expected = draws * Math.exp(-x * x / (2.0 * sigma * sigma)) / all;
      int seen = counts.getOrDefault(x, 0);
      chi2 += (seen - expected) * (seen - expected) / expected;
      cells++;
      tail -= expected;
      seenInside += seen;
    }
    double beyond = draws - seenInside;
    chi2 += (beyond - tail) * (beyond - tail) / tail;
    // Fails by chance once in a million runs: 17 degrees of freedom.
    assertThat(cells).isEqualTo(17);
    assertThat(chi2).isLessThan(61);
  }

  /** At the size in use it is the normal distribution: Kolmogorov's distance of 4,000 draws. */
  @Test
  void sample_largeSigma_isNormal() {
    long sigma = 1L << 22;
    int draws = 4000;
    DiscreteGaussian noise =
        new DiscreteGaussian(sigma, Streams.of(3).stream(Streams.Purpose.NOISE));
    double[] drawn = new double[draws];
    for (int i = 0; i < draws; i++) {
      drawn[i] = noise.sample().doubleValue() / sigma;
    }
    java.util.Arrays.sort(drawn);
    var normal = org.apache.commons.statistics.distribution.NormalDistribution.of(0, 1);
    double apart = 0;
    for (int i = 0; i < draws; i++) {
      double probability = normal.cumulativeProbability(drawn[i]);
      apart =
          Math.max(
              apart, Math.max(probability - (double) i / draws, (i + 1.0) / draws - probability));
    }
    // 2 exp(−2 n d²) = 1e−6.
    assertThat(apart).isLessThan(Math.sqrt(Math.log(2e6) / (2.0 * draws)));
    assertThat(BigInteger.valueOf(sigma)).isPositive();
  }
}
