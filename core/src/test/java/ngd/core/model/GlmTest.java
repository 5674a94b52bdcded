package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlmTest {
  private static final Shard SHARD =
      Shards.of(
              new double[][][] {{{1, 0.5, -2}, {1, 2, 0.1}, {1, -1, 1}, {1, 0, 3}, {1, 1, 1}}},
              new double[][] {{1, 0, 1, 0, 1}})
          .shard(0);

  /** Oracle: central differences of the value, and of the gradient. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "binomial", "poisson"})
  void gradientAndHessian_anyFamily_areTheDerivatives(String family) {
    Glm glm = Families.parse(family);
    double[] theta = {0.3, -0.7, 0.4};
    double[] gradient = new double[3];
    double[] hessian = new double[9];
    glm.gradient(SHARD, theta, gradient);
    glm.hessian(SHARD, theta, hessian);
    double h = 1e-5;
    for (int j = 0; j < 3; j++) {
      double[] up = theta.clone();
      double[] down = theta.clone();
      up[j] += h;
      down[j] -= h;
      double slope = (glm.value(SHARD, up) - glm.value(SHARD, down)) / (2 * h);
      assertThat(gradient[j]).isCloseTo(slope, within(1e-8));
      double[] above = new double[3];
      double[] below = new double[3];
      glm.gradient(SHARD, up, above);
      glm.gradient(SHARD, down, below);
      for (int k = 0; k < 3; k++) {
        assertThat(hessian[j * 3 + k]).isCloseTo((above[k] - below[k]) / (2 * h), within(1e-8));
      }
    }
  }

  /** Oracle: the formulas as the paper writes them, safe at moderate predictors. */
  @Seeds(200)
  void rowLoss_moderatePredictor_isTheTextbookFormula(RandomInput input) {
    double eta = input.between(-20.0, 20.0);
    double success = 1 / (1 + Math.exp(-eta));
    Logistic logistic = new Logistic();
    assertThat(logistic.mean(eta)).isCloseTo(success, within(1e-15));
    assertThat(logistic.information(eta)).isCloseTo(success * (1 - success), within(1e-15));
    assertThat(logistic.rowLoss(eta, 1)).isCloseTo(Math.log(1 + Math.exp(-eta)), within(1e-14));
    assertThat(logistic.rowLoss(eta, 0)).isCloseTo(Math.log(1 + Math.exp(eta)), within(1e-14));
    assertThat(new Poisson().rowLoss(eta, 3)).isEqualTo(Math.exp(eta) - 3 * eta);
    assertThat(new Linear().rowLoss(eta, 3)).isEqualTo(0.5 * (eta - 3) * (eta - 3));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1e300, -1e5, -746, -40, 0, 40, 500, 501, 710, 1e5, 1e300})
  void everything_anyFinitePredictor_isFinite(double eta) {
    for (Glm glm : List.of(new Logistic(), new Poisson())) {
      for (double y : new double[] {0, 1}) {
        assertThat(glm.mean(eta)).isFinite().isNotNegative();
        assertThat(glm.information(eta)).isFinite().isNotNegative();
        assertThat(glm.rowLoss(eta, y)).isNotNaN();
      }
    }
    assertThat(new Logistic().rowLoss(eta, 1)).isFinite();
    assertThat(new Poisson().rowLoss(Math.min(eta, 1e80), 1)).isFinite();
  }

  /** The loss beyond the cap continues along its tangent: no jump, and a slope of exp(500) − y. */
  @Test
  void rowLoss_poissonBeyondTheCap_isTheTangent() {
    Poisson poisson = new Poisson();
    double top = Math.exp(500);
    assertThat(poisson.rowLoss(503, 2) - poisson.rowLoss(500, 2))
        .isCloseTo(3 * top, within(1e-12 * top));
    assertThat(poisson.mean(503)).isEqualTo(top);
  }

  @Test
  void requireResponses_labelsAndCounts_nameTheRowAndTheValue() {
    Table table = Table.of("y", new double[] {0, 1, 2}, List.of("x"), new double[][] {{1, 2, 3}});
    new Poisson().requireResponses(table);
    new Linear().requireResponses(table);
    assertThatThrownBy(() -> new Logistic().requireResponses(table))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "table, row 2, column `y`: labels of the binomial family must be 0 or 1; got 2");
    Table negative = Table.of("n", new double[] {0, -1}, List.of("x"), new double[][] {{1, 2}});
    assertThatThrownBy(() -> new Poisson().requireResponses(negative))
        .hasMessage(
            "table, row 1, column `n`: counts of the poisson family must not be negative; got -1");
    Table half = Table.of("n", new double[] {0, 1.5}, List.of("x"), new double[][] {{1, 2}});
    assertThatThrownBy(() -> new Poisson().requireResponses(half))
        .hasMessageContaining("must be whole numbers; got 1.5");
  }

  @Test
  void parse_words_giveTheModelOrSayWhatIsAllowed() {
    assertThat(Families.parse("negative-binomial:2.5")).isEqualTo(new NegativeBinomial(2.5));
    assertThat(Families.parse("negative-binomial", Optional.empty(), OptionalDouble.of(2)))
        .isEqualTo(new NegativeBinomial(2));
    assertThat(Families.parse("binomial", Optional.of("probit"), OptionalDouble.empty()))
        .isEqualTo(new Probit());
    assertThat(Families.parse("gamma", Optional.of("log"), OptionalDouble.empty()))
        .isEqualTo(new Gamma());
    assertThatThrownBy(() -> Families.parse("binomal"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("gaussian, binomial, poisson, gamma, negative-binomial:THETA")
        .hasMessageContaining("did you mean `binomial`?");
    assertThat(Families.parse("negative-binomial")).isEqualTo(NegativeBinomial.estimated(1));
    assertThatThrownBy(
            () -> Families.parse("negative-binomial:2", Optional.empty(), OptionalDouble.of(2)))
        .hasMessageContaining("needs its dispersion theta")
        .hasMessageContaining("once");
    assertThatThrownBy(() -> Families.parse("tweedie")).hasMessageContaining("such as tweedie:1.5");
    assertThatThrownBy(() -> Families.parse("tweedie:0.5"))
        .hasMessageContaining("must be a number of at least 1, such as 1.5; got 0.5");
    assertThatThrownBy(() -> Families.parse("gamma:2")).hasMessageContaining("must be one of");
    assertThatThrownBy(() -> Families.parse("negative-binomial:x"))
        .hasMessageContaining("must be a number; got `negative-binomial:x`");
    assertThatThrownBy(() -> Families.parse("negative-binomial:-1"))
        .hasMessageContaining("must be a positive number; got -1.0");
    assertThatThrownBy(
            () -> Families.parse("poisson", Optional.of("probit"), OptionalDouble.empty()))
        .hasMessage("link: of the poisson family must be one of log, identity, sqrt; got `probit`");
    assertThatThrownBy(
            () -> Families.parse("binomial", Optional.of("cloglo"), OptionalDouble.empty()))
        .hasMessage(
            "link: of the binomial family must be one of logit, probit, cloglog, cauchit, log; got `cloglo`; did you mean `cloglog`?");
    assertThatThrownBy(() -> Families.parse("gamma", Optional.empty(), OptionalDouble.of(1)))
        .hasMessageContaining("only with the negative-binomial family");
  }
}
