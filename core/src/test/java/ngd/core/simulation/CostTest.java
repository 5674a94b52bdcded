package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
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

/** Oracles: gradients counted by hand, and means of the largest of n exponential times, d · H_n. */
class CostTest {
  private static final int[] SIZES = {4, 7, 5, 1, 3};
  private static final int ROWS = 20;
  private static final Network CIRCLE = Network.of(new Topology.Circle(5, 1));

  private static Objective objective() {
    double[][][] x = new double[SIZES.length][][];
    double[][] y = new double[SIZES.length][];
    for (int m = 0; m < SIZES.length; m++) {
      x[m] = new double[SIZES[m]][];
      y[m] = new double[SIZES[m]];
      for (int i = 0; i < SIZES[m]; i++) {
        x[m][i] = new double[] {1, 0.1 * (m - i)};
        y[m][i] = 0.2 * i - m;
      }
    }
    return new Linear().over(Shards.of(x, y));
  }

  private static Cost cost(
      NetworkSchedule network, String method, int batch, Impairments impairments, int rounds) {
    AlgorithmChoice choice =
        AlgorithmChoice.of(method, new StepChoice.Given(StepSize.constant(0.01)));
    AlgorithmChoice batched =
        new AlgorithmChoice(
            choice.descriptor(), choice.parameters(), choice.step(), batch, 1, choice.codec());
    Algorithm<?> algorithm = batched.algorithm(GradientScales.NONE, true, StepLimit.TWO);
    Simulation simulation = new Simulation(network, objective(), Streams.of(3), 1);
    try (SimulatedRun run = simulation.begin(algorithm, impairments)) {
      run.advance(rounds);
      return run.cost();
    }
  }

  @Test
  void gradients_wholeRows_areNARound() {
    Cost ngd = cost(CIRCLE, "ngd", 0, Impairments.PERFECT, 9);
    assertThat(ngd.gradients()).isEqualTo(9 * ROWS);
    assertThat(ngd.seconds()).isEqualTo(9);
    assertThat(ngd.traffic()).isEqualTo(new Traffic(9 * 5, 9 * 5 * 16));
  }

  @Test
  void gradients_trackingMethod_hasOneBeforeTheFirstRoundMore() {
    Network ring = Network.of(new Topology.Complete(5));
    assertThat(cost(ring, "diging", 0, Impairments.PERFECT, 9).gradients()).isEqualTo(10 * ROWS);
  }

  @Test
  void gradients_batchesOfThree_areCountedRowByRow() {
    // 4 rows: 3, 1; 7 rows: 3, 3, 1; 5 rows: 3, 2; 1 row: 1; 3 rows: 3. Six rounds repeat all.
    Cost cost = cost(CIRCLE, "ngd", 3, Impairments.PERFECT, 6);
    assertThat(cost.gradients()).isEqualTo(3 * 4 + 2 * 7 + 3 * 5 + 6 * 1 + 6 * 3);
    assertThat(cost.seconds()).isCloseTo((double) cost.gradients() / ROWS, within(1e-12));
  }

  @Test
  void gradients_clientsThatRest_areNotCounted() {
    // One client after the other: seven rounds are all five, and the first two again.
    NetworkSchedule one =
        ImpairedNetwork.of(
            CIRCLE, Optional.empty(), Optional.of(Activation.parse("cyclic:1")), Streams.of(3));
    assertThat(cost(one, "ngd", 0, Impairments.PERFECT, 7).gradients()).isEqualTo(ROWS + 4 + 7);
  }

  @Test
  void gradients_asynchronous_areARowsEachTimeAClientWakes() {
    assertThat(cost(CIRCLE, "async-ngd", 0, Impairments.PERFECT, 9).gradients())
        .isEqualTo(9 * ROWS);
  }

  @Test
  void seconds_unequalClocks_areThoseOfTheSlowest() {
    Impairments unequal = new Impairments(Impairments.Clocks.UNEQUAL, 0, 0, 0, 0);
    double slowest = 0;
    for (int m = 0; m < SIZES.length; m++) {
      slowest =
          Math.max(slowest, 0.5 + Streams.of(3).stream(Streams.Purpose.EVENTS, m).nextDouble());
    }
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
        new Simulation(CIRCLE, objective(), Streams.of(1), 1)
            .start(new Ngd(StepSize.constant(0.1)))) {
      assertThat(run.cost()).isEqualTo(Cost.NONE);
    }
  }
}
