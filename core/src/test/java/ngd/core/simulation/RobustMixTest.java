package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.CfaGe;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.algorithm.personal.Collaborative;
import ngd.core.algorithm.pushing.PushDiging;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.linalg.Kernels;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.Diverged;
import ngd.core.world.Mixing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: the rules by hand on five clients, and the estimate without attackers. */
class RobustMixTest {
  private static Rows mixed(Mixing mixing, double[][] x, Network network) {
    Host host = new Host(Kernels.best(), new Workers(1));
    return new SimulatedExchange(network, host, new Trust(mixing), Streams.of(1)).mix(host.of(x));
  }

  private static final Network COMPLETE = Network.of(new Topology.Complete(5));
  private static final double[][] X = {{1, 0}, {2, 10}, {3, 20}, {4, 30}, {100, Double.NaN}};

  @Test
  void mix_trimmed_dropsTheExtremes() {
    Rows out = mixed(new Mixing.Trimmed(1), X, COMPLETE);
    for (int m = 0; m < 5; m++) {
      assertThat(out.row(m)).containsExactly(new double[] {3, 20}, within(1e-15));
    }
  }

  @Test
  void mix_median_isTheMiddleOne() {
    assertThat(mixed(new Mixing.Median(), X, COMPLETE).row(4)).containsExactly(3, 20);
    double[][] even = {{1}, {2}, {4}, {50}};
    Network four = Network.of(new Topology.Complete(4));
    assertThat(mixed(new Mixing.Median(), even, four).row(0)).containsExactly(3);
  }

  /** Client 0 at 1 hears 2, 3, 4 and 100 with weight ¼ each; steps are at most 2 long. */
  @Test
  void mix_clipped_boundsEachStep() {
    double[][] x = {{1}, {2}, {3}, {4}, {100}};
    assertThat(mixed(new Mixing.Clipped(2), x, COMPLETE).get(0, 0))
        .isCloseTo(1 + (1 + 2 + 2 + 2) / 4.0, within(1e-15));
    double[][] bad = {{1}, {2}, {3}, {4}, {Double.NaN}};
    assertThat(mixed(new Mixing.Clipped(2), bad, COMPLETE).get(0, 0))
        .isCloseTo(1 + (1 + 2 + 2) / 4.0, within(1e-15));
  }

  @Test
  void mix_meanOfHonestClients_isTheMeanWithoutGuard() {
    double[][] x = {{1, 5}, {2, 4}, {3, 3}, {4, 2}, {5, 1}};
    Network network = Network.of(new Topology.Ring(5, 1), new Weights.Metropolis());
    Host host = new Host(Kernels.best(), new Workers(1));
    Rows guarded =
        new SimulatedExchange(
                network,
                host,
                new Trust(new Mixing.Mean(), new Attack.SignFlip(-1), List.of(2)),
                Streams.of(1))
            .mix(host.of(x));
    Rows plain = mixed(new Mixing.Mean(), x, network);
    for (int m = 0; m < 5; m++) {
      assertThat(guarded.row(m)).isEqualTo(plain.row(m));
    }
  }

  private static final int CLIENTS = 20;

  /**
   * Every client hears four on each side; clients 0 and 9 lie, so each hears one or two of them.
   */
  private static final Network NETWORK =
      Network.of(new Topology.Ring(CLIENTS, 4), new Weights.Metropolis());

  private static final List<Integer> ONE_EACH = List.of(0, 9);

  private static Shards homogeneous() {
    Table table = PaperModel.LINEAR.table(2000, Streams.of(4));
    return Partition.parse("random")
        .assign(table, OptionalInt.of(CLIENTS), Placement.IN_ORDER, Streams.of(4))
        .shards(table);
  }

  private static double honestDistance(Algorithm.Rounds<?> algorithm, Trust trust) {
    Shards shards = homogeneous();
    double[] pooled = GlobalEstimate.of(new Linear(), shards).theta();
    Simulation simulation =
        new Simulation(NETWORK, new Linear().over(shards), Streams.of(1), 1).with(trust);
    try (Run<?> run = simulation.start(algorithm)) {
      run.advance(1500);
      double worst = 0;
      for (int m = 0; m < CLIENTS; m++) {
        if (!trust.attackers().contains(m)) {
          worst = Math.max(worst, SortedFit.worst(new double[][] {run.theta().row(m)}, pooled));
        }
      }
      return worst;
    } catch (Diverged diverged) {
      return Double.POSITIVE_INFINITY;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sign-flip:4, trimmed:2",
    "sign-flip:4, median",
    "sign-flip:4, clipped:0.05",
    "noise:30, trimmed:2",
    "noise:30, median",
    "noise:30, clipped:0.05",
    "constant:50, trimmed:2",
    "constant:50, median",
    "constant:50, clipped:0.05",
    "nan, trimmed:2",
    "nan, median",
    "nan, clipped:0.05",
    "sign-flip:4, bridge:2",
    "noise:30, geometric-median",
    "constant:50, krum:2",
    "nan, nearest:2",
    "constant:50, nnm:2:trimmed:2",
    "noise:30, clipped:auto:0.3",
    "nan, geometric-median",
    "nan, krum:2",
    "nan, nnm:2:median",
    "inner-product:9, nearest:2",
  })
  void run_attackers_robustMixingStaysNearWhereTheMeanFails(String attack, String rule) {
    Ngd ngd = new Ngd(StepSize.constant(0.05));
    double robust =
        honestDistance(ngd, new Trust(Mixing.parse(rule), Attack.parse(attack), ONE_EACH));
    double mean = honestDistance(ngd, new Trust(new Mixing.Mean(), Attack.parse(attack), ONE_EACH));
    double without = honestDistance(ngd, Trust.FULL);
    assertThat(without).isLessThan(0.05);
    assertThat(robust).isLessThan(0.35);
    assertThat(mean).isGreaterThan(1);
  }

