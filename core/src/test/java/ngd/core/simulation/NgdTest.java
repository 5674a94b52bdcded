package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** The contract on all rows; oracle of the rest: closed form and the defining equation. */
class NgdTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new Ngd(StepSize.constant(alpha));
  }

  /** θ(t) = {1 − (1 − α s)^t} b / s with s the mean of x², b that of xy. */
  @Test
  void run_oneClientOneParameter_followsTheClosedForm() {
    Shards shards = Shards.of(new double[][][] {{{1}, {2}, {3}}}, new double[][] {{1, 1, 5}});
    double s = 14.0 / 3;
    double b = 18.0 / 3;
    Simulation simulation =
        Simulation.of(Network.of(new double[][] {{1}}), new Linear().over(shards));
    try (Run<Ngd.State> run = simulation.start(algorithm(0.03))) {
      for (int t = 1; t <= 50; t++) {
        run.advance(1);
        assertThat(run.theta().get(0, 0))
            .isCloseTo((1 - Math.pow(1 - 0.03 * s, t)) * b / s, within(1e-14));
      }
    }
  }

  /** θ = Wθ − α(t) ∇L(Wθ) with the gradient of every client taken at its own average. */
  @Test
  void step_schedule_isTheDefiningEquation() {
    int[] sizes = {3, 6, 4, 9};
    Shards shards = RandomData.shards(12, 2, sizes, RandomData.noisy(1, 2));
    Network network = Network.of(Topology.parse("fixed:2", 4, Streams.of(1)));
    StepSize alpha = StepSize.parse("0.2,0.1@2,0.05@4");
    double[] steps = {0.2, 0.2, 0.1, 0.1, 0.05, 0.05};
    Simulation simulation = new Simulation(network, new Linear().over(shards), Streams.of(1), 1);
    double[][] theta = new double[4][2];
    try (Run<Ngd.State> run = simulation.start(new Ngd(alpha))) {
      for (double step : steps) {
        double[][] next = new double[4][2];
        for (int m = 0; m < 4; m++) {
          for (int k = 0; k < 4; k++) {
            for (int j = 0; j < 2; j++) {
              next[m][j] += network.weight(m, k) * theta[k][j];
            }
          }
          double[] gradient = new double[2];
          for (int i = 0; i < sizes[m]; i++) {
            double residual =
                shards.shard(m).x(i, 0) * next[m][0]
                    + shards.shard(m).x(i, 1) * next[m][1]
                    - shards.shard(m).y(i);
            gradient[0] += shards.shard(m).x(i, 0) * residual / sizes[m];
            gradient[1] += shards.shard(m).x(i, 1) * residual / sizes[m];
          }
          next[m][0] -= step * gradient[0];
          next[m][1] -= step * gradient[1];
        }
        theta = next;
        run.advance(1);
        for (int m = 0; m < 4; m++) {
          assertThat(run.theta().row(m)).containsExactly(theta[m], within(1e-13));
        }
      }
    }
  }

  @Test
  void new_negativeBatch_isRefused() {
    assertThatThrownBy(() -> new Ngd(StepSize.constant(0.1), -1))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("got -1");
  }
}
