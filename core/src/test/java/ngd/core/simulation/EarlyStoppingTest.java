package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.RandomFeatures;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;

/** Oracles: the Gaussian kernel, and the function from which the responses came. */
class EarlyStoppingTest {
  private static final int ROWS = 120;
  private static final RandomFeatures FEATURES = new RandomFeatures(100, 0.05);

  private static double function(double x) {
    return Math.sin(2 * Math.PI * x);
  }

  private static Table table(double[] x, double noise) {
    double[] y = new double[x.length];
    UniformRandomProvider draw = Streams.of(8).stream(Streams.Purpose.DATA);
    var normal = ZigguratSampler.NormalizedGaussian.of(draw);
    for (int i = 0; i < x.length; i++) {
      y[i] = function(x[i]) + noise * normal.sample();
    }
    return Table.of("y", y, List.of("x"), new double[][] {x});
  }

  private static double[] grid(int rows) {
    double[] x = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[i] = (i + 0.5) / rows;
    }
    return x;
  }

  /** Σ φ(x) φ(x') tends to exp(−‖x − x'‖² / 2h²). */
  @Test
  void of_manyFeatures_productsAreTheGaussianKernel() {
    Table features = new RandomFeatures(20_000, 0.5).of(table(grid(5), 0), Streams.of(2));
    for (int a = 0; a < 5; a++) {
      for (int b = 0; b < 5; b++) {
        double product = 0;
        for (int d = 0; d < 20_000; d++) {
          product += features.x(a, d) * features.x(b, d);
        }
        double apart = (a - b) / 5.0;
        assertThat(product).isCloseTo(Math.exp(-apart * apart / 0.5), within(0.03));
      }
    }
  }

  @Test
  void parse_words_areReadOrRefused() {
    assertThat(RandomFeatures.parse("100:0.5")).isEqualTo(new RandomFeatures(100, 0.5));
    assertThat(RandomFeatures.parse("30")).isEqualTo(new RandomFeatures(30, 1));
    for (String wrong : new String[] {"x", "3.5", "0", "3:-1", "1:2:3"}) {
      assertThatThrownBy(() -> RandomFeatures.parse(wrong)).isInstanceOf(InvalidInput.class);
    }
  }

  /** Mean squared distance of a client's function to the true one, after this many iterations. */
  private static double error(int iterations) {
    Table noisy = FEATURES.of(table(grid(ROWS), 0.7), Streams.of(2));
    Shards shards =
        Partition.parse("random")
            .assign(noisy, OptionalInt.of(6), Placement.IN_ORDER, Streams.of(1))
            .shards(noisy);
    Simulation simulation =
        new Simulation(
            Network.of(new Topology.Complete(6)), new Linear().over(shards), Streams.of(1), 1);
    EarlyStopped method = new EarlyStopped(StepSize.constant(1), iterations, GradientScales.NONE);
    try (Run<Ngd.State> run = simulation.start(method)) {
      run.advance(iterations);
      double[] x = grid(500);
      Table clean = FEATURES.of(table(x, 0), Streams.of(2));
      double sum = 0;
      for (int i = 0; i < x.length; i++) {
        double fitted = 0;
        for (int d = 0; d < FEATURES.count(); d++) {
          fitted += clean.x(i, d) * run.theta().get(0, d);
        }
        sum += (fitted - function(x[i])) * (fitted - function(x[i]));
      }
      return sum / x.length;
    }
  }

  @Test
  void run_iterations_areTheRegulariser() {
    double few = error(1);
    double right = error(25);
    double many = error(200_000);
    assertThat(right).isLessThan(0.5 * few).isLessThan(0.7 * many);
  }
}