  /** Honest clients: the rule costs something, but little. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "trimmed:1",
        "median",
        "clipped:1",
        "clipped:auto:0.2",
        "bridge:1",
        "geometric-median",
        "nearest:1"
      })
  void run_noAttackers_robustMixingStaysNear(String rule) {
    assertThat(honestDistance(new Ngd(StepSize.constant(0.05)), new Trust(Mixing.parse(rule))))
        .isLessThan(0.2);
  }

  @Test
  void run_otherMethods_areGuardedToo() {
    GradientScales none = GradientScales.NONE;
    Trust trust = new Trust(new Mixing.Clipped(0.05), new Attack.Constant(50), ONE_EACH);
    StepSize alpha = StepSize.constant(0.02);
    for (Algorithm.Rounds<?> method :
        Arrays.asList(
            new ngd.core.algorithm.descent.Dgd(alpha, none),
            new ngd.core.algorithm.descent.BalancedNgd(alpha, none))) {
      assertThat(honestDistance(method, trust)).as(method.toString()).isLessThan(1);
    }
  }

  /** What is pushed, heard link by link or summed over all is no average with W. */
  @Test
  void run_methodsThatDoNotAverage_refuseARobustRule() {
    GradientScales none = GradientScales.NONE;
    StepSize alpha = StepSize.constant(0.01);
    Simulation simulation =
        new Simulation(NETWORK, new Linear().over(homogeneous()), Streams.of(1), 1)
            .with(new Trust(new Mixing.Median()));
    for (Algorithm.Rounds<?> method :
        Arrays.asList(
            new PushDiging(alpha, none),
            new CfaGe(alpha, 0.5, 1, 0, none),
            new Collaborative(1, 1, none),
            new FedAvg(alpha, new LocalDescent(0, 1, GradientScales.NONE)))) {
      try (Run<?> run = simulation.start(method)) {
        assertThatThrownBy(() -> run.advance(1))
            .as(method.toString())
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("mix median");
      }
    }
  }

  /** Lies travel in answers and in sums too: one liar moves everybody by its share of 50. */
  @Test
  void replyAndTotal_attackers_lieInThemToo() {
    Host host = new Host(Kernels.best(), new Workers(1));
    Network triangle = Network.of(new Topology.Complete(3));
    SimulatedExchange exchange =
        new SimulatedExchange(
            triangle,
            host,
            new Trust(new Mixing.Mean(), new Attack.Constant(50), List.of(1)),
            Streams.of(1));
    Rows x = host.of(new double[][] {{1}, {2}, {3}});
    assertThat(exchange.total(x)).containsExactly(1 + 50 + 3);
    Edges heard = exchange.hear(x);
    Edges answers =
        exchange.reply(heard.with(host.of(new double[][] {{1}, {1}, {2}, {2}, {3}, {3}})));
    Rows sums = answers.sum();
    assertThat(sums.get(0, 0)).isEqualTo(50 + 3);
    assertThat(sums.get(1, 0)).isEqualTo(1 + 3);
    assertThat(sums.get(2, 0)).isEqualTo(1 + 50);
    assertThat(answers.values().get(0, 0)).isEqualTo(50);
  }

  @Test
  void parse_wrongWords_areRefused() {
    assertThatThrownBy(() -> Mixing.parse("medin")).hasMessageContaining("did you mean `median`");
    assertThatThrownBy(() -> Mixing.parse("trimmed:0.5")).hasMessageContaining("whole number");
    assertThatThrownBy(() -> Mixing.parse("clipped:-1")).hasMessageContaining("positive");
    assertThatThrownBy(() -> Attack.parse("noise:x")).hasMessageContaining("number");
    assertThatThrownBy(
            () ->
                new Trust(new Mixing.Mean(), new Attack.NotANumber(), List.of(3)).requireClients(3))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("0 to 2; got 3");
  }

  /** Three rounds over ten directed links of two numbers each. */
  @Test
  void traffic_ngd_countsLinksAndBytes() {
    Shards shards = RandomData.shards(1, 2, RandomData.equal(5, 4), RandomData.noisy(1, 1));
    Simulation simulation =
        new Simulation(
            Network.of(new Topology.Circle(5, 2), new Weights.Lazy(0.5)),
            new Linear().over(shards),
            Streams.of(1),
            1);
    try (Run<?> run = simulation.start(new Ngd(StepSize.constant(0.1)))) {
      run.advance(3);
      assertThat(run.traffic()).isEqualTo(new Traffic(30, 480));
    }
  }
}
