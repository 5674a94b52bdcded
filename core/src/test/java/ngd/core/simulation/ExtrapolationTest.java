package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.theory.Problem;
import ngd.core.theory.StableSolution;
import ngd.core.world.Extrapolation;
import ngd.core.world.Hook;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.junit.jupiter.api.Test;

/** Oracle: the pooled estimate, by QR. */
class ExtrapolationTest {
  private static final Network DIRECTED = PooledEstimateReachedTest.DIRECTED;
  private final SortedFit fit = SortedFit.UNEQUAL;

  private GradientScales scales(Network network) {
    AlgorithmDescriptor balanced = Algorithms.parse("balanced-ngd").descriptor();
    return new Suitability(network, new Linear(), new Mixing.Mean()).scales(balanced, fit.sizes());
  }

  private static Network network(String spec) {
    return Network.of(Topology.parse(spec, SortedFit.CLIENTS, Streams.of(2)));
  }

  private Extrapolation.Outcome extrapolated(Network network, double alpha, int rounds) {
    GradientScales scales = scales(network);
    return fit.on(network)
        .within(
            world ->
                Extrapolation.run(
                    world,
                    step -> new BalancedNgd(StepSize.constant(step), scales),
                    alpha,
                    rounds,
                    8,
                    _ -> Hook.none()));
  }

  /** The star is the network that the paper calls inconsistent. */
  @Test
  void run_balancedNgdOnSortedData_comesToThePooledEstimate() {
    for (String spec :
        new String[] {"central", "complete", "regular:4", "circle:4", "regular:2", "circle:2"}) {
      Extrapolation.Outcome found = extrapolated(network(spec), 0.02, 6000);
      assertThat(found.summary().sound()).isTrue();
      assertThat(found.summary().ratio()).isCloseTo(2, within(0.05));
      assertThat(SortedFit.worst(found.theta(), fit.pooled())).as(spec).isLessThan(1e-6);
      assertThat(found.summary().runs())
          .as(spec)
          .isEqualTo(spec.equals("central") || spec.equals("complete") ? 3 : 4);
    }
  }

  /**
   * Oracle: the stable solutions at α, α/2 and α/4, solved and not run, combined. Three runs leave
   * over the bias's third term; they are not short of rounds.
   */
  @Test
  void run_threeRuns_leaveOverWhatTheirStableSolutionsDo() {
    for (String spec : new String[] {"central", "complete"}) {
      Network network = network(spec);
      GradientScales scales = scales(network);
      double[] factors = new double[SortedFit.CLIENTS];
      Arrays.setAll(factors, scales::of);
      double[] weights = {1 / 3.0, -2, 8 / 3.0};
      double[][] expected = new double[SortedFit.CLIENTS][8];
      for (int run = 0; run < 3; run++) {
        StableSolution stable =
            StableSolution.of(
                Problem.of(network, new Linear(), fit.shards(), 0.02 / (1 << run))
                    .scaledBy(factors));
        for (int m = 0; m < expected.length; m++) {
          for (int j = 0; j < 8; j++) {
            expected[m][j] += weights[run] * stable.of(m)[j];
          }
        }
      }
      Extrapolation.Outcome found = extrapolated(network, 0.02, 6000);
      assertThat(SortedFit.worst(RoundsContract.copy(found.theta()), expected)).isLessThan(2e-9);
    }
  }

  /** So few rounds that nothing has settled: the differences say nothing of the bias. */
  @Test
  void run_tooFewRounds_isNotSound() {
    assertThat(extrapolated(DIRECTED, 1e-4, 200).summary().sound()).isFalse();
  }

  /** Half of 2 / max c λmax at the start; the last is smaller, and the end nearer the pooled. */
  @Test
  void autoStep_linear_startsAtHalfTheSafeLimitAndEndsNearerThanIt() {
    GradientScales scales = scales(DIRECTED);
    double steepest = 0;
    for (int m = 0; m < SortedFit.CLIENTS; m++) {
      double[] hessian = new double[64];
      new Linear().hessian(fit.shards().shard(m), new double[8], hessian);
      steepest = Math.max(steepest, scales.of(m) * SymmetricMatrix.largestEigenvalue(hessian, 8));
    }
    AutoStep<Ngd.State> auto =
        new AutoStep<>(
            step -> new BalancedNgd(StepSize.constant(step), scales), scales, 1, 0, false);
    try (Run<AutoStep.State<Ngd.State>> run = fit.on(DIRECTED).start(auto)) {
      run.advance(1);
      assertThat(run.state().alpha()).isCloseTo(1 / steepest, within(1e-12));
      run.advance(5999);
      assertThat(run.state().alpha()).isLessThan(0.1 / steepest);
      double[][] half =
          fit.run(DIRECTED, new BalancedNgd(StepSize.constant(1 / steepest), scales), 6000);
      assertThat(SortedFit.worst(run.theta(), fit.pooled()))
          .isLessThan(0.1 * SortedFit.worst(half, fit.pooled()));
    }
  }

  @Test
  void autoStep_logistic_comesNearThePooledEstimate() {
    Shards shards = RandomData.shards(4, 3, RandomData.equal(6, 50), RandomData.labels(1, -1, 0.5));
    Simulation simulation =
        new Simulation(
            Network.of(new Topology.Circle(6, 1)), new Logistic().over(shards), Streams.of(1), 1);
    AutoStep<Ngd.State> auto =
        new AutoStep<>(step -> new Ngd(StepSize.constant(step)), GradientScales.NONE, 1, 0, false);
    try (Run<AutoStep.State<Ngd.State>> run = simulation.start(auto)) {
      run.advance(20_000);
      assertThat(SortedFit.worst(run.theta(), GlobalEstimate.of(new Logistic(), shards).theta()))
          .isLessThan(0.02);
    }
  }
}
