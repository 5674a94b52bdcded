package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.personal.Mocha;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import org.junit.jupiter.api.Test;

/** Oracle: runs that must agree, and clients that have nothing in common. */
class MochaTest extends RoundsContract<Mocha.State> {
  @Override
  protected Algorithm.Rounds<Mocha.State> algorithm(double alpha) {
    return new Mocha(StepSize.constant(alpha), 0.01, 0.05, 0.2, 2, GradientScales.NONE);
  }

  /** Ω begins at I/M, so that the step with many clients must be small. */
  @Override
  protected int manyClients() {
    return 100;
  }

  /** Uncoupled, every client comes to its own model; more coefficients than clients. */
  @Test
  void run_withoutCoupling_fitsEachClientAlone() {
    double[][] truths = {{1, 2, 3}, {-1, 0, 0.5}};
    Shards shards =
        RandomData.shards(
            3,
            3,
            RandomData.equal(2, 9),
            (client, x, draw) ->
                truths[client][0] * x[0] + truths[client][1] * x[1] + truths[client][2] * x[2]);
    try (Run<Mocha.State> run =
        simulation(Network.of(new Topology.Complete(2)), shards)
            .start(new Mocha(StepSize.constant(0.1), 0, 0, 0.1, 1, GradientScales.NONE))) {
      run.advance(3000);
      for (int m = 0; m < 2; m++) {
        assertThat(run.theta().row(m)).containsExactly(truths[m], within(1e-9));
      }
    }
  }

  @Test
  void new_parametersOutsideTheirRanges_areRefused() {
    StepSize alpha = StepSize.constant(0.1);
    assertThatThrownBy(() -> new Mocha(alpha, -1, 0, 0.1, 1, GradientScales.NONE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("LAMBDA must be 0 or more; got -1");
    assertThatThrownBy(() -> new Mocha(alpha, 1, 0, 0, 1, GradientScales.NONE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("EPS must be positive");
    assertThatThrownBy(() -> new Mocha(alpha, 1, 0, 0.1, 0, GradientScales.NONE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("K must be at least 1");
  }
}
