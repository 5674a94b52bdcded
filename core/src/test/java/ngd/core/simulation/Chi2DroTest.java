package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.algorithm.fair.Chi2Dro;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import org.junit.jupiter.api.Test;

/** Oracle: the contract, what it reduces to, and rows whose weights are known. */
class Chi2DroTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new Chi2Dro(StepSize.constant(alpha / 2), 0.8, GradientScales.NONE);
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }

  @Test
  void step_allRowsAlike_isBalancedNgd() {
    int[] sizes = {5, 12, 7, 30, 9, 6};
    Shards shards = RandomData.shards(8, 3, sizes, RandomData.noisy(TRUTH));
    Simulation simulation = simulation(Network.of(new Topology.Circle(6, 2)), shards);
    GradientScales scales = GradientScales.bySize(sizes);
    StepSize alpha = StepSize.constant(0.05);
    try (Run<Ngd.State> fair = simulation.start(new Chi2Dro(alpha, 1, scales));
        Run<Ngd.State> plain = simulation.start(new BalancedNgd(alpha, scales))) {
      fair.advance(50);
      plain.advance(50);
      for (int m = 0; m < sizes.length; m++) {
        assertThat(fair.theta().row(m)).containsExactly(plain.theta().row(m), within(1e-12));
      }
    }
  }

  /**
   * One row of four has an error and C² = 3 at a share of one half: u = ℓ − η with 4 · 3 Σu² ... of
   * losses 8, 0, 0, 0 the minimum lies at η with 3 (mean u)² = mean u², u = (8 − η, −η, −η, −η) for
   * η &lt; 0: mean 2 − η, variance 12, so 2 (2 − η)² = 12 and q = 1 + (ℓ − 2) / √6.
   */
  @Test
  void step_oneRowFarOff_countsByTheWeightsOfTheBall() {
    Shards shards =
        Shards.of(new double[][][] {{{1}, {1}}, {{1}, {1}}}, new double[][] {{4, 0}, {0, 0}});
    Network even = Network.of(new double[][] {{0.5, 0.5}, {0.5, 0.5}});
    try (Run<Ngd.State> run =
        simulation(even, shards)
            .start(new Chi2Dro(StepSize.constant(1), 0.5, GradientScales.NONE))) {
      run.advance(1);
      // The gradient of the one row that is off is −4, over the two rows of its client.
      assertThat(run.theta().get(0, 0)).isCloseTo(4 * (1 + 6 / Math.sqrt(6)) / 2, within(1e-12));
      assertThat(run.theta().get(1, 0)).isZero();
    }
  }

  /** With a share so small that one row may count alone, it does. */
  @Test
  void step_tinyShare_countsTheWorstRowAlone() {
    Shards shards =
        Shards.of(new double[][][] {{{1}, {1}}, {{1}, {1}}}, new double[][] {{4, 3}, {-2, 0}});
    Network even = Network.of(new double[][] {{0.5, 0.5}, {0.5, 0.5}});
    try (Run<Ngd.State> run =
        simulation(even, shards)
            .start(new Chi2Dro(StepSize.constant(1), 0.01, GradientScales.NONE))) {
      run.advance(1);
      assertThat(run.theta().get(0, 0)).isCloseTo(8, within(1e-12));
      assertThat(run.theta().get(1, 0)).isZero();
    }
  }

  @Test
  void new_shareOutsideItsRange_isRefused() {
    for (double share : new double[] {0, -1, 1.5, Double.NaN}) {
      assertThatThrownBy(() -> new Chi2Dro(StepSize.constant(0.1), share, GradientScales.NONE))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("SHARE must lie in (0, 1]");
    }
  }
}
