package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.data.Shards;
import ngd.core.linalg.Rows;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/**
 * What every synchronous algorithm does. Oracle: data without noise, on which every client's loss
 * is least at the same known point, so that all clients must come to it; and runs that must agree
 * with each other.
 */
public abstract class AlgorithmContract<S extends Algorithm.State> {
  private static final double[] TRUTH = {1.5, -0.5, 2};

  /** The algorithm with a step size that suits standard normal covariates. */
  protected abstract Algorithm.Rounds<S> algorithm(double alpha);

  private static Simulation simulation(Network network, Shards shards) {
    return new Simulation(network, new Linear().over(shards), Streams.of(5), 1);
  }

  protected static double[][] copy(Rows rows) {
    double[][] copy = new double[rows.rows()][];
    Arrays.setAll(copy, rows::row);
    return copy;
  }

  private static void assertAllAt(Rows theta, double[] point, double tolerance) {
    for (int m = 0; m < theta.rows(); m++) {
      assertThat(theta.row(m)).as("client %d", m).containsExactly(point, within(tolerance));
    }
  }

  @Test
  void run_oneClientOneParameter_comesToTheTruth() {
    Shards shards = RandomData.shards(1, 1, new int[] {9}, RandomData.exactly(3));
    try (Run<S> run = simulation(Network.of(new double[][] {{1}}), shards).start(algorithm(0.1))) {
      run.advance(500);
      assertThat(run.round()).isEqualTo(500);
      assertAllAt(run.theta(), new double[] {3}, 1e-10);
    }
  }

  /** One to nine rows for three parameters: some clients alone do not determine them. */
  @Test
  void run_unequalShards_comesToTheTruth() {
    Shards shards =
        RandomData.shards(2, 3, new int[] {1, 9, 2, 5, 3, 8, 4}, RandomData.exactly(TRUTH));
    try (Run<S> run =
        simulation(Network.of(new Topology.Circle(7, 2)), shards).start(algorithm(0.05))) {
      run.advance(4000);
      assertAllAt(run.theta(), TRUTH, 1e-9);
    }
  }

  @Test
  void run_disconnectedNetwork_bringsEachPartToItsOwnTruth() {
    double[][] w = new double[6][6];
    for (int m = 0; m < 6; m++) {
      w[m][m / 3 * 3 + (m + 1) % 3] = 1;
    }
    Shards shards =
        RandomData.shards(
            3,
            2,
            RandomData.equal(6, 8),
            (client, x, draw) -> client < 3 ? x[0] - x[1] : 2 * x[0] + x[1]);
    try (Run<S> run = simulation(Network.of(w), shards).start(algorithm(0.05))) {
      run.advance(2000);
      for (int m = 0; m < 6; m++) {
        double[] expected = m < 3 ? new double[] {1, -1} : new double[] {2, 1};
        assertThat(run.theta().row(m)).containsExactly(expected, within(1e-9));
      }
    }
  }

  /**
   * The second column is ten thousand times the first: its coefficient is found, nothing breaks.
   */
  @Test
  void run_illConditionedData_findsTheLargeDirection() {
    Shards plain = RandomData.shards(4, 2, RandomData.equal(5, 8), RandomData.exactly(1, 0));
    double[][][] x = new double[5][8][];
    double[][] y = new double[5][8];
    for (int m = 0; m < 5; m++) {
      for (int i = 0; i < 8; i++) {
        double a = plain.shard(m).x(i, 0);
        double b = 1e4 * plain.shard(m).x(i, 1);
        x[m][i] = new double[] {a, b};
        y[m][i] = a + 3 * b;
      }
    }
    try (Run<S> run =
        simulation(Network.of(new Topology.Circle(5, 1)), Shards.of(x, y)).start(algorithm(2e-9))) {
      run.advance(2000);
      for (int m = 0; m < 5; m++) {
        assertThat(run.theta().get(m, 1)).isCloseTo(3, within(1e-3));
        assertThat(run.theta().get(m, 0)).isBetween(-2.0, 2.0);
      }
    }
  }

  @Test
  void run_startAtTheTruth_staysThere() {
    Shards shards = RandomData.shards(6, 3, RandomData.equal(4, 6), RandomData.exactly(TRUTH));
    double[][] start = {TRUTH, TRUTH, TRUTH, TRUTH};
    try (Run<S> run =
        simulation(Network.of(new Topology.Central(4)), shards).start(algorithm(0.1), start)) {
      assertAllAt(run.theta(), TRUTH, 0);
      run.advance(100);
      assertAllAt(run.theta(), TRUTH, 1e-13);
    }
  }

