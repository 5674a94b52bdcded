package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.codec.Codec;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: the ridge estimate of the pooled rows, by its normal equations. */
class WeightDecayTest {
  private static final int[] SIZES = {5, 12, 7, 30, 9, 6};
  private static final double LAMBDA = 0.3;

  private final Shards shards = RandomData.shards(8, 3, SIZES, RandomData.noisy(1.5, -0.5, 2));

  private double[] ridge() {
    double[] xx = new double[9];
    double[] xy = new double[3];
    int n = 0;
    for (int m = 0; m < SIZES.length; m++) {
      Shard shard = shards.shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        n++;
        for (int j = 0; j < 3; j++) {
          xy[j] += shard.x(i, j) * shard.y(i);
          for (int k = 0; k < 3; k++) {
            xx[3 * j + k] += shard.x(i, j) * shard.x(i, k);
          }
        }
      }
    }
    for (int j = 0; j < 3; j++) {
      xx[4 * j] += n * LAMBDA;
    }
    assertThat(SymmetricMatrix.solveInPlace(xx, 3, xy)).isTrue();
    return xy;
  }

  private static AlgorithmChoice choice(String spec, StepChoice step, double decay) {
    Algorithms.Named named = Algorithms.parse(spec);
    return new AlgorithmChoice(
        named.descriptor(),
        named.parameters(),
        step,
        0,
        1,
        new Codec.Full(),
        Optional.empty(),
        decay,
        new ClientSelection.All());
  }

  /** Exact methods, one by parts of rows, one over sums, one that finds its step size. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "extra 0.1",
        "diging 0.05",
        "scaffold 0.1",
        "gt-saga:3 0.02",
        "dlm 0.3",
        "exact-diffusion auto",
        "nids:1 0.1"
      })
  void run_exactMethods_comeToTheRidgeEstimate(String words) {
    String[] split = words.split(" ", -1);
    Network network = Network.of(new Topology.Ring(6, 2), new Weights.LazyMetropolis());
    Algorithm.Rounds<?> method =
        (Algorithm.Rounds<?>)
            choice(split[0], StepChoice.parse(split[1]), LAMBDA)
                .algorithm(GradientScales.bySize(SIZES), true, StepLimit.TWO);
    try (Run<?> run =
        new Simulation(network, new Linear().over(shards), Streams.of(5), 1).start(method)) {
      run.advance(4000);
      for (int m = 0; m < SIZES.length; m++) {
        assertThat(run.theta().row(m)).as(words).containsExactly(ridge(), within(1e-9));
      }
    }
  }

  @Test
  void problems_methodsThatUseMoreThanGradients_refuseIt() {
    for (String spec : List.of("bayesian", "collaborative", "d-admm", "model-propagation")) {
      assertThat(choice(spec, new StepChoice.None(), 0.1).problems().getLast())
          .contains("weight-decay", "does not learn by gradient steps alone");
    }
    assertThat(choice("ngd", StepChoice.parse("0.1"), -1).problems().getLast())
        .contains("must be 0 or more; got -1");
  }
}
