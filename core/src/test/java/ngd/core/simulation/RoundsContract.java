package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Snapshot;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import org.junit.jupiter.api.Test;

/**
 * What every synchronous algorithm does, whatever it converges to: it begins at the given start,
 * two runs agree, and neither threads nor numbers of clients matter. Oracle: runs that must agree
 * with each other.
 */
public abstract class RoundsContract<S extends Algorithm.State> {
  static final double[] TRUTH = {1.5, -0.5, 2};

  /** The algorithm with a step size that suits standard normal covariates. */
  protected abstract Algorithm.Rounds<S> algorithm(double alpha);

  /** A network like this one that the algorithm can use; most take it as it is. */
  protected Network suited(Network network) {
    return network;
  }

  /**
   * For a method made of operations that threads share in the tests of other methods: too few
   * clients for that, so that its test is quick.
   */
  protected static final int FEW_CLIENTS = 1000;

  /** The same where no client draws anything of its own. */
  protected Algorithm.Rounds<S> withoutDraws(double alpha) {
    return algorithm(alpha);
  }

  /** How many clients it takes for threads to share the work; fewer where each costs much. */
  protected int manyClients() {
    return 270_000;
  }

  /** Whether clients have estimates of their own on the way. */
  protected boolean clientsDiffer() {
    return true;
  }

  /**
   * Mutual links where there was one, lazy Metropolis weights: symmetric, no eigenvalue below 0.
   */
  protected static Network symmetric(Network network) {
    int clients = network.clients();
    if (clients > 1000) {
      return Network.of(new Topology.Ring(clients, 2), new Weights.LazyMetropolis());
    }
    double[][] w = new double[clients][clients];
    int[] degree = new int[clients];
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        if (m != k && network.weight(m, k) + network.weight(k, m) > 0) {
          degree[m]++;
        }
      }
    }
    for (int m = 0; m < clients; m++) {
      w[m][m] = 1;
      for (int k = 0; k < clients; k++) {
        if (m != k && network.weight(m, k) + network.weight(k, m) > 0) {
          w[m][k] = 0.5 / (1 + Math.max(degree[m], degree[k]));
          w[m][m] -= w[m][k];
        }
      }
    }
    return Network.of(w);
  }

  /** (I + W) / 2: the same links without a period. */
  protected static Network lazy(Network network) {
    int clients = network.clients();
    if (clients > 1000) {
      return Network.of(new Topology.Circle(clients, 2), new Weights.Lazy(0.5));
    }
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        w[m][k] = 0.5 * network.weight(m, k) + (m == k ? 0.5 : 0);
      }
    }
    return Network.of(w);
  }

  protected Simulation simulation(Network network, Shards shards) {
    return new Simulation(suited(network), new Linear().over(shards), Streams.of(5), 1);
  }

  protected static double[][] copy(Rows rows) {
    double[][] copy = new double[rows.rows()][];
    Arrays.setAll(copy, rows::row);
    return copy;
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
    int clients = manyClients();
    Shards shards = RandomData.shards(7, 2, RandomData.equal(clients, 2), RandomData.labels(1, -1));
    Network network = Network.of(new Topology.Circle(clients, 2));
    double[][] start = new double[clients][];
    Arrays.setAll(start, m -> new double[] {m % 7 - 3, m % 5 - 2});
    double[] @org.jspecify.annotations.Nullable [] expected = null;
    for (int threads = 1; threads <= 3; threads++) {
      Simulation simulation =
          new Simulation(suited(network), new Logistic().over(shards), Streams.of(5), threads);
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

  private Simulation noisy() {
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

  /** A snapshot after any number of rounds, the first with its missing blocks among them. */
  @Test
  void resume_fromASnapshot_givesTheBitsOfARunThatWentOn() {
    Simulation simulation = noisy();
    for (int kept : new int[] {0, 1, 13}) {
      try (Run<S> whole = simulation.start(algorithm(0.05))) {
        whole.advance(kept);
        byte[] snapshot = Snapshot.of(whole.state());
        whole.advance(60);
        try (Run<S> resumed = simulation.resume(algorithm(0.05), snapshot)) {
          assertThat(resumed.round()).isEqualTo(kept);
          assertThat(Snapshot.of(resumed.state())).isEqualTo(snapshot);
          resumed.advance(60);
          assertThat(Snapshot.of(resumed.state())).isEqualTo(Snapshot.of(whole.state()));
          assertThat(copy(resumed.theta())).isDeepEqualTo(copy(whole.theta()));
        }
      }
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
    try (Run<S> run = simulation(Network.of(w), Shards.of(x, y)).start(withoutDraws(0.05));
        Run<S> relabelled =
            simulation(Network.of(relabelledW), Shards.of(relabelledX, relabelledY))
                .start(withoutDraws(0.05))) {
      run.advance(60);
      relabelled.advance(60);
      for (int m = 0; m < clients; m++) {
        assertThat(relabelled.theta().row(to[m]))
            .containsExactly(run.theta().row(m), within(1e-12));
      }
      assertThat(Arrays.equals(run.theta().row(0), run.theta().row(1))).isEqualTo(!clientsDiffer());
    }
  }
}
