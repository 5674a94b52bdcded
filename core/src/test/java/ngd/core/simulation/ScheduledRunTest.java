package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Glm;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Activation;
import ngd.core.network.ImpairedNetwork;
import ngd.core.network.LinkFailures;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.theory.Certificate;
import ngd.core.theory.Problem;
import ngd.core.theory.StableSolution;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs over networks that change. Oracles: {@code theory}, the pooled estimate, and laws. */
class ScheduledRunTest {
  private static final int[] SIZES = {30, 12, 25, 40, 9, 33, 18};
  private static final double[] TRUTH = {0.5, -0.4, 0.2};

  private static final String TURNS =
      """
      client,hears,round
      0,1,0
      1,2,0
      2,3,0
      3,4,0
      4,5,0
      5,6,0
      6,0,0
      0,3,1
      3,0,1
      5,1,1
      2,6,2
      6,2,2
      """;

  private static NetworkSchedule schedule(String spec) {
    Topology topology =
        spec.equals("file")
            ? new Topology.EdgeFile(SIZES.length, "edges.csv", Optional.of(TURNS))
            : Topology.parse(spec, SIZES.length, Streams.of(3));
    return NamedNetwork.of(
            topology, spec.equals("file") ? Optional.of("lazy:0.4") : Optional.empty(), new int[0])
        .schedule();
  }

  private static Shards shards(Glm loss) {
    return RandomData.shards(
        31, 3, SIZES, loss instanceof Linear ? RandomData.noisy(TRUTH) : RandomData.labels(TRUTH));
  }

