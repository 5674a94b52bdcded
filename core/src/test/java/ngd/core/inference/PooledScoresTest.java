package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.linalg.QrAccumulator;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.NoEstimate;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.RandomData;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The estimate where Hessians are too large to sum. Oracles: R's glm() on the same rows, Newton's
 * method, and least squares of all rows by rotations.
 */
class PooledScoresTest {
  /** Scores alone, whatever the size. */
  private static PooledFit.Settings scores(double enough, double ridge) {
    return new PooledFit.Settings(enough, PooledFit.Way.SUMS, 100_000, ridge, 0);
  }

  private static Network network(int clients) {
    return Network.of(Topology.parse("complete", clients, Streams.of(3)));
  }

  private static Inference fit(SyntheticSites sites, double ridge) {
    return sites.fit(
        network(sites.shards().clients()), scores(1e-7, ridge), Inference.Options.STANDARD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "gaussian-weights",
        "gaussian-no-intercept",
        "gaussian-offset-weights",
        "logit",
        "probit",
        "poisson-offset",
        "poisson-offset-weights",
        "gamma",
        "negative-binomial"
      })
  void run_everyFamily_isWhatRSays(String name) {
    GlmOracle truth = GlmOracle.of(name);
    Inference found = fit(SyntheticSites.of(name, 0), 0);
    assertThat(found.estimate().byScores()).isTrue();
    assertThat(found.estimate().distance()).isLessThanOrEqualTo(1e-7);
    for (int j = 0; j < truth.coefficients().size(); j++) {
      Coefficient expected = truth.coefficients().get(j);
      Coefficient own = found.coefficients().get(j);
      assertThat(own.estimate())
          .as(expected.term())
          .isCloseTo(expected.estimate(), within(1e-6 * expected.standardError()));
      assertThat(own.standardError()).isNaN();
    }
    assertThat(found.fit().deviance())
        .isCloseTo(truth.fit().get("deviance"), within(1e-9 * truth.fit().get("deviance")));
    assertThat(found.covariance()).isEmpty();
    assertThat(found.withheld().orElseThrow()).contains("the sum of all sites' Hessians");
    assertThat(found.notes())
        .anyMatch(note -> note.startsWith("fitted by L-BFGS on sums of scores alone"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "gaussian-no-intercept", "logit", "poisson-offset-weights"})
  void run_withARidge_isWhatNewtonFinds(String name) {
    SyntheticSites sites = SyntheticSites.of(name, 0);
    Inference newton =
        sites.fit(
            network(24),
            new PooledFit.Settings(1e-8, PooledFit.Way.SUMS, 100_000, 0.1),
            Inference.Options.STANDARD);
    Inference found = fit(sites, 0.1);
    for (int j = 0; j < sites.terms().size(); j++) {
      double expected = newton.coefficients().get(j).estimate();
      assertThat(found.coefficients().get(j).estimate()).isCloseTo(expected, within(1e-7));
    }
    assertThat(found.withheld().orElseThrow()).startsWith("ridge estimates are biased");
  }

  private static Shards wide(int p, int rows, RandomData.Rule rule) {
    return RandomData.shards(5, p, new int[] {rows, rows / 2, rows / 3}, rule);
  }

  private static double[] model(int p) {
    double[] theta = new double[p];
    Arrays.setAll(theta, j -> Math.sqrt(j + 1) % 1 - 0.5);
    return theta;
  }

  private static List<String> terms(int p) {
    List<String> terms = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      terms.add("x" + j);
    }
    return terms;
  }

  private static Inference fit(Glm glm, Shards shards, int p, PooledFit.Settings settings) {
    return SyntheticSites.fit(
        glm, shards, terms(p), network(3), settings, Inference.Options.STANDARD);
  }

