package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.personal.Dada;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.rows.Edges;
import org.junit.jupiter.api.Test;

/** Oracle: runs that must agree, and clients of two kinds, whose links are known. */
class DadaTest extends RoundsContract<Dada.State> {
  private static Dada dada(double alpha, double step) {
    return new Dada(
        StepSize.constant(alpha),
        new Dada.Settings(0.5, 1, 0.05, 0.1, step, 2),
        GradientScales.NONE);
  }

  @Override
  protected Algorithm.Rounds<Dada.State> algorithm(double alpha) {
    return dada(alpha / 5, 0.01);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }

  /** Clients 0 to 2 have one truth, 3 to 5 another: links between the two kinds die. */
  @Test
  void run_twoKindsOfClients_keepsTheLinksWithinAKind() {
    Shards shards =
        RandomData.shards(
            3,
            2,
            RandomData.equal(6, 12),
            (client, x, draw) -> client < 3 ? 2 * x[0] - x[1] : -2 * x[0] + x[1]);
    try (Run<Dada.State> run =
        simulation(Network.of(new Topology.Complete(6)), shards).start(dada(0.01, 0.02))) {
      run.advance(3000);
      Edges weights = run.state().weights();
      assertThat(weights).isNotNull();
      for (int m = 0; m < 6; m++) {
        for (int i = 0; i < 5; i++) {
          int k = i < m ? i : i + 1;
          double w = weights.values().get(weights.first(m) + i, 0);
          if (m / 3 == k / 3) {
            assertThat(w).as("%d hears %d", m, k).isGreaterThan(0.1);
          } else {
            assertThat(w).as("%d hears %d", m, k).isZero();
          }
        }
      }
    }
  }

  @Test
  void new_parametersOutsideTheirRanges_areRefused() {
    assertThatThrownBy(() -> new Dada.Settings(0, 1, 1, 1, 1, 1))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("dada: MU1 must be positive; got 0");
    assertThatThrownBy(() -> new Dada.Settings(1, 1, 1, 1, 1, 0))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("K must be at least 1");
  }
}
