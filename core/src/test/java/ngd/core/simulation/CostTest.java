package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Optional;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.codec.Codec;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Activation;
import ngd.core.network.ImpairedNetwork;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: gradients counted by hand, and means of the largest of n exponential times, d · H_n. */
class CostTest {
  private static final int[] SIZES = {4, 7, 5, 1, 3};
  private static final int ROWS = 20;
  private static final Network CIRCLE = Network.of(new Topology.Circle(5, 1));

  private static final Impairments PERFECT = Impairments.PERFECT;

  private static Objective objective(int... sizes) {
    double[][][] x = new double[sizes.length][][];
    double[][] y = new double[sizes.length][];
    for (int m = 0; m < sizes.length; m++) {
      x[m] = new double[sizes[m]][];
      y[m] = new double[sizes[m]];
      for (int i = 0; i < sizes[m]; i++) {
        x[m][i] = new double[] {1, 0.1 * (m - i)};
        y[m][i] = 0.2 * i - m;
      }
    }
    return new Linear().over(Shards.of(x, y));
  }

  private static Cost cost(
      NetworkSchedule network, String method, int batch, Impairments impairments, int rounds) {
    return cost(network, SIZES, method, batch, impairments, rounds);
  }

  /** One client after the other takes part, with these batches and local steps. */
  private static Cost inTurn(String method, int batch, int steps, double decay, int rounds) {
    Algorithms.Named named = Algorithms.parse(method);
    AlgorithmChoice choice =
        new AlgorithmChoice(
            named.descriptor(),
            named.parameters(),
            new StepChoice.Given(StepSize.constant(0.01)),
            batch,
            steps,
            new Codec.Full(),
            Optional.empty(),
            decay,
            ClientSelection.parse("in-turn:1"));
    Algorithm<?> algorithm = choice.algorithm(GradientScales.NONE, true, StepLimit.TWO);
    Simulation simulation =
        new Simulation(Network.of(new Topology.Complete(5)), objective(SIZES), Streams.of(3), 1);
    try (SimulatedRun run = simulation.begin(algorithm, PERFECT)) {
      run.advance(rounds);
      return run.cost();
    }
  }

  private static Cost cost(
      NetworkSchedule network,
      int[] sizes,
      String method,
      int batch,
      Impairments impairments,
      int rounds) {
    AlgorithmChoice choice =
        AlgorithmChoice.of(method, new StepChoice.Given(StepSize.constant(0.01)));
    AlgorithmChoice batched =
        new AlgorithmChoice(
            choice.descriptor(), choice.parameters(), choice.step(), batch, 1, choice.codec());
    Algorithm<?> algorithm = batched.algorithm(GradientScales.NONE, true, StepLimit.TWO);
    Simulation simulation = new Simulation(network, objective(sizes), Streams.of(3), 1);
    try (SimulatedRun run = simulation.begin(algorithm, impairments)) {
      run.advance(rounds);
      return run.cost();
    }
  }

  @Test
  void gradients_wholeRows_areNARound() {
    Cost ngd = cost(CIRCLE, "ngd", 0, PERFECT, 9);
    assertThat(ngd.gradients()).isEqualTo(9 * ROWS);
    assertThat(ngd.seconds()).isEqualTo(9);
    assertThat(ngd.traffic()).isEqualTo(new Traffic(9 * 5, 9 * 5 * 16));
  }

  @Test
  void gradients_trackingMethod_hasOneBeforeTheFirstRoundMore() {
    Network ring = Network.of(new Topology.Complete(5));
    assertThat(cost(ring, "diging", 0, PERFECT, 9).gradients()).isEqualTo(10 * ROWS);
  }

  @Test
  void gradients_batchesOfThree_areCountedRowByRow() {
    // 4 rows: 3, 1; 7 rows: 3, 3, 1; 5 rows: 3, 2; 1 row: 1; 3 rows: 3. Six rounds repeat all.
    Cost cost = cost(CIRCLE, "ngd", 3, PERFECT, 6);
    assertThat(cost.gradients()).isEqualTo(3 * 4 + 2 * 7 + 3 * 5 + 6 * 1 + 6 * 3);
    // The client of one row looks at all of its rows in each.
    assertThat(cost.seconds()).isEqualTo(6);
  }

