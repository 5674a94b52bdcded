package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every family with every link. Oracles: difference quotients of the loss; the sum over labels and
 * counts of what is expected; the definition of deviance.
 */
class LinkedGlmTest {
  static Stream<Glm> models() {
    List<Glm> models = new ArrayList<>();
    for (Families.Family family : Families.ALL) {
      String name =
          switch (family.name()) {
            case "tweedie" -> "tweedie:1.4";
            case "negative-binomial" -> "negative-binomial:1.7";
            default -> family.name();
          };
      for (String link : family.links()) {
        models.add(Families.parse(name, Optional.of(link), OptionalDouble.empty()));
      }
    }
    models.add(Families.parse("tweedie:1"));
    models.add(Families.parse("tweedie:2"));
    models.add(Families.parse("tweedie:3.5"));
    return models.stream();
  }

  /** Predictors that have a mean under every family with this link. */
  private static double[] predictors(Glm glm) {
    boolean labels = glm.family().endsWith("binomial") && !glm.family().startsWith("neg");
    return labels && glm.link().equals("log")
        ? new double[] {-3, -1, -0.2}
        : glm.everywhere() ? new double[] {-2, -0.3, 0.2, 1.5} : new double[] {0.2, 0.9, 2};
  }

  private static double[] responses(Glm glm) {
    return switch (glm.family()) {
      case "binomial", "quasi-binomial" -> new double[] {0, 1, 0.25};
      case "gamma", "inverse-gaussian" -> new double[] {0.3, 1, 4};
      default -> glm.objection(0, 1).isEmpty() ? new double[] {0, 1, 4} : new double[] {0.3, 2};
    };
  }

  @ParameterizedTest
  @MethodSource("models")
  void scoreAndCurvature_possiblePredictors_areTheDerivativesOfTheLoss(Glm glm) {
    double h = 1e-5;
    for (double eta : predictors(glm)) {
      assertThat(glm.predictor(glm.mean(eta))).isCloseTo(eta, within(1e-12));
      double expected = (glm.information(eta + h) - glm.information(eta - h)) / (2 * h);
      assertThat(glm.informationSlope(eta))
          .isCloseTo(expected, within(1e-6 * (1 + Math.abs(expected))));
      for (double y : responses(glm)) {
        double slope = (glm.rowLoss(eta + h, y) - glm.rowLoss(eta - h, y)) / (2 * h);
        double bend = (glm.score(eta + h, y) - glm.score(eta - h, y)) / (2 * h);
        assertThat(glm.score(eta, y)).isCloseTo(slope, within(1e-6 * (1 + Math.abs(slope))));
        assertThat(glm.curvature(eta, y)).isCloseTo(bend, within(1e-6 * (1 + Math.abs(bend))));
        // Half the deviance is the integral of (μ − y) / V(μ) from y to μ, by Simpson's rule.
        double from = Math.max(y, 1e-9);
        double to = glm.mean(eta);
        int steps = 20_000;
        double sum = 0;
        for (int i = 0; y > 0 && y < 1 && i <= steps; i++) {
          double mean = from + (to - from) * i / steps;
          double part = (mean - y) / glm.variance(mean);
          sum += part * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
        }
        if (y > 0 && y < 1) {
          double half = sum * (to - from) / steps / 3;
          assertThat(glm.rowLoss(eta, y) - glm.least(y)).isCloseTo(half, within(1e-8 * (1 + half)));
        }
      }
    }
  }

  /** Oracle: the sum over what labels and counts may be. */
  @ParameterizedTest
  @MethodSource("models")
  void information_labelsAndCounts_isTheExpectedCurvature(Glm glm) {
    if (glm.dispersed()) {
      return;
    }
    int last = glm.family().equals("binomial") ? 1 : 400;
    for (double eta : predictors(glm)) {
      double all = 0;
      double mean = 0;
      double bend = 0;
      double squares = 0;
      for (int y = 0; y <= last; y++) {
        double chance = Math.exp(-glm.rowLoss(eta, y) - glm.rest(y, 1));
        all += chance;
        mean += chance * y;
        bend += chance * glm.curvature(eta, y);
        squares += chance * glm.score(eta, y) * glm.score(eta, y);
      }
      assertThat(all).isCloseTo(1, within(1e-9));
      assertThat(glm.mean(eta)).isCloseTo(mean, within(1e-9));
      assertThat(glm.information(eta)).isCloseTo(bend, within(1e-7));
      assertThat(glm.information(eta)).isCloseTo(squares, within(1e-7));
    }
  }

  /** Of links that take any predictor, nothing is lost in the tails. */
  @ParameterizedTest
  @ValueSource(doubles = {-1e5, -746, -40, 0, 3, 9, 40, 1e5})
  void everything_tailsOfLabels_isANumber(double eta) {
    for (String link : List.of("cloglog", "cauchit")) {
      Glm glm = Families.parse("binomial", Optional.of(link), OptionalDouble.empty());
      for (double y : new double[] {0, 1}) {
        assertThat(glm.rowLoss(eta, y)).isFinite().isNotNegative();
        assertThat(glm.score(eta, y)).isFinite();
        assertThat(glm.curvature(eta, y)).isFinite();
        assertThat(glm.information(eta)).isFinite().isNotNegative();
      }
    }
  }

  /** Oracle: the limits of 1/η, 1/√η and η² at the end of the predictors that have a mean. */
  @Test
  void end_beyondPredictorsWithAMean_isTheLimitThere() {
    Glm inverse = Families.parse("gamma", Optional.of("inverse"), OptionalDouble.empty());
    assertThat(inverse.end(0.5, 1)).isEqualTo(2);
    assertThat(inverse.end(-0.5, 1)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(inverse.end(0.5, -1)).isEqualTo(Double.NEGATIVE_INFINITY);
    Glm square = Families.parse("inverse-gaussian", Optional.of("1/mu^2"), OptionalDouble.empty());
    assertThat(square.end(0.25, 1)).isEqualTo(2);
    assertThat(square.end(-1, 1)).isEqualTo(Double.POSITIVE_INFINITY);
    Glm root = Families.parse("quasi-poisson", Optional.of("sqrt"), OptionalDouble.empty());
    assertThat(root.end(3, 1)).isEqualTo(9);
    assertThat(root.end(-3, 1)).isZero();
    assertThat(Families.parse("poisson").end(-3, 1)).isEqualTo(Math.exp(-3));
  }

  @Test
  void rowLoss_predictorWithoutAMean_isInfinite() {
    for (String[] pair :
        List.of(
            new String[] {"gamma", "identity"},
            new String[] {"poisson", "sqrt"},
            new String[] {"inverse-gaussian", "1/mu^2"})) {
      Glm glm = Families.parse(pair[0], Optional.of(pair[1]), OptionalDouble.empty());
      assertThat(glm.everywhere()).isFalse();
      assertThat(glm.rowLoss(-1, 2)).isInfinite();
      assertThat(glm.rowLoss(0, 2)).isInfinite();
    }
  }
}
