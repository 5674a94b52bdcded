package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every loss and its objective do. Oracle: finite differences, one order down; and the loss's
 * own plain loops for the objective's kernels.
 */
public abstract class LossContract {
  /** The number of features and each client's rows. */
  record Shape(int p, List<Integer> sizes) {
    Shape(int p, Integer... sizes) {
      this(p, List.of(sizes));
    }
  }

  protected abstract Loss loss();

  /** A response that this loss can meet at a linear predictor. */
  protected abstract double response(double eta, UniformRandomProvider draw);

  /** The same rows with times, where responses are events. */
  protected Shards timed(Shards shards) {
    return shards;
  }

  static Stream<Shape> shapes() {
    return Stream.of(
        new Shape(1, 1),
        new Shape(1, 9),
        new Shape(3, 40),
        new Shape(8, 3, 2, 5), // fewer rows than parameters
        new Shape(6, 1, 20, 6, 5, 7, 64, 2, 8), // some with fewer, some with more
        new Shape(9, 300, 17, 256, 1),
        new Shape(20, 33, 10));
  }

  final Shards shards(Shape shape) {
    int clients = shape.sizes().size();
    double[][][] x = new double[clients][][];
    double[][] y = new double[clients][];
    for (int m = 0; m < clients; m++) {
      UniformRandomProvider draw = Streams.of(1).stream(Streams.Purpose.DATA, shape.p(), m);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      x[m] = new double[shape.sizes().get(m)][shape.p()];
      y[m] = new double[shape.sizes().get(m)];
      for (int i = 0; i < y[m].length; i++) {
        Arrays.setAll(x[m][i], j -> normal.sample());
        y[m][i] = response(Arrays.stream(x[m][i]).sum() / shape.p(), draw);
      }
    }
    return timed(Shards.of(x, y));
  }

