package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Families;
import ngd.core.model.NoEstimate;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calibration, area under the curve and residuals, from totals alone. Oracle: R, from the rows one
 * by one ({@code oracles/reading_oracle.R}).
 */
class DiagnosticsTest {
  /** Of clients that are no sites, so that every row is counted where it is. */
  private static Diagnostics of(SyntheticSites sites) {
    return of(sites, 1);
  }

  private static Diagnostics of(SyntheticSites sites, int fewest) {
    return sites.then(
        PooledFit.Settings.STANDARD,
        Inference.Options.STANDARD,
        found -> Diagnostics.of(found, fewest));
  }

  @ParameterizedTest
  @ValueSource(strings = {"logit", "probit", "logit-weights"})
  void discrimination_fromGroups_isWithinItsBoundOfTheRankStatistic(String name) {
    Map<String, Double> truth = GlmOracle.readingValues(name + ".auc");
    Diagnostics found = of(SyntheticSites.of(name, 0));
    Discrimination area = found.discrimination().orElseThrow();
    double auc = truth.get("auc");
    assertThat(area.within()).isBetween(1e-4, 0.02);
    assertThat(area.auc()).isCloseTo(auc, within(area.within()));
    assertThat(area.auc()).isCloseTo(auc, within(2e-3));
    assertThat(found.brier().orElseThrow()).isCloseTo(truth.get("brier"), within(1e-7));
    assertThat(found.residuals()).isEmpty();
    assertThat(area.curve().getFirst()).isEqualTo(new Discrimination.Point(0, 0));
    assertThat(area.curve().getLast()).isEqualTo(new Discrimination.Point(1, 1));
    if (name.contains("weights")) {
      assertThat(area.standardError()).isEmpty();
    } else {
      double error = truth.get("std_error");
      assertThat(area.standardError().orElseThrow()).isCloseTo(error, within(0.02 * error));
      assertThat(area.high().orElseThrow()).isCloseTo(auc + 1.96 * error, within(3e-3));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "logit", "probit", "poisson", "gamma", "negative"})
  void calibration_everyFamily_hasTheMeansOfTheRowsBetweenItsLimits(String name) {
    List<NamedCsvRecord> rows = GlmOracle.reading(name + ".fitted");
    List<PredictionGroup> groups = of(SyntheticSites.of(name, 0)).calibration();
    assertThat(groups).hasSizeBetween(8, 10);
    for (PredictionGroup group : groups) {
      List<NamedCsvRecord> own =
          rows.stream()
              .filter(
                  row -> {
                    double fitted = GlmOracle.number(row, "fitted");
                    return fitted >= group.from() && fitted < group.to();
                  })
              .toList();
      assertThat(group.rows()).isEqualTo(own.size()).isBetween(48L, 100L);
      assertThat(group.predicted()).isCloseTo(mean(own, "fitted"), within(1e-6));
      assertThat(group.observed()).isCloseTo(mean(own, "y"), within(1e-9));
    }
    assertThat(groups.stream().mapToLong(PredictionGroup::rows).sum()).isEqualTo(rows.size());
  }

