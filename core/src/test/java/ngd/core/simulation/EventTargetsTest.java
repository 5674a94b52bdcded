package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.asynchronous.AdPsgd;
import ngd.core.algorithm.asynchronous.GoSgd;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.theory.Curvature;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What methods without rounds come to: each client's mean over a long time, since they fluctuate.
 * Oracle: the pooled estimate, by QR.
 */
class EventTargetsTest {
  private static final int CLIENTS = 8;

  /** A line of its own at every client, and unequal numbers of rows. */
  private static final Shards SHARDS =
      RandomData.shards(
          5, 2, new int[] {30, 10, 20, 60, 15, 25, 40, 12}, (m, x, draw) -> x[0] * m - x[1] + m);

  private static final double[] POOLED = GlobalEstimate.of(new Linear(), SHARDS).theta();

  private static Network network(String spec) {
    return Network.of(Topology.parse(spec, CLIENTS, Streams.of(1)), new Weights.Uniform());
  }

  /** The factors that a fit would use. */
  private static GradientScales scales(String algorithm, Network network) {
    AlgorithmChoice choice = AlgorithmChoice.of(algorithm, StepChoice.parse("0.1"));
    return new Suitability(network, new Linear(), new Mixing.Mean())
        .scales(choice.descriptor(), SHARDS.sizes());
  }

  /**
   * @param share of α in 1 / L, L being the largest eigenvalue of a client's scaled Hessian
   */
  private static Algorithm.Events<?> method(String algorithm, Network network, double share) {
    double[] factors = new double[CLIENTS];
    GradientScales scales = scales(algorithm, network);
    Arrays.setAll(factors, scales::of);
    double largest = Curvature.at(new Linear(), SHARDS, POOLED, factors).eigenvalues().largest();
    AlgorithmChoice choice = AlgorithmChoice.of(algorithm, StepChoice.parse("" + share / largest));
    return (Algorithm.Events<?>) choice.algorithm(scales, true, StepLimit.TWO);
  }

  /** Of the worst client's worst coefficient, on average over time. */
  private static double distance(
      Algorithm.Events<?> method, Network network, Impairments impairments, int seconds) {
    double[][] mean = new double[CLIENTS][POOLED.length];
    try (EventRun<?> run =
        new Simulation(network, new Linear().over(SHARDS), Streams.of(1), 1)
            .start(method, impairments)) {
      run.advance(seconds / 10.0);
      for (int second = 0; second < seconds; second++) {
        run.advance(1.0);
        for (int m = 0; m < CLIENTS; m++) {
          for (int j = 0; j < POOLED.length; j++) {
            mean[m][j] += run.state(m).theta().get(0, j) / seconds;
          }
        }
      }
    }
    return SortedFit.worst(mean, POOLED);
  }

  private static Impairments perfectBut(String clocks, double loss) {
    return new Impairments(Impairments.clocks(clocks), 0, loss, 0, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "ad-psgd, ring:1, unequal, 0",
    "ad-psgd, complete, unequal, 0",
    "ad-psgd, central, poisson, 0",
    "gosgd, central, equal, 0",
    "gosgd, fixed:2, poisson, 0",
    "gosgd, central, poisson, 0.3"
  })
  void run_smallerSteps_comeNearerThePooledEstimate(
      String algorithm, String spec, String clocks, double loss) {
    Network network = network(spec);
    Impairments impairments = perfectBut(clocks, loss);
    double near = distance(method(algorithm, network, 0.1), network, impairments, 20_000);
    double nearer = distance(method(algorithm, network, 0.025), network, impairments, 80_000);
    assertThat(nearer).isLessThan(0.4 * near);
    assertThat(nearer).isLessThan(0.5);
  }

  /** Lost letters took weight with them until nothing was left, and every client was alone. */
  @Test
  void gosgd_lettersLost_weightsStay() {
    Network network = network("ring:1");
    Impairments lossy = perfectBut("equal", 0.3);
    GoSgd method = (GoSgd) method("gosgd", network, 0.1);
    try (EventRun<GoSgd.State> run =
        new Simulation(network, new Linear().over(SHARDS), Streams.of(1), 1).start(method, lossy)) {
      double least = Double.POSITIVE_INFINITY;
      double most = 0;
      for (int look = 0; look < 200; look++) {
        run.advance(100.0);
        double sum = 0;
        for (int m = 0; m < CLIENTS; m++) {
          sum += run.state(m).weight();
        }
        least = Math.min(least, sum);
        most = Math.max(most, sum);
      }
      assertThat(least).isGreaterThan(1);
      assertThat(most).isLessThan(CLIENTS * (1 + 1e-9));
    }
  }

  /** Clocks that clients average tell each how long a step shall be; equal ones change nothing. */
  @Test
  void adPsgd_equalClocks_stepsAreOfLengthOne() {
    Network network = network("ring:1");
    AdPsgd method = (AdPsgd) method("ad-psgd", network, 0.1);
    try (EventRun<AdPsgd.State> run =
        new Simulation(network, new Linear().over(SHARDS), Streams.of(1), 1)
            .start(method, Impairments.PERFECT)) {
      run.advance(50.0);
      for (int m = 0; m < CLIENTS; m++) {
        assertThat(run.state(m).used()).isEqualTo(50);
        assertThat(run.state(m).clock()).isEqualTo(50);
      }
    }
  }
}
