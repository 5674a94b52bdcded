package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.Oracles;
import ngd.core.algorithm.Totals;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Glm;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** Oracles: the pooled estimate, sums of clipped rows written out, and the spread over seeds. */
class CentralFitTest {
  private static final int SITES = 4;
  private static final Network NETWORK = Network.of(new Topology.Complete(SITES));

  private static Shards shards(PaperModel model, int rows) {
    Table table = model.table(rows, Streams.of(11));
    int[] sizes = new int[SITES];
    Arrays.fill(sizes, rows / SITES);
    Shards.Filler filler = Shards.sized(table.features().size(), sizes);
    double[] row = new double[table.features().size()];
    for (int i = 0; i < rows; i++) {
      int source = i;
      Arrays.setAll(row, j -> table.x(source, j));
      filler.put(i % SITES, i / SITES, row, table.y(i));
    }
    return filler.done();
  }

  private static CentralFit fit(Glm glm, Shards shards, String budget, long seed) {
    Privacy privacy = Privacy.parse(budget);
    Privacy.Noise.Central central = (Privacy.Noise.Central) privacy.noise();
    GradientPrivacy noise = GradientPrivacy.of(privacy, central.steps() + 1L, NETWORK);
    return CentralFit.seeded(
        glm.over(shards),
        glm,
        privacy,
        noise,
        NoiseSource.seeded(Streams.of(seed), PairGraph.of(NETWORK)));
  }

  private static double[] theta(CentralFit fit) {
    return fit.theta(Simulation.exchange(NETWORK)).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** With next to no noise and bounds that no row reaches it is the pooled estimate. */
  @Test
  void run_nextToNoNoise_isThePooledEstimate() {
    for (PaperModel model : List.of(PaperModel.LINEAR, PaperModel.LOGISTIC)) {
      Glm glm = model == PaperModel.LINEAR ? new Linear() : new Logistic();
      Shards shards = shards(model, 400);
      double[] pooled =
          GlobalEstimate.of(
                  glm,
                  shards,
                  IntStream.range(0, shards.features()).mapToObj(j -> "x" + j).toList())
              .theta();
      double[] found =
          theta(
              fit(
                  glm,
                  shards,
                  "epsilon=1e9,delta=1e-3,clip=200,noise=central,bound=20,steps=60",
                  1));
      for (int j = 0; j < pooled.length; j++) {
        assertThat(found[j]).isCloseTo(pooled[j], within(2e-3));
      }
    }
  }

  /** Rows that a program in another language makes up alike. */
  private static Shards made(boolean binary, int rows) {
    int[] sizes = new int[SITES];
    Arrays.fill(sizes, rows / SITES);
    Shards.Filler filler = Shards.sized(3, sizes);
    for (int i = 0; i < rows; i++) {
      double[] x = {1, 1.4 * Math.sin(i + 1), 1.2 * Math.cos(1.7 * (i + 1)) + 0.3};
      double eta = -0.4 + 0.8 * x[1] - 0.6 * x[2];
      double noise = Math.sin(12.9898 * (i + 1)) * 43758.5453;
      double uniform = noise - Math.floor(noise);
      double y = binary ? (uniform < 1 / (1 + Math.exp(-eta)) ? 1 : 0) : eta + 3 * (uniform - 0.5);
      filler.put(i % SITES, i / SITES, x, y);
    }
    return filler.done();
  }

  /**
   * The noise that is stated is what estimates vary by: over seeds, and in {@code
   * oracles/central_noise_oracle.py}, which takes the same steps with noise of its own.
   */
  @Test
  void run_manySeeds_spreadAsStated() {
    for (Oracles.Case line : Oracles.centralNoise().toList()) {
      boolean binary = line.text("family").equals("binomial");
      Glm glm = binary ? new Logistic() : new Linear();
      Shards shards = made(binary, 4000);
      String budget = line.text("budget");
      Privacy privacy = Privacy.parse(budget);
      int steps = ((Privacy.Noise.Central) privacy.noise()).steps();
      assertThat(GradientPrivacy.of(privacy, steps + 1L, NETWORK).own())
          .as(budget)
          .isCloseTo(line.json().get("share").doubleValue(), withinPercentage(0.01));
      int seeds = 60;
      double[][] found = new double[seeds][];
      for (int s = 0; s < seeds; s++) {
        found[s] = theta(fit(glm, shards, budget, s));
      }
      CentralFit.Estimate one = fit(glm, shards, budget, 1000).run(Simulation.exchange(NETWORK));
      assertThat(one.totals()).isEqualTo(steps + 1);
      for (int j = 0; j < 3; j++) {
        int column = j;
        double mean = Arrays.stream(found).mapToDouble(f -> f[column]).average().orElseThrow();
        double variance =
            Arrays.stream(found).mapToDouble(f -> (f[column] - mean) * (f[column] - mean)).sum()
                / (seeds - 1);
        double expected = Oracles.numbers(line.json().get("sd"))[j];
        assertThat(Math.sqrt(variance) / expected).as("%s, %d", budget, j).isBetween(0.7, 1.35);
        assertThat(one.noise().get(j) / expected).as("%s, %d", budget, j).isBetween(0.7, 1.4);
      }
    }
  }

  /** Totals that keep what was summed. */
  private static final class Recorded implements Totals {
    private final Totals totals = Simulation.exchange(NETWORK);
    private final List<double[]> sums = new ArrayList<>();

    @Override
    public double[] total(double[]... perRow) {
      double[] sum = totals.total(perRow);
      sums.add(sum);
      return sum;
    }

    @Override
    public double max(double... perRow) {
      throw new AssertionError("a maximum has no noise");
    }
  }

  /**
   * No row, however extreme, moves a sum by more than the account says; numbers that are none move
   * it no more. The same seed has the same noise, so sums differ by the row alone.
   */
  @Test
  void run_oneRowReplaced_movesEverySumByNoMoreThanTheBound() {
    String budget = "epsilon=1,delta=1e-5,clip=0.5,noise=central,bound=2,steps=1";
    double[][] extremes = {
      {1, 1, 1e9},
      {1, 1, -1e9},
      {1e9, -1e9, 1e9},
      {-2, 0, 1e300},
      {0, 2, -1e300},
      {1e-9, 0, 1e308},
      {0, 0, 0}
    };
    List<List<double[]>> seen = new ArrayList<>();
    for (double[] extreme : extremes) {
      int[] sizes = {2, 2, 2, 2};
      Shards.Filler filler = Shards.sized(2, sizes);
      for (int m = 0; m < SITES; m++) {
        for (int i = 0; i < 2; i++) {
          boolean canary = m == 2 && i == 1;
          filler.put(
              m,
              i,
              canary ? new double[] {extreme[0], extreme[1]} : new double[] {1, i},
              canary ? extreme[2] : m);
        }
      }
      Recorded recorded = new Recorded();
      fit(new Linear(), filler.done(), budget, 5).run(recorded);
      seen.add(recorded.sums);
    }
    double step = 2 * 0x1p-20 * 6;
    double largest = 0;
    for (List<double[]> one : seen) {
      for (List<double[]> two : seen) {
        largest = Math.max(largest, distance(one.get(1), two.get(1)));
        assertThat(distance(one.get(0), two.get(0))).isLessThan(Math.sqrt(2) * 4 + step);
        assertThat(distance(one.get(1), two.get(1))).isLessThan(1 + step);
      }
    }
    // The bound is reached, so a smaller one would be wrong.
    assertThat(largest).isGreaterThan(0.99);
  }

  private static double distance(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += (a[j] - b[j]) * (a[j] - b[j]);
    }
    return Math.sqrt(sum);
  }