  private static double mean(List<NamedCsvRecord> rows, String field) {
    return rows.stream().mapToDouble(row -> GlmOracle.number(row, field)).average().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "poisson", "gamma", "negative"})
  void residuals_everyFamily_haveTheMomentsAndQuantilesOfR(String name) {
    Map<String, Double> truth = GlmOracle.readingValues(name + ".residuals");
    ResidualSummary found = of(SyntheticSites.of(name, 0)).residuals().orElseThrow();
    assertThat(found.mean()).isCloseTo(truth.get("mean"), within(1e-6));
    assertThat(found.deviation()).isCloseTo(truth.get("deviation"), within(1e-6));
    assertThat(found.skewness()).isCloseTo(truth.get("skewness"), within(1e-5));
    assertThat(found.kurtosis()).isCloseTo(truth.get("kurtosis"), within(1e-5));
    assertThat(found.quantiles()).hasSize(5);
    for (ResidualSummary.Quantile quantile : found.quantiles()) {
      assertThat(quantile.value())
          .isCloseTo(truth.get("q" + Math.round(100 * quantile.share())), within(found.within()));
    }
    assertThat(found.within()).isLessThan(0.05 * found.deviation());
  }

  /** Sites that count none or three rows of a kind are a little off, and know how much. */
  @ParameterizedTest
  @ValueSource(strings = {"logit", "probit", "logit-weights"})
  void discrimination_sitesWithRules_isWithinItsBound(String name) {
    double auc = GlmOracle.readingValues(name + ".auc").get("auc");
    Diagnostics found = of(SyntheticSites.of(name, 0), SmallCells.MINIMUM);
    Discrimination area = found.discrimination().orElseThrow();
    assertThat(area.auc()).isCloseTo(auc, within(area.within()));
    assertThat(area.auc()).isCloseTo(auc, within(0.02));
    List<NamedCsvRecord> rows = GlmOracle.reading("logit.fitted");
    // A site's one or two rows of a kind are left out, and rows of weight 0 count nowhere.
    assertThat(found.calibration().stream().mapToLong(PredictionGroup::rows).sum())
        .isBetween(Math.round(0.8 * rows.size()), (long) rows.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "poisson", "gamma", "negative"})
  void residuals_sitesWithRules_haveQuantilesWithinTheirBound(String name) {
    Map<String, Double> truth = GlmOracle.readingValues(name + ".residuals");
    ResidualSummary found =
        of(SyntheticSites.of(name, 0), SmallCells.MINIMUM).residuals().orElseThrow();
    assertThat(found.quantiles()).isNotEmpty();
    for (ResidualSummary.Quantile quantile : found.quantiles()) {
      double wanted = truth.get("q" + Math.round(100 * quantile.share()));
      assertThat(quantile.value()).isCloseTo(wanted, within(found.within()));
      assertThat(quantile.value()).isCloseTo(wanted, within(0.1 * found.deviation()));
    }
  }

  /** Rows of each kind that all sites see counted, on the grid and then in groups. */
  private static List<Double> countsSeen(SyntheticSites sites, int fewest) {
    Network network = Network.of(Topology.parse("central", 3, Streams.of(1)));
    List<OverhearingExchange.Call> calls =
        new Simulation(network, sites.glm().over(sites.shards()), Streams.of(1), 1)
            .within(
                world -> {
                  OverhearingExchange exchange = OverhearingExchange.in(world, network);
                  PooledEstimate estimate =
                      PooledFit.on(network, sites.glm(), sites.terms(), PooledFit.Settings.STANDARD)
                          .run(exchange.within(world), FitProgress.NONE);
                  var _ =
                      Diagnostics.of(Inference.of(estimate, Inference.Options.STANDARD), fewest);
                  return exchange.calls();
                });
    List<Double> onGrid = calls.get(calls.size() - 2).seen();
    List<Double> counts = new ArrayList<>(onGrid.subList(0, onGrid.size() - 2));
    List<Double> groups = calls.getLast().seen();
    for (int at = 0; at < groups.size(); at += 5) {
      counts.addAll(
          List.of(groups.get(at), groups.get(at + 1), groups.get(at) - groups.get(at + 1)));
    }
    return counts;
  }

  /**
   * Held against the same sites without rules, whose counts of one and two are there to be seen.
   */
  @Test
  void of_sitesWithRules_countsNoneOrThreeRowsOfAKind() {
    SplittableRandom random = new SplittableRandom(23);
    int small = 0;
    int skipped = 0;
    for (int attempt = 0; attempt < 25; attempt++) {
      SyntheticSites sites = rare(random);
      try {
        small +=
            (int) countsSeen(sites, 1).stream().filter(count -> count > 0 && count < 3).count();
        assertThat(countsSeen(sites, SmallCells.MINIMUM))
            .allMatch(count -> count == 0 || count >= 3);
      } catch (NoEstimate separated) {
        skipped++;
      }
    }
    assertThat(skipped).as("separated").isLessThan(25);
    assertThat(small).as("without rules").isGreaterThan(100);
  }

  /** Sites of a rare response and a covariate that takes few values. */
  private static SyntheticSites rare(SplittableRandom random) {
    int[] sizes = {5 + random.nextInt(40), 5 + random.nextInt(80), 5 + random.nextInt(160)};
    Shards.Filler filler = Shards.sized(2, sizes);
    double chance = 0.02 + 0.3 * random.nextDouble();
    for (int m = 0; m < sizes.length; m++) {
      for (int i = 0; i < sizes[m]; i++) {
        double x = random.nextInt(1 + random.nextInt(30));
        double y = random.nextDouble() < chance * (1 + x / 40) ? 1 : 0;
        filler.put(m, i, new double[] {1, x}, y, 0, 1);
      }
    }
    return new SyntheticSites(
        Families.parse("binomial"), filler.done(), List.of(Table.INTERCEPT, "x"));
  }

  @Test
  void groups_rareResponses_tellNoCountOfOneOrTwo() {
    SplittableRandom random = new SplittableRandom(20);
    int told = 0;
    for (int attempt = 0; attempt < 60; attempt++) {
      SyntheticSites sites = rare(random);
      Diagnostics found;
      try {
        found = of(sites);
      } catch (NoEstimate separated) {
        continue;
      }
      List<Double> counts = new ArrayList<>();
      double ones = 0;
      double rows = 0;
      for (PredictionGroup group : found.calibration()) {
        double events = group.observed() * group.rows();
        counts.addAll(List.of((double) group.rows(), events, group.rows() - events));
        ones += events;
        rows += group.rows();
      }
      if (found.discrimination().isPresent()) {
        told++;
        List<Discrimination.Point> curve = found.discrimination().get().curve();
        for (int i = 1; i < curve.size(); i++) {
          counts.add((curve.get(i).truePositive() - curve.get(i - 1).truePositive()) * ones);
          counts.add(
              (curve.get(i).falsePositive() - curve.get(i - 1).falsePositive()) * (rows - ones));
        }
      }
      assertThat(counts)
          .as("attempt %d", attempt)
          .allMatch(count -> Math.abs(count) < 1e-6 || count > 3 - 1e-6);
    }
    assertThat(told).isGreaterThan(20);
  }

  /** What all sites see of responses is of ten rows or more, before anything is joined. */
  @Test
  void of_rareResponses_sharesSumsOfTenRowsOrMore() {
    SplittableRandom random = new SplittableRandom(21);
    int groups = 0;
    for (int attempt = 0; attempt < 25; attempt++) {
      SyntheticSites sites = rare(random);
      Network network = Network.of(Topology.parse("central", 3, Streams.of(1)));
      List<OverhearingExchange.Call> calls;
      try {
        calls =
            new Simulation(network, sites.glm().over(sites.shards()), Streams.of(1), 1)
                .within(
                    world -> {
                      OverhearingExchange exchange = OverhearingExchange.in(world, network);
                      PooledEstimate estimate =
                          PooledFit.on(
                                  network, sites.glm(), sites.terms(), PooledFit.Settings.STANDARD)
                              .run(exchange.within(world), FitProgress.NONE);
                      var _ =
                          Diagnostics.of(
                              Inference.of(estimate, Inference.Options.STANDARD),
                              SmallCells.MINIMUM);
                      return exchange.calls();
                    });
      } catch (NoEstimate separated) {
        continue;
      }
      List<Double> sums = calls.getLast().seen();
      assertThat(sums.size() % 5).isZero();
      for (int at = 0; at < sums.size(); at += 5) {
        assertThat(sums.get(at)).as("rows").isGreaterThanOrEqualTo(10);
        groups++;
      }
    }
    assertThat(groups).isGreaterThan(40);
  }

  /** One row far out must not put all others into one group. */
  @Test
  void discrimination_aRowFarOut_isStillWithinASmallBound() {
    SplittableRandom random = new SplittableRandom(22);
    Shards.Filler filler = Shards.sized(2, new int[] {500, 500});
    double[] score = new double[1000];
    double[] y = new double[1000];
    for (int i = 0; i < 1000; i++) {
      score[i] = i == 0 ? 3000 : random.nextGaussian();
      y[i] = i == 0 || random.nextDouble() < 1 / (1 + Math.exp(-score[i])) ? 1 : 0;
      filler.put(i / 500, i % 500, new double[] {1, score[i]}, y[i], 0, 1);
    }
    double wins = 0;
    double pairs = 0;
    for (int i = 0; i < 1000; i++) {
      for (int j = 0; j < 1000; j++) {
        if (y[i] > y[j]) {
          pairs++;
          wins += score[i] > score[j] ? 1 : 0;
        }
      }
    }
    SyntheticSites sites =
        new SyntheticSites(
            Families.parse("binomial"), filler.done(), List.of(Table.INTERCEPT, "x"));
    Discrimination found = of(sites).discrimination().orElseThrow();
    assertThat(found.within()).isLessThan(0.02);
    assertThat(found.auc()).isCloseTo(wins / pairs, within(found.within()));
  }

  @Test
  void of_fewRows_saysNothing() {
    Shards.Filler filler = Shards.sized(1, new int[] {4, 5});
    for (int i = 0; i < 9; i++) {
      filler.put(i < 4 ? 0 : 1, i < 4 ? i : i - 4, new double[] {1}, i % 2, 0, 1);
    }
    SyntheticSites nine =
        new SyntheticSites(Families.parse("binomial"), filler.done(), List.of(Table.INTERCEPT));
    Diagnostics found = of(nine);
    assertThat(found.calibration()).isEmpty();
    assertThat(found.discrimination()).isEmpty();
    assertThat(found.brier()).isEmpty();
  }
}
