package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.StepChoice;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: the pooled estimate, by QR. */
class AutoStepTest {
  private static Network network(String spec, String weights) {
    Topology topology = Topology.parse(spec, SortedFit.CLIENTS, Streams.of(2));
    return Network.of(topology, Weights.parse(weights, topology, new int[0]));
  }

  /** Every client has a line of its own, and covariates that are all but orthonormal. */
  private static Shards easy() {
    return RandomData.shards(
        11,
        2,
        RandomData.equal(SortedFit.CLIENTS, 400),
        (client, x, draw) -> x[0] + (client % 5) * x[1]);
  }

  /**
   * @param distance of the worst client's worst coefficient to the pooled estimate
   */
  private record End(double distance, double firstAlpha, double lastAlpha) {}

  private static End end(String algorithm, Network network, Shards shards, int rounds) {
    AlgorithmChoice choice = AlgorithmChoice.of(algorithm, new StepChoice.Auto());
    Suitability suitability = new Suitability(network, new Linear(), new Mixing.Mean());
    suitability.require(choice);
    Simulation simulation = new Simulation(network, new Linear().over(shards), Streams.of(1), 1);
    try (SimulatedRun begun =
        simulation.begin(
            choice.algorithm(
                suitability.scales(choice.descriptor(), shards.sizes()),
                true,
                suitability.limit(choice)),
            Impairments.PERFECT)) {
      Run<?> run = (Run<?>) begun;
      run.advance(1);
      double first = ((AutoStep.State<?>) run.state()).alpha();
      run.advance(rounds - 1);
      return new End(
          SortedFit.worst(run.theta(), GlobalEstimate.of(new Linear(), shards).theta()),
          first,
          ((AutoStep.State<?>) run.state()).alpha());
    }
  }

  /** The first window already ends at the fixed point; it stayed there, 1.7 away, for ever. */
  @Test
  void biasedMethod_dataOnWhichAWindowIsEnough_goesOnToThePooledEstimate() {
    Network circle = network("circle:2", "uniform");
    double few = end("balanced-ngd", circle, easy(), 2_000).distance();
    double many = end("balanced-ngd", circle, easy(), 50_000).distance();
    assertThat(few).isLessThan(0.02);
    assertThat(many).isLessThan(0.001);
  }

  /** A bias of order α, and α as small as a long run can make it. */
  @ParameterizedTest
  @CsvSource({
    "balanced-ngd, circle:2, uniform",
    "dgd, circle:2, uniform",
    "dgd, ring:1, lazy:0.1",
    "dgd, regular:3, lazy:0.05",
    "cfa, ring:2, metropolis",
    "cfa-ge, ring:2, metropolis",
    "sgp, circle:2, uniform"
  })
  void biasedMethod_sortedData_comesNearThePooledEstimate(
      String algorithm, String spec, String weights) {
    End end = end(algorithm, network(spec, weights), SortedFit.UNEQUAL.shards(), 20_000);
    assertThat(end.lastAlpha()).isLessThan(end.firstAlpha());
    assertThat(end.distance()).isLessThan(0.02);
  }

  /** The step size with which they begin is the one with which they end. */
  @ParameterizedTest
  @CsvSource({
    "extra, ring:2, metropolis, 16000",
    "exact-diffusion, ring:2, metropolis, 16000",
    "d2, ring:2, lazy-metropolis, 16000",
    "diging, ring:2, metropolis, 16000",
    "diging, regular:3, lazy:0.3, 40000",
    "push-diging, ring:2, uniform, 16000",
    "push-diging, exponential, uniform, 40000",
    "push-pull, ring:2, metropolis, 16000",
    "push-pull, exponential, lazy:0.5, 40000",
    "fedavg, complete, uniform, 4000"
  })
  void exactMethod_sortedData_isNeverCut(
      String algorithm, String spec, String weights, int rounds) {
    End end = end(algorithm, network(spec, weights), SortedFit.UNEQUAL.shards(), rounds);
    assertThat(end.lastAlpha()).isEqualTo(end.firstAlpha());
    assertThat(end.distance()).isLessThan(1e-11);
  }

  /** Half of (1 + λmin) / L where NGD's is 1 / L: λmin = −0.8 on this ring of even length. */
  @Test
  void dgd_lazyRing_beginsAtHalfOfItsOwnLimit() {
    Shards shards = SortedFit.EQUAL.shards();
    double own = end("dgd", network("ring:1", "lazy:0.1"), shards, 50).firstAlpha();
    double ngd = end("ngd", network("ring:1", "lazy:0.1"), shards, 50).firstAlpha();
    assertThat(own / ngd).isCloseTo(0.1, within(1e-12));
  }

  /**
   * All methods that have a step size can find their own, but for those of worst cases and for one
   * whose paper says of it no more than that it must be small.
   */
  @Test
  void everyMethod_lazyRing_runs() {
    Network network = network("ring:2", "lazy-metropolis");
    for (AlgorithmDescriptor one : Algorithms.all()) {
      if (List.of("dr-dsgd", "chi2-dro", "atg").contains(one.name())) {
        assertThatThrownBy(() -> end(one.name(), network, SortedFit.UNEQUAL.shards(), 300))
            .hasMessageContaining("no safe step size of `%s` is known", one.name());
      } else if (one.takesStepSize() && !one.asynchronous()) {
        End end = end(one.name(), network, SortedFit.UNEQUAL.shards(), 300);
        assertThat(end.distance()).as(one.name()).isLessThan(3);
      }
    }
  }

  /** W almost has a period, and clients hear others alone. */
  @Test
  void require_noLimitKnown_isRefused() {
    double[][] w = new double[3][3];
    for (int m = 0; m < 3; m++) {
      w[m][(m + 1) % 3] = 1;
    }
    w[0][1] -= 1e-300;
    w[0][2] += 1e-300;
    AlgorithmChoice choice = AlgorithmChoice.of("dgd", new StepChoice.Auto());
    Suitability suitability = new Suitability(Network.of(w), new Linear(), new Mixing.Mean());
    assertThatThrownBy(() -> suitability.require(choice))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("alpha: no safe step size of `dgd` is known on this network");
  }
}
