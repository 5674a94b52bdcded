package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Glm;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Poisson;
import ngd.core.model.Probit;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.theory.Certificate;
import ngd.core.theory.Problem;
import ngd.core.theory.StableSolution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Oracle: {@code theory}, which shares no code with the simulator. */
class StableSolutionReachedTest {
  private static final int[] SIZES = {30, 12, 25, 40, 9, 33, 18, 21};

  static Stream<Arguments> cases() {
    return Stream.of("central", "circle:1", "circle:3", "fixed:2", "regular:3", "ring:2", "torus")
        .flatMap(
            network ->
                Stream.of(new Linear(), new Logistic(), new Poisson())
                    .map(loss -> Arguments.of(network, loss)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_untilNothingMoves_reachesTheStableSolution(String spec, Glm loss) {
    double[] truth = {0.5, -0.4, 0.2};
    Shards shards =
        RandomData.shards(
            31,
            3,
            SIZES,
            switch (loss) {
              case Linear l -> RandomData.noisy(truth);
              case Logistic l -> RandomData.labels(truth);
              case Poisson l -> RandomData.counts(truth);
              case Probit l -> RandomData.labels(truth);
              case NegativeBinomial l -> RandomData.counts(truth);
              case Glm other -> throw new AssertionError(other);
            });
    Topology topology = Topology.parse(spec, SIZES.length, Streams.of(3));
    Weights weights = spec.equals("ring:2") ? new Weights.Metropolis() : new Weights.Uniform();
    Network network = Network.of(topology, weights);
    double[] global = GlobalEstimate.of(loss, shards).theta();
    Problem problem = Problem.of(network, loss, shards, 0.05).near(global);
    assertThat(Certificate.of(problem).converges()).isTrue();
    StableSolution stable = StableSolution.of(problem);
    Simulation simulation = new Simulation(network, loss.over(shards), Streams.of(1), 1);
    double[][] start = new double[SIZES.length][3];
    start[0][0] = 1;
    start[3][2] = -1;
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.05)), start)) {
      run.advance(6000);
      for (int m = 0; m < SIZES.length; m++) {
        assertThat(run.theta().row(m)).containsExactly(stable.of(m), within(1e-11));
      }
      assertThat(Measure.distance(global).of(run.theta()))
          .isCloseTo(stable.distanceTo(global).orNaN(), within(1e-11));
    }
  }
}