  /** What honest sites add together is what the budget asks for, whoever colludes. */
  @Test
  void of_aBudget_isSpentByTheHonestSharesAlone() {
    for (int colluders : new int[] {1, 2, 3}) {
      Privacy privacy =
          Privacy.parse(
              "epsilon=1,delta=1e-6,noise=central,bound=1,steps=9,colluders=" + colluders);
      GradientPrivacy noise = GradientPrivacy.of(privacy, 10, NETWORK);
      double rho = 10 * ConcentratedAccount.rho(1e6, 1e6 * noise.own(), SITES - colluders, 30);
      assertThat(ConcentratedAccount.delta(rho, 1)).isCloseTo(1e-6, within(1e-12));
    }
    assertThatThrownBy(
            () ->
                GradientPrivacy.of(
                    Privacy.parse("epsilon=1,delta=1e-6,noise=central,bound=1,colluders=4"),
                    6,
                    NETWORK))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("fewer than the 4 sites; got 4");
  }

  @Test
  void fit_whatHasNoBound_isRefused() {
    Shards shards = shards(PaperModel.POISSON, 40);
    assertThatThrownBy(
            () -> fit(new Poisson(), shards, "epsilon=1,delta=1e-6,noise=central,bound=1", 1))
        .hasMessageContaining("gaussian and binomial families");
    assertThatThrownBy(() -> Privacy.parse("epsilon=1,delta=1e-6,noise=central"))
        .hasMessageContaining("bound must be given with noise=central");
    assertThatThrownBy(
            () ->
                fit(
                        new Linear(),
                        shards(PaperModel.LINEAR, 40),
                        "epsilon=1e12,delta=1e-6,noise=central,bound=1",
                        1)
                    .run(Simulation.exchange(NETWORK)))
        .hasMessageContaining("below the grid");
  }
}