  @Test
  void seconds_unequalBatches_areThoseOfTheClientThatDoesMost() {
    // Shares of the rows in batches of two: of 4 rows 1/2, 1/2; of 7 2/7, 2/7, 2/7, 1/7; of 5 2/5,
    // 2/5, 1/5; of 3 2/3, 1/3.
    int[] sizes = {4, 7, 5, 3};
    assertThat(cost(Network.of(new Topology.Circle(4, 1)), sizes, "ngd", 2, PERFECT, 4).seconds())
        .isCloseTo(2 / 3. + 2 / 4. + 2 / 3. + 2 / 4., within(1e-12));
  }

  @Test
  void seconds_clientsThatRest_areThoseOfTheOthers() {
    // Two of five compute side by side, whoever they are; nobody waits for the others.
    NetworkSchedule two =
        ImpairedNetwork.of(
            CIRCLE, Optional.empty(), Optional.of(Activation.parse("cyclic:2")), Streams.of(3));
    assertThat(cost(two, "ngd", 0, PERFECT, 10).seconds()).isEqualTo(10);
    Impairments unequal = new Impairments(Impairments.Clocks.UNEQUAL, 0, 0, 0, 0);
    double[] paces = paces();
    double expected = 0;
    for (int round = 0; round < 10; round++) {
      expected += Math.max(paces[round % 5], paces[(round + 1) % 5]);
    }
    assertThat(cost(two, "ngd", 0, unequal, 10).seconds()).isCloseTo(expected, within(1e-9));
  }

  @Test
  void cost_withinAWorld_isWithoutClientsThatRest() {
    NetworkSchedule one =
        ImpairedNetwork.of(
            CIRCLE, Optional.empty(), Optional.of(Activation.parse("cyclic:1")), Streams.of(3));
    Simulation simulation = new Simulation(one, objective(SIZES), Streams.of(3), 1);
    Cost[] spent = new Cost[1];
    simulation.within(
        (world, cost) ->
            world.advance(
                new Ngd(StepSize.constant(0.01)),
                new Ngd(StepSize.constant(0.01)).start(world.block(new double[5][2])),
                7,
                _ -> spent[0] = cost.get()));
    // Seven rounds are all five clients, and the first two again.
    assertThat(spent[0].gradients()).isEqualTo(ROWS + 4 + 7);
    assertThat(spent[0].seconds()).isEqualTo(7);
  }

  @Test
  void gradients_clientsThatRest_areNotCounted() {
    // One client after the other: seven rounds are all five, and the first two again.
    NetworkSchedule one =
        ImpairedNetwork.of(
            CIRCLE, Optional.empty(), Optional.of(Activation.parse("cyclic:1")), Streams.of(3));
    assertThat(cost(one, "ngd", 0, PERFECT, 7).gradients()).isEqualTo(ROWS + 4 + 7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fedavg",
        "fedprox",
        "fednova",
        "fedadam",
        "fedyogi",
        "fedadagrad",
        "scaffold",
        "feddyn",
        "fedlt"
      })
  void gradients_clientsThatAreNotSelected_areNotCounted(String method) {
    // Seven rounds are all five, and the first two again; each is a second of one client.
    Cost whole = inTurn(method, 0, 1, 0, 7);
    assertThat(whole.gradients()).isEqualTo(ROWS + 4 + 7);
    assertThat(whole.seconds()).isEqualTo(7);
    // The batches of 4 rows are 3, 1 and of 7 rows 3, 3, 1; of these the third and, again, the
    // first are taken in the second round.
    Cost batches = inTurn(method, 3, 2, 0.1, 2);
    assertThat(batches.gradients()).isEqualTo(3 + 1 + 1 + 3);
    assertThat(batches.seconds()).isCloseTo(4 / 4. + 4 / 7., within(1e-12));
  }