  @ParameterizedTest
  @CsvSource({
    "one-peer-exponential,gaussian",
    "base:1,gaussian",
    "base:2,binomial",
    "file,gaussian",
    "file,binomial"
  })
  void ngd_untilNothingChangesOverAPeriod_followsThePeriodicSolution(String spec, String family) {
    Glm loss = family.equals("gaussian") ? new Linear() : new Logistic();
    Shards shards = shards(loss);
    NetworkSchedule schedule = schedule(spec);
    int period = schedule.period().orElseThrow();
    double[] global = GlobalEstimate.of(loss, shards).theta();
    Problem problem = Problem.of(schedule, loss, shards, 0.05).near(global);
    assertThat(problem.period()).isEqualTo(period);
    assertThat(Certificate.of(problem).converges()).isTrue();
    StableSolution stable = StableSolution.of(problem);
    Simulation simulation = new Simulation(schedule, loss.over(shards), Streams.of(1), 1);
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.05)))) {
      run.advance(1200 * period);
      double sum = 0;
      for (int t = 0; t < period; t++) {
        run.advance(1);
        for (int m = 0; m < SIZES.length; m++) {
          assertThat(run.theta().row(m))
              .containsExactly(stable.of(t * SIZES.length + m), within(1e-11));
        }
        sum += Math.pow(Measure.distance(global).of(run.theta()), 2);
      }
      assertThat(Math.sqrt(sum / period))
          .isCloseTo(stable.distanceTo(global).orNaN(), within(1e-11));
    }
  }

  /** Time-varying networks are the case of the paper that DIGing comes from. */
  @ParameterizedTest
  @CsvSource({
    "diging,base:1,,",
    "diging,one-peer-exponential,,",
    "diging,random-matching,,",
    "diging,ring:1,0.2:0.4,",
    "diging,ring:1,,bernoulli:0.6",
    "diging,ring:2,0.1:0.5,markov:0.1:0.4",
    "diging,ring:1,,cyclic:3",
    "push-diging,one-peer-exponential,,",
    "push-diging,circle:2,0.1:0.5,"
  })
  void tracking_overNetworksThatChange_reachesThePooledEstimate(
      String algorithm, String spec, String failures, String activation) {
    Linear loss = new Linear();
    Shards shards = shards(loss);
    Topology topology = Topology.parse(spec, SIZES.length, Streams.of(3));
    Optional<String> weights =
        spec.startsWith("ring") ? Optional.of("metropolis") : Optional.empty();
    NetworkSchedule schedule =
        ImpairedNetwork.of(
            NamedNetwork.of(topology, weights, new int[0]).schedule(),
            Optional.ofNullable(failures).map(LinkFailures::parse),
            Optional.ofNullable(activation).map(Activation::parse),
            Streams.of(4));
    AlgorithmChoice choice =
        AlgorithmChoice.of(algorithm, new StepChoice.Given(StepSize.constant(0.05)));
    Suitability suitability = new Suitability(schedule, loss, new Mixing.Mean());
    suitability.require(choice);
    GradientScales scales = suitability.scales(choice.descriptor(), SIZES);
    Simulation simulation = new Simulation(schedule, loss.over(shards), Streams.of(1), 1);
    try (SimulatedRun run =
        simulation.begin(
            choice.algorithm(scales, true, suitability.limit(choice)), Impairments.PERFECT)) {
      run.advance(6000);
      assertThat(Measure.distance(GlobalEstimate.of(loss, shards).theta()).of(run.theta()))
          .isLessThan(1e-9);
    }
  }

  /** Balanced over a period: a small step leaves a bias of order α alone. */
  @Test
  void balancedNgd_overRoundsOfUnevenWeights_comesNearThePooledEstimate() {
    Linear loss = new Linear();
    Shards shards = shards(loss);
    NetworkSchedule schedule = schedule("file");
    Suitability suitability = new Suitability(schedule, loss, new Mixing.Mean());
    double[] apart = new double[2];
    for (int i = 0; i < 2; i++) {
      double alpha = i == 0 ? 0.002 : 0.001;
      AlgorithmChoice choice =
          AlgorithmChoice.of("balanced-ngd", new StepChoice.Given(StepSize.constant(alpha)));
      suitability.require(choice);
      GradientScales scales = suitability.scales(choice.descriptor(), SIZES);
      Simulation simulation = new Simulation(schedule, loss.over(shards), Streams.of(1), 1);
      try (SimulatedRun run =
          simulation.begin(
              choice.algorithm(scales, true, suitability.limit(choice)), Impairments.PERFECT)) {
        run.advance(60_000);
        apart[i] = Measure.distance(GlobalEstimate.of(loss, shards).theta()).of(run.theta());
      }
    }
    assertThat(apart[0]).isLessThan(0.05);
    assertThat(apart[1] / apart[0]).isCloseTo(0.5, within(0.02));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ngd", "dgd", "cfa", "diging", "push-diging", "sgp", "push-pull"})
  void rounds_clientsThatRest_stayWhereTheyAre(String name) {
    Linear loss = new Linear();
    Shards shards = shards(loss);
    NetworkSchedule schedule =
        ImpairedNetwork.of(
            Network.of(new Topology.Ring(SIZES.length, 1), new Weights.Metropolis()),
            Optional.empty(),
            Optional.of(Activation.parse("bernoulli:0.5")),
            Streams.of(2));
    AlgorithmChoice choice =
        AlgorithmChoice.of(name, new StepChoice.Given(StepSize.constant(0.05)));
    new Suitability(schedule, loss, new Mixing.Mean()).require(choice);
    Simulation simulation = new Simulation(schedule, loss.over(shards), Streams.of(1), 1);
    try (Run<?> run = simulation.start(choice.rounds(GradientScales.NONE, true))) {
      run.advance(1);
      int rested = 0;
      for (int t = 1; t < 30; t++) {
        double[][][] before = values(run.state());
        run.advance(1);
        double[][][] after = values(run.state());
        for (int m = 0; m < SIZES.length; m++) {
          for (int block = 0; block < after.length; block++) {
            if (schedule.rests(m, t)) {
              assertThat(after[block][m]).containsExactly(before[block][m]);
              rested++;
            }
          }
          if (!schedule.rests(m, t)) {
            assertThat(after[0][m]).isNotEqualTo(before[0][m]);
          }
        }
      }
      assertThat(rested).isGreaterThan(50);
    }
  }

  private static double[][][] values(Algorithm.State state) {
    double[][][] values = new double[state.rows().size()][SIZES.length][];
    for (int block = 0; block < values.length; block++) {
      for (int m = 0; m < SIZES.length; m++) {
        values[block][m] = state.rows().get(block).row(m);
      }
    }
    return values;
  }

  @Test
  void traffic_overNetworksThatChange_countsTheLinksOfEachRound() {
    Linear loss = new Linear();
    Shards shards = shards(loss);
    Simulation simulation = new Simulation(schedule("file"), loss.over(shards), Streams.of(1), 1);
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.05)))) {
      run.advance(4);
      assertThat(run.traffic().messages()).isEqualTo(7 + 3 + 2 + 7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extra", "exact-diffusion", "d2", "cfa-ge", "collaborative", "async-ngd"})
  void require_algorithmForOneW_refusesNetworksThatChange(String name) {
    AlgorithmChoice choice =
        AlgorithmChoice.of(
            name,
            Algorithms.parse(name).descriptor().takesStepSize()
                ? new StepChoice.Given(StepSize.constant(0.05))
                : new StepChoice.None());
    Suitability suitability = new Suitability(schedule("base:1"), new Linear(), new Mixing.Mean());
    assertThatThrownBy(() -> suitability.require(choice))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(
            "algorithm `%s`: needs a network that stays as it is: its theory is for one W in all rounds; use"
                .formatted(name));
  }

  @Test
  void require_failingLinksOfAnAsymmetricW_areNotDoublyStochastic() {
    NetworkSchedule failing =
        ImpairedNetwork.of(
            Network.of(new Topology.Circle(SIZES.length, 2), new Weights.Lazy(0.5)),
            Optional.of(new LinkFailures(0.1, 0.5)),
            Optional.empty(),
            Streams.of(1));
    AlgorithmChoice diging =
        AlgorithmChoice.of("diging", new StepChoice.Given(StepSize.constant(0.05)));
    assertThat(new Suitability(failing, new Linear(), new Mixing.Mean()).unmet(diging))
        .singleElement()
        .asString()
        .contains("a doubly stochastic W");
  }

  @Test
  void theory_drawnNetworks_areRefused() {
    Linear loss = new Linear();
    assertThatThrownBy(() -> Problem.of(schedule("random-matching"), loss, shards(loss), 0.1))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must repeat itself after some rounds");
  }
}
