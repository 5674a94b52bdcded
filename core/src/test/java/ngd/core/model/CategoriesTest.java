package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.data.Shards;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Losses of classes. Oracle: finite differences, one order down; probabilities by their definition,
 * and in the tails by closed forms.
 */
class CategoriesTest {
  private static final List<String> FOUR = List.of("a", "b", "c", "d");

  @Nested
  class OfMultinomial extends CurvedLossContract {
    @Override
    protected CurvedLoss loss() {
      return new Categories(false, Thresholds.LOGIT, FOUR, List.of("x"));
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return Math.clamp(Math.floor(eta + 4 * draw.nextDouble()), 0, 3);
    }
  }

  /** Rows of an intercept and two columns. */
  private static Shards rows() {
    double[][] x = new double[24][];
    double[] y = new double[24];
    for (int i = 0; i < x.length; i++) {
      x[i] = new double[] {1, Math.sin(i), Math.cos(3 * i)};
      y[i] = i % 4;
    }
    return Shards.of(new double[][][] {x}, new double[][] {y});
  }

  private static double[] slope(Categories loss, Shards rows, double[] at) {
    double[] gradient = new double[at.length];
    loss.gradient(rows.shard(0), at, gradient);
    return gradient;
  }

  private static double[] moved(double[] at, int entry, double by) {
    double[] moved = at.clone();
    moved[entry] += by;
    return moved;
  }

  @ParameterizedTest
  @EnumSource(Thresholds.class)
  void orderedClasses_haveDerivativesOfTheirValue(Thresholds thresholds) {
    Categories loss = new Categories(true, thresholds, FOUR, List.of("(Intercept)", "u", "v"));
    Shards rows = rows();
    double h = 1e-5;
    for (double[] at :
        List.of(
            new double[] {-1, 0.1, 0.9, 0.3, -0.4},
            new double[] {-7, -6.9, 5, 2, 1},
            new double[] {3, 6, 9, -0.2, 0.1},
            new double[] {-9, -8, -7, 0.3, 0.5})) {
      double[] gradient = slope(loss, rows, at);
      double[] hessian = new double[25];
      loss.hessian(rows.shard(0), at, hessian);
      for (int j = 0; j < 5; j++) {
        double quotient =
            (loss.value(rows.shard(0), moved(at, j, h))
                    - loss.value(rows.shard(0), moved(at, j, -h)))
                / (2 * h);
        assertThat(gradient[j]).isCloseTo(quotient, within(1e-6 * (1 + Math.abs(quotient))));
        double[] above = slope(loss, rows, moved(at, j, h));
        double[] below = slope(loss, rows, moved(at, j, -h));
        for (int k = 0; k < 5; k++) {
          double second = (above[k] - below[k]) / (2 * h);
          assertThat(hessian[5 * j + k]).isCloseTo(second, within(1e-5 * (1 + Math.abs(second))));
          assertThat(hessian[5 * j + k]).isEqualTo(hessian[5 * k + j]);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Thresholds.class)
  void probabilities_areDifferencesOfTheDistribution_andSumToOne(Thresholds thresholds) {
    Categories loss = new Categories(true, thresholds, FOUR, List.of("(Intercept)", "u", "v"));
    // An answer has the thresholds last.
    double[] answered = {0.3, -0.4, -1, 0.1, 0.9};
    double[] found = loss.probabilities(answered, new double[] {1, 2, 5}, 0.25);
    double eta = 0.3 * 2 - 0.4 * 5 + 0.25;
    double[] below = {
      0, of(thresholds, -1 - eta), of(thresholds, 0.1 - eta), of(thresholds, 0.9 - eta), 1
    };
    for (int k = 0; k < 4; k++) {
      assertThat(found[k]).isCloseTo(below[k + 1] - below[k], within(1e-14));
    }
    assertThat(Arrays.stream(found).sum()).isCloseTo(1, within(1e-14));
  }

  private static double of(Thresholds thresholds, double u) {
    return switch (thresholds) {
      case LOGIT -> 1 / (1 + Math.exp(-u));
      case PROBIT -> NormalDistribution.of(0, 1).cumulativeProbability(u);
      case CLOGLOG -> 1 - Math.exp(-Math.exp(u));
    };
  }

  /** Minus the log of F(a) − F(b), by closed forms and R's pnorm(log.p = TRUE). */
  @ParameterizedTest
  @CsvSource({
    // e^a − e^b over their sum of ones: far to the left P = e^a (1 − e^−1).
    "LOGIT, -700, -701, 700.45867514538708",
    "LOGIT, 701, 700, 700.45867514538708",
    // P(Z > 30) − P(Z > 31): Mills' ratio of both.
    "PROBIT, -30, -31, 454.32124395634320",
    "PROBIT, 31, 30, 454.32124395634320",
    // exp(−e^3) − exp(−e^4).
    "CLOGLOG, 4, 3, 20.085536923187667",
    // Far to the left P = e^a − e^b.
    "CLOGLOG, -600, -601, 600.45867514538708"
  })
  void tails_loseNoDigits(Thresholds thresholds, double upper, double lower, double expected) {
    Thresholds.Parts parts = new Thresholds.Parts();
    thresholds.at(upper, lower, parts);
    assertThat(parts.loss).isCloseTo(expected, within(1e-12 * expected));
    assertThat(parts.upperTwice).isPositive();
    assertThat(parts.lowerTwice).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Thresholds.class)
  void thresholdsThatCross_haveNoValue(Thresholds thresholds) {
    for (double[] ends : new double[][] {{1, 2}, {-2, -1}, {-1, 2}, {0.5, 0.5}, {-40, 40}}) {
      Thresholds.Parts parts = new Thresholds.Parts();
      thresholds.at(ends[0], ends[1], parts);
      assertThat(Double.isFinite(parts.loss)).as(Arrays.toString(ends)).isFalse();
    }
  }
}
