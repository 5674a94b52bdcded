package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.D2;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.algorithm.exact.Extra;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.algorithm.pushing.PushDiging;
import ngd.core.algorithm.pushing.PushPull;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The methods without bias come to the pooled estimate on sorted data. Oracle: least squares by QR.
 */
class PooledEstimateReachedTest {
  private static final StepSize ALPHA = StepSize.constant(0.02);

  private static final Network MUTUAL =
      Network.of(new Topology.Ring(SortedFit.CLIENTS, 2), new Weights.Metropolis());

  /** Directed, not balanced: circle:2 with some further links. */
  static final Network DIRECTED = directed();

  private static Network directed() {
    int clients = SortedFit.CLIENTS;
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      int[] heard = m % 4 == 0 ? new int[] {1, 2, 5, 9} : new int[] {1, 2};
      w[m][m] = 0.5;
      for (int hop : heard) {
        w[m][(m + hop) % clients] += 0.5 / heard.length;
      }
    }
    return Network.of(w);
  }

  static Stream<Arguments> exactMethods() {
    GradientScales none = GradientScales.NONE;
    GradientScales sizes = GradientScales.bySize(SortedFit.UNEQUAL.sizes());
    return Stream.of(new Object[] {none, SortedFit.EQUAL}, new Object[] {sizes, SortedFit.UNEQUAL})
        .flatMap(
            pair -> {
              GradientScales scales = (GradientScales) pair[0];
              return Stream.of(
                  Arguments.of(new D2(ALPHA, 0, scales), MUTUAL, pair[1]),
                  Arguments.of(new Diging(ALPHA, scales), MUTUAL, pair[1]),
                  Arguments.of(new Extra(ALPHA, scales), MUTUAL, pair[1]),
                  Arguments.of(new ExactDiffusion(ALPHA, scales), MUTUAL, pair[1]),
                  Arguments.of(new PushDiging(ALPHA, scales), DIRECTED, pair[1]),
                  Arguments.of(new PushPull(ALPHA, scales), DIRECTED, pair[1]));
            });
  }

  @ParameterizedTest
  @MethodSource("exactMethods")
  void run_exactMethodOnSortedData_comesToThePooledEstimate(
      Algorithm.Rounds<?> algorithm, Network network, SortedFit fit) {
    double[][] theta = fit.run(network, algorithm, 6000);
    assertThat(SortedFit.worst(theta, fit.pooled())).as(algorithm.toString()).isLessThan(1e-9);
  }

  /** Without its own column weights push-DIGing would have diverged here: W is not balanced. */
  @Test
  void run_pushDigingOnTheStar_comesToThePooledEstimate() {
    Network star = Network.of(new Topology.Central(SortedFit.CLIENTS));
    double[][] theta =
        SortedFit.EQUAL.run(
            star, new PushDiging(StepSize.constant(0.01), GradientScales.NONE), 12000);
    assertThat(SortedFit.worst(theta, SortedFit.EQUAL.pooled())).isLessThan(1e-6);
  }

  /** One local step of federated averaging is gradient descent on the pooled loss. */
  @Test
  void run_fedavgOneStep_comesToThePooledEstimateOfUnequalShards() {
    Network any = Network.of(Topology.parse("circle:1", SortedFit.CLIENTS, Streams.of(1)));
    double[][] theta =
        SortedFit.UNEQUAL.run(
            any, new FedAvg(ALPHA, new LocalDescent(0, 1, GradientScales.NONE)), 6000);
    assertThat(SortedFit.worst(theta, SortedFit.UNEQUAL.pooled())).isLessThan(1e-9);
  }
}
