package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every generalised linear model does besides. Oracles: the plain loops for kernels with
 * offsets and weights; the family's own density, summed or differentiated, for everything else.
 */
public abstract class GlmContract extends CurvedLossContract {
  @Override
  protected abstract Glm loss();

  /** The expectation over responses at a linear predictor, of which this family has its own. */
  protected abstract double expectation(double eta, DoubleUnaryOperator of);

  /** The same rows with offsets and weights, some of them 0 and 1. */
  private Shards weighted(Shape shape) {
    Shards plain = shards(shape);
    int[] sizes = shape.sizes().stream().mapToInt(n -> n).toArray();
    Shards.Filler filler = Shards.sized(shape.p(), sizes);
    UniformRandomProvider draw = Streams.of(5).stream(Streams.Purpose.DATA, shape.p());
    for (int m = 0; m < sizes.length; m++) {
      Shard shard = plain.shard(m);
      double[] row = new double[shape.p()];
      for (int i = 0; i < sizes[m]; i++) {
        shard.row(i, row);
        filler.put(
            m, i, row, shard.y(i), 2 * draw.nextDouble() - 1, draw.nextInt(4) + draw.nextDouble());
      }
    }
    return filler.done();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void gradients_offsetsAndWeights_areTheLossesOwnAndTheDifferenceQuotient(Shape shape) {
    Shards shards = weighted(shape);
    Objective objective = loss().over(shards);
    int p = shape.p();
    int stride = Kernels.padded(p);
    double[] at = points(shards, p);
    double[] gradients = new double[at.length];
    objective.gradients(at, gradients, stride, 0, shards.clients());
    for (int m = 0; m < shards.clients(); m++) {
      Shard shard = shards.shard(m);
      double[] point = Arrays.copyOfRange(at, m * stride, m * stride + p);
      double[] expected = new double[p];
      loss().gradient(shard, point, expected);
      double size = 1 + Arrays.stream(expected).map(Math::abs).max().orElseThrow();
      for (int j = 0; j < p; j++) {
        assertThat(gradients[m * stride + j]).isCloseTo(expected[j], within(1e-13 * size));
        double h = 1e-5;
        double[] up = point.clone();
        double[] down = point.clone();
        up[j] += h;
        down[j] -= h;
        double above = loss().value(shard, up);
        assertThat(expected[j])
            .isCloseTo(
                (above - loss().value(shard, down)) / (2 * h),
                within(1e-6 * (1 + Math.abs(above))));
      }
      double[] alone = new double[p];
      objective.gradient(m, at, m * stride, alone, 0);
      assertThat(alone).isEqualTo(Arrays.copyOfRange(gradients, m * stride, m * stride + p));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-3, -0.7, 0, 0.4, 2.5})
  void density_moderatePredictor_hasTheMeanTheVarianceAndTheInformation(double eta) {
    Glm glm = loss();
    double mean = expectation(eta, y -> y);
    double tolerance = 1e-7 * (1 + mean * mean);
    assertThat(expectation(eta, y -> 1)).isCloseTo(1, within(1e-9));
    assertThat(glm.mean(eta)).isCloseTo(mean, within(tolerance));
    assertThat(glm.predictor(glm.mean(eta))).isCloseTo(eta, within(1e-9));
    assertThat(glm.variance(mean))
        .isCloseTo(expectation(eta, y -> (y - mean) * (y - mean)), within(tolerance));
    assertThat(expectation(eta, y -> glm.score(eta, y))).isCloseTo(0, within(tolerance));
    assertThat(expectation(eta, y -> glm.curvature(eta, y)))
        .isCloseTo(glm.information(eta), within(tolerance));
    assertThat(expectation(eta, y -> glm.score(eta, y) * glm.score(eta, y)))
        .isCloseTo(glm.information(eta), within(tolerance));
  }

  @Test
  void least_possibleResponses_isTheLossAtThatMean() {
    Glm glm = loss();
    UniformRandomProvider draw = Streams.of(6).stream(Streams.Purpose.DATA);
    for (int i = 0; i < 50; i++) {
      double y = response(draw.nextDouble(), draw);
      double eta = Math.max(-600, Math.min(600, glm.predictor(y)));
      assertThat(glm.least(y)).isCloseTo(glm.rowLoss(eta, y), within(1e-9 * (1 + y * y)));
      for (double other : new double[] {-2, -0.5, 0.1, 1.5}) {
        assertThat(glm.rowLoss(other, y)).isGreaterThanOrEqualTo(glm.least(y) - 1e-12);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1e300, -1e5, -746, -40, -9, 0, 9, 40, 500, 501, 710, 1e5, 1e300})
  void everything_anyFinitePredictor_isNoNan(double eta) {
    UniformRandomProvider draw = Streams.of(7).stream(Streams.Purpose.DATA);
    for (int i = 0; i < 5; i++) {
      double y = response(0, draw);
      assertThat(loss().mean(eta)).isNotNaN();
      assertThat(loss().information(eta)).isFinite().isNotNegative();
      assertThat(loss().informationSlope(eta)).isFinite();
      assertThat(loss().score(eta, y)).isFinite();
      assertThat(loss().curvature(eta, y)).isFinite().isNotNegative();
      assertThat(loss().rowLoss(eta, y)).isNotNaN();
    }
  }

  /** The least upper bound: no curvature within reach is larger, and on a fine grid one is it. */
  @ParameterizedTest
  @ValueSource(doubles = {-20, -3, -0.7, 0, 0.2, 1.9, 4, 20})
  void largestCurvature_anyReach_isTheLargestWithinIt(double eta) {
    UniformRandomProvider draw = Streams.of(8).stream(Streams.Purpose.DATA);
    for (double reach : new double[] {0, 1e-3, 0.5, 4}) {
      double y = response(0.3, draw);
      double bound = loss().largestCurvature(eta, y, reach);
      double largest = 0;
      for (int i = -500; i <= 500; i++) {
        largest = Math.max(largest, loss().curvature(eta + reach * i / 500, y));
      }
      assertThat(largest).isLessThanOrEqualTo(bound * (1 + 1e-12));
      assertThat(largest).isCloseTo(bound, within(1e-4 * bound));
    }
  }

  /** xᵀBx against xᵀHx at points to which no predictor moves further than the reach. */
  @ParameterizedTest
  @MethodSource("shapes")
  void majorant_pointsWithinReach_liesAboveEveryHessian(Shape shape) {
    Shards shards = weighted(shape);
    int p = shape.p();
    int stride = Kernels.padded(p);
    double[] at = points(shards, p);
    UniformRandomProvider draw = Streams.of(9).stream(Streams.Purpose.DATA, p);
    for (int m = 0; m < shards.clients(); m++) {
      Shard shard = shards.shard(m);
      double[] point = Arrays.copyOfRange(at, m * stride, m * stride + p);
      double[] majorant = new double[p * p];
      loss().majorant(shard, point, 0.8, majorant);
      for (int trial = 0; trial < 10; trial++) {
        double[] way = new double[p];
        Arrays.setAll(way, j -> 2 * draw.nextDouble() - 1);
        double furthest = 1e-300;
        double[] row = new double[p];
        for (int i = 0; i < shard.rows(); i++) {
          shard.row(i, row);
          furthest = Math.max(furthest, Math.abs(Glm.dot(row, way)));
        }
        double[] there = point.clone();
        for (int j = 0; j < p; j++) {
          there[j] += 0.8 / furthest * way[j];
        }
        double[] hessian = new double[p * p];
        loss().hessian(shard, there, hessian);
        double above = quadratic(majorant, way);
        assertThat(quadratic(hessian, way)).isLessThanOrEqualTo(above + 1e-9 * Math.abs(above));
      }
    }
  }

  private static double quadratic(double[] matrix, double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        sum += x[i] * matrix[i * x.length + j] * x[j];
      }
    }
    return sum;
  }
}