  /** Points of moderate size, another one for each client, in a padded block. */
  final double[] points(Shards shards, int p) {
    int stride = Kernels.padded(p);
    UniformRandomProvider draw = Streams.of(2).stream(Streams.Purpose.DATA, p);
    double[] block = new double[shards.clients() * stride];
    for (int i = 0; i < block.length; i++) {
      block[i] = i % stride < p ? (2 * draw.nextDouble() - 1) / Math.sqrt(p) : 0;
    }
    return block;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void gradient_anyShape_isTheDifferenceQuotientOfTheValue(Shape shape) {
    Shards shards = shards(shape);
    int p = loss().parameters(shape.p());
    double[] block = points(shards, p);
    double h = 1e-5;
    for (int m = 0; m < shards.clients(); m++) {
      double[] at = Arrays.copyOfRange(block, m * Kernels.padded(p), m * Kernels.padded(p) + p);
      double[] gradient = new double[p];
      Arrays.fill(gradient, Double.NaN); // what stood there must not count
      loss().gradient(shards.shard(m), at, gradient);
      for (int j = 0; j < p; j++) {
        double[] up = at.clone();
        double[] down = at.clone();
        up[j] += h;
        down[j] -= h;
        double above = loss().value(shards.shard(m), up);
        double below = loss().value(shards.shard(m), down);
        assertThat(gradient[j])
            .isCloseTo((above - below) / (2 * h), within(1e-7 * (1 + Math.abs(above))));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void gradients_anyShape_areTheLossesOwnAndKeepThePaddingZero(Shape shape) {
    Shards shards = shards(shape);
    Objective objective = loss().over(shards);
    int p = objective.parameters();
    int stride = Kernels.padded(p);
    double[] at = points(shards, p);
    double[] gradients = new double[at.length];
    objective.gradients(at, gradients, stride, 0, shards.clients());
    for (int m = 0; m < shards.clients(); m++) {
      double[] expected = new double[p];
      loss()
          .gradient(shards.shard(m), Arrays.copyOfRange(at, m * stride, m * stride + p), expected);
      double size = 1 + Arrays.stream(expected).map(Math::abs).max().orElseThrow();
      for (int j = 0; j < stride; j++) {
        assertThat(gradients[m * stride + j])
            .as("client %d, entry %d", m, j)
            .isCloseTo(j < p ? expected[j] : 0, within(j < p ? 1e-13 * size : 0));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void gradients_anyRangeOrAlone_haveTheSameBits(Shape shape) {
    Shards shards = shards(shape);
    Objective objective = loss().over(shards);
    int p = objective.parameters();
    int stride = Kernels.padded(p);
    double[] at = points(shards, p);
    double[] whole = new double[at.length];
    objective.gradients(at, whole, stride, 0, shards.clients());
    double[] parts = new double[at.length];
    int cut = shards.clients() / 2;
    objective.gradients(at, parts, stride, cut, shards.clients());
    objective.gradients(at, parts, stride, 0, cut);
    assertThat(parts).isEqualTo(whole);
    for (int m = 0; m < shards.clients(); m++) {
      double[] alone = new double[3 + p + 2];
      Arrays.fill(alone, -7);
      objective.gradient(m, at, m * stride, alone, 3);
      for (int j = 0; j < alone.length; j++) {
        double expected = j < 3 || j >= 3 + p ? -7 : whole[m * stride + j - 3];
        assertThat(Double.doubleToRawLongBits(alone[j]))
            .isEqualTo(Double.doubleToRawLongBits(expected));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void batchGradient_allRowsInAnyOrder_isTheFullGradientUpToRounding(Shape shape) {
    Shards shards = shards(shape);
    Objective objective = loss().over(shards);
    int p = objective.parameters();
    int stride = Kernels.padded(p);
    double[] at = points(shards, p);
    double[] full = new double[at.length];
    objective.gradients(at, full, stride, 0, shards.clients());
    for (int m = 0; m < shards.clients(); m++) {
      int n = shards.rows(m);
      int[] backwards = IntStream.range(0, n).map(i -> n - 1 - i).toArray();
      double[] batch = new double[p + 1];
      objective.batchGradient(m, backwards, 0, n, at, m * stride, batch, 1);
      for (int j = 0; j < p; j++) {
        double expected = full[m * stride + j];
        assertThat(batch[1 + j]).isCloseTo(expected, within(2e-13 * (1 + Math.abs(expected))));
      }
    }
  }

  /** The mean over some rows, those of the batch and no others. */
  @ParameterizedTest
  @MethodSource("shapes")
  void batchGradient_someRows_isTheGradientOfAShardOfThese(Shape shape) {
    Shards shards = shards(shape);
    if (shards.shard(0).isTimed()) {
      return; // A batch has other risk sets: they are refused.
    }
    Objective objective = loss().over(shards);
    int p = objective.parameters();
    int stride = Kernels.padded(p);
    double[] at = points(shards, p);
    for (int m = 0; m < shards.clients(); m++) {
      int n = shards.rows(m);
      int[] order = IntStream.range(0, n).map(i -> (i * 7 + 3) % n).toArray();
      int from = n / 3;
      int to = Math.max(from + 1, 2 * n / 3);
      double[][] x = new double[to - from][shape.p()];
      double[] y = new double[to - from];
      for (int i = from; i < to; i++) {
        shards.shard(m).row(order[i], x[i - from]);
        y[i - from] = shards.shard(m).y(order[i]);
      }
      double[] expected = new double[p];
      loss()
          .gradient(
              Shards.of(new double[][][] {x}, new double[][] {y}).shard(0),
              Arrays.copyOfRange(at, m * stride, m * stride + p),
              expected);
      double[] batch = new double[p];
      objective.batchGradient(m, order, from, to, at, m * stride, batch, 0);
      for (int j = 0; j < p; j++) {
        assertThat(batch[j]).isCloseTo(expected[j], within(1e-13 * (1 + Math.abs(expected[j]))));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void value_anyShape_isTheLossesOwn(Shape shape) {
    Shards shards = shards(shape);
    Objective objective = loss().over(shards);
    double[] at = Arrays.copyOf(points(shards, objective.parameters()), objective.parameters());
    for (int m = 0; m < shards.clients(); m++) {
      assertThat(objective.value(m, at)).isEqualTo(loss().value(shards.shard(m), at));
    }
    assertThat(objective.clients()).isEqualTo(shape.sizes().size());
    assertThat(objective.work()).isPositive();
  }
}
