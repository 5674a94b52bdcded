package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.NoEstimate;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import ngd.core.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: R's glm(), MASS and sandwich on the same rows (oracles/glm_oracle.R). */
class PooledFitTest {
  private static final PooledFit.Settings EXACT =
      new PooledFit.Settings(1e-7, PooledFit.Way.ROUNDS, 100_000, 0);

  private static Network network(String word, int clients) {
    return Network.of(Topology.parse(word, clients, Streams.of(3)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "gaussian-weights",
        "gaussian-no-intercept",
        "gaussian-offset-weights",
        "gaussian-offset-no-intercept",
        "logit",
        "probit",
        "poisson-offset",
        "poisson-offset-weights",
        "gamma",
        "gamma-weights",
        "negative-binomial"
      })
  void run_everyFamily_isWhatRSays(String name) {
    GlmOracle truth = GlmOracle.of(name);
    Inference found =
        SyntheticSites.of(name, 0).fit(network("regular:3", 24), EXACT, Inference.Options.STANDARD);
    truth.requireCoefficients(found.coefficients(), 1e-6, 1e-6);
    truth.requireTests(found.coefficients());
    Map<String, Double> fit = truth.fit();
    GoodnessOfFit own = found.fit();
    assertThat(own.residualFreedom()).isEqualTo(fit.get("df_residual").longValue());
    assertThat(own.nullFreedom()).isEqualTo(fit.get("df_null").longValue());
    close(own.deviance(), fit.get("deviance"));
    close(own.nullDeviance(), fit.get("null_deviance"));
    if (!name.equals("negative-binomial")) {
      close(own.dispersion(), fit.get("dispersion"));
    }
    close(own.logLikelihood(), fit.get("log_likelihood"));
    close(own.aic(), fit.get("aic"));
    if (!name.contains("no-intercept")) {
      close(own.nullLogLikelihood(), fit.get("null_log_likelihood"));
    }
    if (name.startsWith("gaussian")) {
      close(own.rSquared().orElseThrow(), fit.get("r_squared"));
      close(own.adjustedRSquared().orElseThrow(), fit.get("adjusted_r_squared"));
      assertThat(own.mcFadden()).isEmpty();
    } else {
      assertThat(own.rSquared()).isEmpty();
      assertThat(own.adjustedRSquared()).isEmpty();
      assertThat(own.mcFadden().isPresent()).isEqualTo(!name.startsWith("gamma"));
      own.mcFadden()
          .ifPresent(
              ratio ->
                  close(ratio, 1 - fit.get("log_likelihood") / fit.get("null_log_likelihood")));
    }
  }

  private static void close(double found, double truth) {
    assertThat(found).isCloseTo(truth, within(1e-7 * Math.abs(truth)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "probit", "poisson-offset", "gamma"})
  void covariance_robustAndBySite_isWhatSandwichSays(String name) {
    for (Covariance kind : List.of(Covariance.HC0, Covariance.HC1, Covariance.SITE)) {
      Inference found =
          SyntheticSites.of(name, 0)
              .fit(network("circle:2", 24), EXACT, new Inference.Options(kind, 0.95, false));
      String suffix = kind == Covariance.SITE ? "-site" : kind == Covariance.HC0 ? "-hc0" : "-hc1";
      GlmOracle truth = GlmOracle.of(name + suffix);
      truth.requireCoefficients(found.coefficients(), 1e-6, 1e-5);
      truth.requireTests(found.coefficients());
      boolean bySite = kind == Covariance.SITE;
      assertThat(found.statistic()).isEqualTo(bySite || found.fit().dispersion() != 1 ? "t" : "z");
      if (bySite) {
        assertThat(found.statisticFreedom()).hasValue(23);
        assertThat(found.notes())
            .singleElement()
            .asString()
            .contains("cluster-robust")
            .contains("with 24, fewer than 40");
      } else {
        assertThat(found.notes()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "poisson-offset"})
  void heterogeneity_sitesWithEnoughRows_isTheTestOfAllInteractions(String name) {
    Map<String, Double> truth = GlmOracle.values(name + ".heterogeneity.csv");
    Heterogeneity found =
        SyntheticSites.of(name, 2)
            .fit(network("central", 22), EXACT, new Inference.Options(Covariance.MODEL, 0.9, true))
            .heterogeneity()
            .orElseThrow();
    close(found.statistic(), truth.get("statistic"));
    assertThat(found.freedom()).isEqualTo(truth.get("df"));
    assertThat(found.residualFreedom()).isEqualTo(truth.get("df_residual"));
    assertThat(found.pValue()).isCloseTo(truth.get("p_value"), within(1e-6));
    assertThat(found.form()).isEqualTo("model-based");
    assertThat(found.note().orElseThrow()).contains("--robust");
  }

  /** Oracle: the generalized score test with all its 42 coefficients, in R. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "poisson-offset"})
  void heterogeneity_robust_isTheGeneralizedScoreTest(String name) {
    Map<String, Double> truth = GlmOracle.values(name + "-robust.heterogeneity.csv");
    SyntheticSites sites = SyntheticSites.of(name, 10);
    for (Covariance kind : List.of(Covariance.HC0, Covariance.HC1)) {
      Inference inference =
          sites.fit(network("central", 14), EXACT, new Inference.Options(kind, 0.9, true));
      Heterogeneity found = inference.heterogeneity().orElseThrow();
      double n = sites.shards().totalRows();
      close(found.statistic(), truth.get("statistic") * (kind == Covariance.HC1 ? (n - 3) / n : 1));
      assertThat(found.freedom()).isEqualTo(truth.get("df"));
      assertThat(found.residualFreedom()).isInfinite();
      if (kind == Covariance.HC0) {
        assertThat(found.pValue()).isCloseTo(truth.get("p_value"), within(1e-7));
      }
      assertThat(found.form()).isEqualTo("robust");
      assertThat(inference.notes()).isEmpty();
    }
    assertThatThrownBy(() -> new Inference.Options(Covariance.SITE, 0.9, true))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("heterogeneity: cannot be tested")
        .hasMessageContaining("cluster-robust");
  }

  /** With nothing set, on every kind of network: within the stated share of a standard error. */
  @ParameterizedTest
  @ValueSource(strings = {"central", "circle:1", "regular:2", "complete", "ring:1"})
  void run_anyNetwork_endsWithinTheBiasShare(String network) {
    for (String name : List.of("gaussian", "probit", "poisson-offset-weights", "gamma")) {
      for (PooledFit.Way way : List.of(PooledFit.Way.SUMS, PooledFit.Way.ROUNDS)) {
        Inference found =
            SyntheticSites.of(name, 0)
                .fit(
                    network(network, 24),
                    new PooledFit.Settings(1e-6, way, 100_000, 0),
                    Inference.Options.STANDARD);
        GlmOracle.of(name).requireCoefficients(found.coefficients(), 2e-6, 2e-6);
        assertThat(found.estimate().distance()).isLessThanOrEqualTo(1e-6);
        assertThat(found.estimate().rounds() == 0).isEqualTo(way == PooledFit.Way.SUMS);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "logit", "poisson-offset", "gamma", "negative-binomial"})
  void run_withoutLastSteps_reachesTheSameByRoundsAlone(String name) {
    PooledFit.Settings settings =
        new PooledFit.Settings(0.01, PooledFit.Way.ROUNDS_ALONE, 100_000, 0);
    Inference found =
        SyntheticSites.of(name, 0)
            .fit(network("regular:3", 24), settings, Inference.Options.STANDARD);
    GlmOracle.of(name).requireCoefficients(found.coefficients(), 0.01, 0.002);
    assertThat(found.estimate().steps()).isZero();
    assertThat(found.estimate().distance()).isLessThanOrEqualTo(0.01);
    if (!name.equals("logit") && !name.equals("negative-binomial")) {
      Inference robust =
          SyntheticSites.of(name, 0)
              .fit(
                  network("regular:3", 24),
                  settings,
                  new Inference.Options(Covariance.SITE, 0.95, false));
      GlmOracle.of(name + "-site").requireCoefficients(robust.coefficients(), 0.01, 0.01);
    }
    assertThatThrownBy(
            () ->
                SyntheticSites.of(name, 0)
                    .fit(
                        network("circle:1", 24),
                        new PooledFit.Settings(1e-4, PooledFit.Way.ROUNDS_ALONE, 400, 0),
                        Inference.Options.STANDARD))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("400 rounds left the clients")
        .hasMessageContaining("0.000100 are asked for");
  }

  /** Oracle: the penalised normal equations, here in the columns' own scale. */
  @Test
  void run_ridge_solvesThePenalisedEquationsAndLeavesTheInterceptAlone() {
    SyntheticSites sites = SyntheticSites.of("gaussian", 0);
    Shards shards = sites.shards();
    double n = shards.totalRows();
    double[] sums = new double[8];
    for (int m = 0; m < shards.clients(); m++) {
      for (int i = 0; i < shards.rows(m); i++) {
        double a = shards.shard(m).x(i, 1);
        double b = shards.shard(m).x(i, 2);
        double y = shards.shard(m).y(i);
        double[] terms = {a, b, a * a, a * b, b * b, y, a * y, b * y};
        for (int k = 0; k < 8; k++) {
          sums[k] += terms[k] / n;
        }
      }
    }
    double aa = sums[2] - sums[0] * sums[0];
    double bb = sums[4] - sums[1] * sums[1];
    double ab = sums[3] - sums[0] * sums[1];
    double ay = sums[6] - sums[0] * sums[5];
    double by = sums[7] - sums[1] * sums[5];
    double lambda = 0.7;
    double left = aa * (1 + lambda);
    double right = bb * (1 + lambda);
    double determinant = left * right - ab * ab;
    double first = (ay * right - by * ab) / determinant;
    double second = (by * left - ay * ab) / determinant;
    for (PooledFit.Way way : PooledFit.Way.values()) {
      boolean lastStep = way != PooledFit.Way.ROUNDS_ALONE;
      PooledFit.Settings settings =
          new PooledFit.Settings(lastStep ? 1e-8 : 0.01, way, 100_000, lambda);
      Inference found = sites.fit(network("circle:3", 24), settings, Inference.Options.STANDARD);
      double tolerance = lastStep ? 1e-9 : 1e-3;
      List<Coefficient> lines = found.coefficients();
      assertThat(lines.get(1).estimate()).isCloseTo(first, within(tolerance));
      assertThat(lines.get(2).estimate()).isCloseTo(second, within(tolerance));
      assertThat(lines.get(0).estimate())
          .isCloseTo(sums[5] - first * sums[0] - second * sums[1], within(2 * tolerance));
    }
  }

  /**
   * Oracle: glmnet (oracles/ridge_oracle.R), on its scale. No standard error covers the bias, so
   * none is given.
   */
  @ParameterizedTest
  @CsvSource({
    "gaussian",
    "gaussian-weights",
    "gaussian-no-intercept",
    "logit",
    "logit-no-intercept",
    "poisson-offset",
    "poisson-offset-weights"
  })
  void run_ridge_isWhatGlmnetSaysWithoutStandardErrors(String name) {
    for (String lambda : List.of("0.01", "0.3", "5")) {
      Map<String, Double> truth = GlmOracle.ridge(name + "-" + lambda);
      Inference found =
          SyntheticSites.of(name, 0)
              .fit(
                  network("regular:3", 24),
                  new PooledFit.Settings(
                      1e-6, PooledFit.Way.SUMS, 100_000, Double.parseDouble(lambda)),
                  Inference.Options.STANDARD);
      assertThat(found.coefficients()).hasSameSizeAs(truth.keySet());
      for (Coefficient line : found.coefficients()) {
        assertThat(line.estimate()).isCloseTo(truth.get(line.term()), within(1e-6));
        assertThat(line.standardError()).isNaN();
        assertThat(line.statistic()).isNaN();
        assertThat(line.pValue()).isNaN();
        assertThat(line.low()).isNaN();
        assertThat(line.high()).isNaN();
      }
      assertThat(found.covariance()).isEmpty();
      assertThat(found.withheld().orElseThrow()).contains("biased towards 0");
      assertThat(found.fit().adjustedRSquared()).isEmpty();
    }
  }

  private static Inference one(double[][] x, double[] y, boolean logistic, List<String> terms) {
    Shards shards = Shards.of(new double[][][] {x}, new double[][] {y});
    return SyntheticSites.fit(
        logistic ? new Logistic() : new Linear(),
        shards,
        terms,
        Network.of(new double[][] {{1}}),
        PooledFit.Settings.STANDARD,
        Inference.Options.STANDARD);
  }

  private static final List<String> TERMS = List.of(Table.INTERCEPT, "a", "b");

  @Test
  void run_redundantColumn_isNamedWithThoseItDependsOn() {
    double[][] x = new double[12][];
    double[] y = new double[12];
    for (int i = 0; i < 12; i++) {
      double a = 1e6 + Math.sin(i);
      x[i] = new double[] {1, a, 3 - 2 * a};
      y[i] = i;
    }
    assertThatThrownBy(() -> one(x, y, false, TERMS))
        .isInstanceOf(NoEstimate.class)
        .hasMessage("column `b` is redundant: it equals 3 − 2·a; leave one of these out");
    for (int i = 0; i < 12; i++) {
      x[i][2] = 7;
    }
    assertThatThrownBy(() -> one(x, y, false, TERMS))
        .hasMessageContaining("column `b` is constant and so redundant beside the intercept");
  }

  /** Seconds since 1970 in a span of minutes: ill-conditioned, and yet well determined. */
  @Test
  void run_illConditionedColumns_areFitted() {
    double[][] x = new double[40][];
    double[] y = new double[40];
    for (int i = 0; i < 40; i++) {
      double t = i * 7 % 40;
      x[i] = new double[] {1, 1.7e9 + t, Math.cos(i)};
      y[i] = 0.5 * t - 2 * Math.cos(i) + Math.sin(3 * i);
    }
    Inference found = one(x, y, false, TERMS);
    double[][] centred = x.clone();
    for (int i = 0; i < 40; i++) {
      centred[i] = new double[] {1, x[i][1] - 1.7e9, x[i][2]};
    }
    Inference easy = one(centred, y, false, TERMS);
    for (int j = 1; j < 3; j++) {
      Coefficient hard = found.coefficients().get(j);
      Coefficient own = easy.coefficients().get(j);
      assertThat(hard.estimate()).isCloseTo(own.estimate(), within(1e-3 * own.standardError()));
      assertThat(hard.standardError())
          .isCloseTo(own.standardError(), within(1e-3 * own.standardError()));
    }
  }

  /** What leaves a client of its counts of rows is whether there are any. */
  @Test
  void having_countsOfRows_saysHowManyClientsHaveAny() {
    Shards shards =
        Shards.of(new double[][][] {{{1}}, {{2}}, {{3}}}, new double[][] {{1}, {2}, {3}});
    double[] found =
        new Simulation(
                Network.of(new Topology.Complete(3)), new Linear().over(shards), Streams.of(1), 1)
            .within(world -> Pooled.having(world, m -> new double[] {m, 0, 7 * m * (2 - m)}));
    assertThat(found).containsExactly(2, 0, 1);
  }

  @Test
  void run_separation_namesTheTerm() {
    double[][] x = new double[60][];
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      boolean rare = i % 10 == 0;
      x[i] = new double[] {1, Math.sin(i), rare ? 1 : 0};
      y[i] = rare ? 0 : i % 3 == 0 ? 1 : 0;
    }
    assertThatThrownBy(() -> one(x, y, true, TERMS))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("separation")
        .hasMessageContaining("coefficient of `b` goes to −∞")
        .hasMessageContaining("fits some rows perfectly");
    assertThatThrownBy(() -> one(x, new double[60], true, TERMS))
        .hasMessageContaining("the response is 0 in every row");
  }

  @Test
  void run_perfectFitOrAsManyRowsAsCoefficients_ends() {
    double[][] x = {{1, 0, 2}, {1, 1, 0}, {1, 2, 1}};
    Inference found = one(x, new double[] {1, 5, 2}, false, TERMS);
    assertThat(found.fit().residualFreedom()).isZero();
    assertThat(found.coefficients().get(1).standardError()).isNaN();
    assertThat(found.fit().rSquared().orElseThrow()).isCloseTo(1, within(1e-12));
    assertThat(found.fit().adjustedRSquared().orElseThrow()).isNaN();
    assertThat(found.fit().mcFadden()).isEmpty();
    double[][] more = {{1, 0, 2}, {1, 1, 0}, {1, 2, 1}, {1, 3, 3}, {1, -1, 5}};
    double[] exact = new double[5];
    for (int i = 0; i < 5; i++) {
      exact[i] = 1e3 + 2 * more[i][1] - more[i][2];
    }
    assertThat(one(more, exact, false, TERMS).coefficients().get(1).estimate())
        .isCloseTo(2, within(1e-9));
    assertThatThrownBy(() -> one(new double[][] {{1, 0, 2}}, new double[] {1}, false, TERMS))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("3 coefficients need at least as many rows; got 1");
  }

  @Test
  void inference_whatTheDataCannotGive_isRefusedWithTheReason() {
    SyntheticSites sites = SyntheticSites.of("gaussian", 21);
    assertThatThrownBy(
            () ->
                sites.fit(
                    network("circle:1", 3),
                    EXACT,
                    new Inference.Options(Covariance.SITE, 0.95, false)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("needs more sites than coefficients")
        .hasMessageContaining("got 3 sites and 3 coefficients");
    Shards tiny =
        Shards.of(
            new double[][][] {{{1, 0, 1}, {1, 1, 0}}, {{1, 2, 3}, {1, 5, 1}, {1, 2, 8}, {1, 1, 1}}},
            new double[][] {{1, 2}, {3, 2, 4, 1}});
    assertThatThrownBy(
            () ->
                SyntheticSites.fit(
                    new Linear(),
                    tiny,
                    TERMS,
                    network("circle:1", 2),
                    EXACT,
                    new Inference.Options(Covariance.MODEL, 0.95, true)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("1 of 2 sites have too few");
  }

  /**
   * Many rows: what is left of the loss near its minimum is rounding, and no sum is spent on it. A
   * sum costs every site a message.
   */
  @Test
  void run_manyRowsWithOffsets_takesFewSums() {
    Random random = new Random(20);
    Shards.Filler filler = Shards.sized(2, new int[] {20_000, 10_000});
    for (int m = 0; m < 2; m++) {
      for (int i = 0; i < (m == 0 ? 20_000 : 10_000); i++) {
        double exposure = 0.01 + random.nextDouble();
        double y = random.nextDouble() < 0.15 * exposure ? 1 : 0;
        filler.put(m, i, new double[] {1, random.nextGaussian()}, y, Math.log(exposure), 1);
      }
    }
    Network network = network("complete", 2);
    AtomicInteger sums = new AtomicInteger();
    double[] intercept =
        new Simulation(network, new Poisson().over(filler.done()), Streams.of(1), 1)
            .within(
                (world, _) -> {
                  Totals counted =
                      new Totals() {
                        @Override
                        public double[] total(double[]... perRow) {
                          sums.incrementAndGet();
                          return world.totals().total(perRow);
                        }

                        @Override
                        public double max(double... perRow) {
                          return world.totals().max(perRow);
                        }
                      };
                  return PooledFit.on(
                          network,
                          new Poisson(),
                          List.of(Table.INTERCEPT, "x"),
                          new PooledFit.Settings(1e-7, PooledFit.Way.SUMS, 100, 0))
                      .run(
                          new World(world.rows(), counted, world.course(), world.stages()),
                          FitProgress.NONE)
                      .theta();
                });
    assertThat(intercept[0]).isCloseTo(Math.log(0.15), within(0.1));
    assertThat(sums.get()).isLessThan(60);
  }
}