  @Test
  void start_givenTheta_isWhereEachClientBegins() {
    Shards shards = RandomData.shards(6, 3, RandomData.equal(2, 6), RandomData.exactly(TRUTH));
    Simulation simulation = simulation(Network.of(new Topology.Circle(2, 1)), shards);
    double[][] start = {{1, 2, 3}, {-4, 5, 0.1}};
    try (Run<S> run = simulation.start(algorithm(0.1), start)) {
      assertThat(run.round()).isZero();
      assertThat(copy(run.theta())).isDeepEqualTo(start);
      run.advance(0);
      assertThat(copy(run.theta())).isDeepEqualTo(start);
    }
    double[][][] wrong = {{}, {{1, 2, 3}}, {{1, 2, 3}, {1, 2}}, {{1, 2, 3}, {1, 2, 3, 4}}};
    for (double[][] shape : wrong) {
      assertThatThrownBy(() -> simulation.start(algorithm(0.1), shape))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("start: must be 2 rows of 3");
    }
  }

  /** Blocks so large that every step of a round is shared: mixing, gradient and sum. */
  @Test
  void run_oneTwoOrThreeThreads_giveTheSameBits() {
    int clients = 270_000;
    Shards shards = RandomData.shards(7, 2, RandomData.equal(clients, 2), RandomData.labels(1, -1));
    Network network = Network.of(new Topology.Circle(clients, 2));
    double[][] start = new double[clients][];
    Arrays.setAll(start, m -> new double[] {m % 7 - 3, m % 5 - 2});
    double[] @org.jspecify.annotations.Nullable [] expected = null;
    for (int threads = 1; threads <= 3; threads++) {
      Simulation simulation =
          new Simulation(network, new Logistic().over(shards), Streams.of(5), threads);
      try (Run<S> run = simulation.start(algorithm(0.1), start)) {
        run.advance(3);
        if (expected == null) {
          expected = copy(run.theta());
        } else {
          assertThat(Arrays.deepEquals(copy(run.theta()), expected))
              .as("%d threads", threads)
              .isTrue();
        }
      }
    }
  }

  private static Simulation noisy() {
    Shards shards =
        RandomData.shards(8, 3, new int[] {5, 12, 7, 30, 9, 6}, RandomData.noisy(TRUTH));
    return simulation(Network.of(Topology.parse("fixed:2", 6, Streams.of(2))), shards);
  }

  @Test
  void start_twice_givesTwoEqualRunsThatDoNotDisturbEachOther() {
    Simulation simulation = noisy();
    try (Run<S> first = simulation.start(algorithm(0.05));
        Run<S> second = simulation.start(algorithm(0.05))) {
      first.advance(20);
      second.advance(13);
      first.advance(17);
      second.advance(24);
      assertThat(copy(second.theta())).isDeepEqualTo(copy(first.theta()));
    }
  }

  /** Every block of the state outlives the recycling after its round. */
  @Test
  void advance_roundByRound_equalsAllAtOnce() {
    Simulation simulation = noisy();
    try (Run<S> whole = simulation.start(algorithm(0.05));
        Run<S> steps = simulation.start(algorithm(0.05))) {
      whole.advance(40);
      for (int round = 0; round < 40; round++) {
        steps.advance(1);
        double[][] seen = copy(steps.state().theta());
        assertThat(steps.state().rows()).contains(steps.state().theta());
        steps.advance(0);
        assertThat(copy(steps.theta())).isDeepEqualTo(seen);
      }
      assertThat(steps.round()).isEqualTo(whole.round());
      assertThat(copy(steps.theta())).isDeepEqualTo(copy(whole.theta()));
    }
  }

  /** All rows of a client are equal, so that a batch of them is as good as all. */
  @Test
  void run_relabelledClients_givesTheRelabelledAnswer() {
    int clients = 8;
    int[] to = {3, 7, 0, 5, 1, 6, 2, 4};
    double[][] w = new double[clients][clients];
    double[][] relabelledW = new double[clients][clients];
    Network network = Network.of(Topology.parse("fixed:3", clients, Streams.of(9)));
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        w[m][k] = network.weight(m, k);
        relabelledW[to[m]][to[k]] = w[m][k];
      }
    }
    Shards one = RandomData.shards(9, 3, RandomData.equal(clients, 1), RandomData.noisy(TRUTH));
    double[][][] x = new double[clients][6][];
    double[][] y = new double[clients][6];
    double[][][] relabelledX = new double[clients][][];
    double[][] relabelledY = new double[clients][];
    for (int m = 0; m < clients; m++) {
      double[] row = new double[3];
      one.shard(m).row(0, row);
      Arrays.fill(x[m], row);
      Arrays.fill(y[m], one.shard(m).y(0));
      relabelledX[to[m]] = x[m];
      relabelledY[to[m]] = y[m];
    }
    try (Run<S> run = simulation(Network.of(w), Shards.of(x, y)).start(algorithm(0.05));
        Run<S> relabelled =
            simulation(Network.of(relabelledW), Shards.of(relabelledX, relabelledY))
                .start(algorithm(0.05))) {
      run.advance(60);
      relabelled.advance(60);
      for (int m = 0; m < clients; m++) {
        assertThat(relabelled.theta().row(to[m]))
            .containsExactly(run.theta().row(m), within(1e-12));
      }
      assertThat(run.theta().row(0)).isNotEqualTo(run.theta().row(1));
    }
  }
}
