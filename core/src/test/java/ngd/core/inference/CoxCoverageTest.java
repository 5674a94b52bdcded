package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.formula.RiskTime;
import ngd.core.model.Cox;
import ngd.core.model.Ties;
import ngd.core.model.TimeGrid;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often the intervals of Cox models hold the truth. Oracle: the coefficients simulated from.
 */
class CoxCoverageTest {
  private static final int REPLICATES = 2000;
  private static final int[] SIZES = {20, 35, 65};
  private static final double[] TRUTH = {0.6, -0.4};

  /**
   * Exponential times with censoring by uniform ones; sites differ in their baseline where each has
   * one of its own.
   */
  private static Shards simulated(int replicate, boolean sameBaseline) {
    Shards.Filler filler = Shards.sized(2, SIZES);
    for (int m = 0; m < SIZES.length; m++) {
      UniformRandomProvider draw = Streams.of(11).stream(Streams.Purpose.DATA, replicate, m);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      for (int i = 0; i < SIZES[m]; i++) {
        double[] x = {normal.sample(), draw.nextDouble() < 0.5 ? 1 : 0};
        double hazard = (sameBaseline ? 1 : 1 + m) * Math.exp(TRUTH[0] * x[0] + TRUTH[1] * x[1]);
        double time = -Math.log1p(-draw.nextDouble()) / hazard;
        double censored = 3 * draw.nextDouble();
        filler.put(m, i, x, time <= censored ? 1 : 0);
        filler.put(m, i, new RiskTime(Double.NEGATIVE_INFINITY, Math.min(time, censored), 0));
      }
    }
    return filler.done();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void intervals_ofManyReplicates_holdTheTruthAboutAsOftenAsTheySay(boolean pooled) {
    Network network = Network.of(new Topology.Complete(SIZES.length));
    TimeGrid grid =
        new TimeGrid(
            List.of(0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 3.0), List.of(""));
    Cox cox = new Cox(Ties.EFRON, pooled ? Optional.of(grid) : Optional.empty());
    PooledFit fit = PooledFit.on(network, cox, List.of("a", "b"), PooledFit.Settings.STANDARD);
    int[] held = new int[TRUTH.length];
    for (int r = 0; r < REPLICATES; r++) {
      Shards drawn = simulated(r, pooled);
      Shards shards = pooled ? grid.of(drawn) : drawn;
      List<Coefficient> found =
          new Simulation(network, cox.over(shards), Streams.of(1), 1)
              .within(
                  world ->
                      Inference.of(fit.run(world, FitProgress.NONE), Inference.Options.STANDARD)
                          .coefficients());
      for (int j = 0; j < TRUTH.length; j++) {
        held[j] += found.get(j).low() <= TRUTH[j] && TRUTH[j] <= found.get(j).high() ? 1 : 0;
      }
    }
    for (int count : held) {
      assertThat(count / (double) REPLICATES).isBetween(0.93, 0.97);
    }
  }
}
