package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.algorithm.fair.DrDsgd;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** Oracle: runs that must agree, and the optimality condition of what it minimises. */
class DrDsgdTest extends RoundsContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new DrDsgd(StepSize.constant(20 * alpha), 20, 0);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }

  /** Where W averages at once, the mean of exp(L_m/μ) has no slope at the end. */
  @Test
  void run_completeNetwork_minimisesTheMeanOfTheExponentials() {
    Shards shards =
        RandomData.shards(
            12,
            2,
            new int[] {8, 20, 11},
            (client, x, draw) -> (client + 1) * x[0] - x[1] + draw.nextDouble());
    Objective objective = new Linear().over(shards);
    double mu = 3;
    Network network = Network.of(new Topology.Complete(3), new Weights.Metropolis());
    try (Run<Ngd.State> run =
        new Simulation(network, objective, Streams.of(5), 1)
            .start(new DrDsgd(StepSize.constant(0.1), mu, 0))) {
      run.advance(4000);
      double[] theta = run.theta().row(0);
      double[] slope = new double[2];
      double[] own = new double[2];
      for (int m = 0; m < 3; m++) {
        objective.gradient(m, theta, 0, own, 0);
        double factor = Math.exp(objective.value(m, theta) / mu);
        slope[0] += factor * own[0];
        slope[1] += factor * own[1];
      }
      assertThat(slope).containsExactly(new double[] {0, 0}, within(1e-10));
    }
  }

  @Test
  void new_priceNotPositive_isRefused() {
    assertThatThrownBy(() -> new DrDsgd(StepSize.constant(0.1), 0, 0))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("MU must be positive; got 0");
  }
}
