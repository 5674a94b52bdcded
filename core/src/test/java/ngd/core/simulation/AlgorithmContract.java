package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ngd.core.algorithm.Algorithm;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.rows.Rows;
import org.junit.jupiter.api.Test;

/**
 * What every synchronous algorithm does that brings all clients to one model. Oracle: data without
 * noise, on which every client's loss is least at the same known point, so that all clients must
 * come to it; and what {@link RoundsContract} asks.
 */
public abstract class AlgorithmContract<S extends Algorithm.State> extends RoundsContract<S> {
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
}