  /** As it is without being asked for: one coefficient more than Hessians are summed for. */
  @Test
  void run_moreCoefficientsThanHessiansAreSummedFor_goesByScores() {
    int p = PooledFit.Settings.MOST_CURVED + 1;
    Shards shards = wide(p, 500, RandomData.noisy(model(p)));
    Inference found = fit(new Linear(), shards, p, PooledFit.Settings.STANDARD);
    assertThat(found.estimate().byScores()).isTrue();
    assertThat(found.notes().getFirst()).contains("17 MB from each site at 351 coefficients");
    QrAccumulator all = new QrAccumulator(p + 1);
    double[] row = new double[p];
    for (int m = 0; m < 3; m++) {
      Shard shard = shards.shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        shard.row(i, row);
        double[] both = Arrays.copyOf(row, p + 1);
        both[p] = shard.y(i);
        all.add(both);
      }
    }
    double[] least = all.leastSquares();
    for (int j = 0; j < p; j++) {
      assertThat(found.coefficients().get(j).estimate()).isCloseTo(least[j], within(1e-6));
    }
    int fewer = p - 1;
    assertThat(
            new PooledFit(new Linear(), terms(fewer), List.of(1.0), PooledFit.Settings.STANDARD)
                .byScores())
        .isFalse();
  }

  /** No total is wider than 2p, and all that reaches a site are totals that know no places. */
  @Test
  void run_byScores_sharesSumsOfScoresAlone() {
    int p = 40;
    Shards shards = wide(p, 300, RandomData.labels(model(p)));
    List<OverhearingExchange.Call> calls =
        new Simulation(network(3), new Logistic().over(shards), Streams.of(1), 1)
            .within(
                world -> {
                  OverhearingExchange exchange = OverhearingExchange.in(world, network(3));
                  Inference.of(
                      PooledFit.on(network(3), new Logistic(), terms(p), scores(1e-6, 0))
                          .run(exchange.within(world), FitProgress.NONE),
                      Inference.Options.STANDARD);
                  return exchange.calls();
                });
    assertThat(calls)
        .isNotEmpty()
        .allMatch(call -> call.kind() == OverhearingExchange.Kind.TOTAL)
        .allMatch(call -> call.given().size() <= 2 * p);
    Inference newton = fit(new Logistic(), shards, p, PooledFit.Settings.STANDARD);
    Inference found = fit(new Logistic(), shards, p, scores(1e-7, 0));
    for (int j = 0; j < p; j++) {
      Coefficient expected = newton.coefficients().get(j);
      assertThat(found.coefficients().get(j).estimate())
          .isCloseTo(expected.estimate(), within(1e-5 * expected.standardError()));
    }
  }

  @Test
  void run_separatedOrConstant_isRefusedAsByNewton() {
    Shards separated =
        RandomData.shards(3, 2, new int[] {30, 30, 30}, (client, x, draw) -> x[1] > 0 ? 1 : 0);
    assertThatThrownBy(() -> fit(new Logistic(), separated, 2, scores(1e-6, 0)))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("separat");
    // In the category of the third column the response is always 0.
    double[][] x = new double[60][];
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      boolean rare = i % 10 == 0;
      x[i] = new double[] {1, Math.sin(i), rare ? 1 : 0};
      y[i] = rare ? 0 : i % 3 == 0 ? 1 : 0;
    }
    assertThatThrownBy(() -> one(new Logistic(), x, y))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("separat");
    for (double[] row : x) {
      row[2] = 7;
    }
    assertThatThrownBy(() -> one(new Linear(), x, y))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("`b`");
  }

  private static Inference one(Glm glm, double[][] x, double[] y) {
    return SyntheticSites.fit(
        glm,
        Shards.of(new double[][][] {x}, new double[][] {y}),
        List.of(Table.INTERCEPT, "a", "b"),
        Network.of(new double[][] {{1}}),
        scores(1e-6, 0),
        Inference.Options.STANDARD);
  }

  @Test
  void of_heterogeneityByScores_isRefused() {
    SyntheticSites sites = SyntheticSites.of("gaussian", 0);
    assertThatThrownBy(
            () ->
                sites.fit(
                    network(24),
                    scores(1e-6, 0),
                    new Inference.Options(Covariance.MODEL, 0.95, true)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("heterogeneity: needs sums of Hessians");
  }
}