  @Test
  void bytes_clientsThatAreNotSelected_addNothingToSumsOverAll() {
    // Before the first round the number of rows and the number of clients; in each the sum of two
    // numbers and that of the rows of those selected; to somebody and back, at five clients.
    assertThat(inTurn("fedavg", 0, 1, 0, 7).traffic())
        .isEqualTo(new Traffic(2 * 5 * (2 + 7 * 2), 2 * 5 * 8 * (2 + 7 * (2 + 1))));
    // The number of clients; the moves of the estimate and of what corrects them.
    assertThat(inTurn("scaffold", 0, 1, 0, 7).traffic())
        .isEqualTo(new Traffic(2 * 5 * (1 + 7), 2 * 5 * 8 * (1 + 7 * (2 + 2))));
  }

  @Test
  void gradients_unequalLocalSteps_areThoseThatMove() {
    // Each client goes once through its rows in batches of three: in 2, 3, 2, 1 and 1 steps.
    Cost cost = cost(Network.of(new Topology.Complete(5)), "fednova:1", 3, PERFECT, 1);
    assertThat(cost.gradients()).isEqualTo(ROWS);
    assertThat(cost.seconds()).isEqualTo(1);
  }

  @Test
  void gradients_asynchronous_areARowsEachTimeAClientWakes() {
    assertThat(cost(CIRCLE, "async-ngd", 0, PERFECT, 9).gradients()).isEqualTo(9 * ROWS);
  }

  /** What each client takes for a gradient of its rows under unequal clocks. */
  private static double[] paces() {
    double[] paces = new double[SIZES.length];
    Arrays.setAll(paces, m -> 0.5 + Streams.of(3).stream(Streams.Purpose.EVENTS, m).nextDouble());
    return paces;
  }

  @Test
  void seconds_unequalClocks_areThoseOfTheSlowest() {
    Impairments unequal = new Impairments(Impairments.Clocks.UNEQUAL, 0, 0, 0, 0);
    double slowest = Arrays.stream(paces()).max().orElseThrow();
    assertThat(cost(CIRCLE, "ngd", 0, unequal, 10).seconds()).isCloseTo(10 * slowest, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"EQUAL, 0.5, 0", "EQUAL, 0.5, 0.2", "POISSON, 0, 0", "POISSON, 2, 0"})
  void seconds_randomTimes_haveTheMeanOfTheLargest(
      Impairments.Clocks clocks, double delay, double loss) {
    int rounds = 40_000;
    double harmonic = 1 + 1 / 2. + 1 / 3. + 1 / 4. + 1 / 5.;
    double computing = clocks == Impairments.Clocks.POISSON ? harmonic : 1;
    double expected = computing + delay / (1 - loss) * harmonic;
    Impairments imperfect = new Impairments(clocks, delay, loss, 0, 0);
    assertThat(cost(CIRCLE, "ngd", 0, imperfect, rounds).seconds() / rounds)
        .isCloseTo(expected, within(0.02 * expected));
  }

  @Test
  void seconds_clientsThatGo_makeAllWait() {
    // A client is down a tenth of the time: of rounds of a second, some wait for its return.
    Impairments churn = new Impairments(Impairments.Clocks.EQUAL, 0, 0, 90, 10);
    double seconds = cost(CIRCLE, "ngd", 0, churn, 2000).seconds();
    // Each of five goes about once in 90 s of rounds and holds all up for 10 s on average.
    assertThat(seconds / 2000).isBetween(1.3, 1.8);
  }

  @Test
  void cost_startOfARun_isNothing() {
    try (Run<Ngd.State> run =
        new Simulation(CIRCLE, objective(SIZES), Streams.of(1), 1)
            .start(new Ngd(StepSize.constant(0.1)))) {
      assertThat(run.cost()).isEqualTo(Cost.NONE);
    }
  }
}
