package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every loss with a Hessian does besides. Oracle: finite differences of its gradient. */
public abstract class CurvedLossContract extends LossContract {
  @Override
  protected abstract CurvedLoss loss();

  @ParameterizedTest
  @MethodSource("shapes")
  void hessian_anyShape_isTheDifferenceQuotientOfTheGradient(Shape shape) {
    CurvedLoss curved = loss();
    Shards shards = shards(shape);
    int p = curved.parameters(shape.p());
    double[] block = points(shards, p);
    double h = 1e-5;
    for (int m = 0; m < shards.clients(); m++) {
      double[] at = Arrays.copyOfRange(block, m * Kernels.padded(p), m * Kernels.padded(p) + p);
      double[] hessian = new double[p * p];
      Arrays.fill(hessian, Double.NaN);
      curved.hessian(shards.shard(m), at, hessian);
      for (int j = 0; j < p; j++) {
        double[] up = at.clone();
        double[] down = at.clone();
        up[j] += h;
        down[j] -= h;
        double[] above = new double[p];
        double[] below = new double[p];
        curved.gradient(shards.shard(m), up, above);
        curved.gradient(shards.shard(m), down, below);
        for (int k = 0; k < p; k++) {
          double quotient = (above[k] - below[k]) / (2 * h);
          assertThat(hessian[j * p + k])
              .isCloseTo(quotient, within(1e-7 * (1 + Math.abs(quotient))));
          assertThat(hessian[j * p + k]).isEqualTo(hessian[k * p + j]);
        }
      }
    }
  }

  /** Oracle: value, gradient and Hessian, each of which is of one factor with its sum. */
  @ParameterizedTest
  @MethodSource("shapes")
  void sums_anyShape_areValueGradientAndHessian(Shape shape) {
    Assumptions.assumeTrue(loss() instanceof RowwiseLoss);
    RowwiseLoss rowwise = (RowwiseLoss) loss();
    Shards shards = shards(shape);
    int p = rowwise.parameters(shape.p());
    double[] block = points(shards, p);
    for (int m = 0; m < shards.clients(); m++) {
      Shard rows = shards.shard(m);
      double[] at = Arrays.copyOfRange(block, m * Kernels.padded(p), m * Kernels.padded(p) + p);
      double[] sums = rowwise.sums(rows, at, /* curved= */ true);
      double factor = rowwise.value(rows, at) / sums[0];
      assertThat(factor * rows.rows()).isCloseTo(Math.rint(factor * rows.rows()), within(1e-9));
      assertThat(factor * rows.rows()).isBetween(0.9, 2.1);
      double[] gradient = new double[p];
      double[] hessian = new double[p * p];
      rowwise.gradient(rows, at, gradient);
      rowwise.hessian(rows, at, hessian);
      int pair = 2 + p;
      for (int j = 0; j < p; j++) {
        assertThat(factor * sums[2 + j])
            .isCloseTo(gradient[j], within(1e-11 * (1 + Math.abs(gradient[j]))));
        for (int k = 0; k <= j; k++) {
          double expected = hessian[j * p + k];
          assertThat(factor * sums[pair++])
              .isCloseTo(expected, within(1e-11 * (1 + Math.abs(expected))));
        }
      }
      assertThat(sums).hasSize(pair);
      double[] flat = rowwise.sums(rows, at, /* curved= */ false);
      assertThat(flat[0]).isCloseTo(sums[0], within(1e-11 * (1 + Math.abs(sums[0]))));
      assertThat(flat[1]).isZero();
      for (int j = 0; j < p; j++) {
        assertThat(flat[2 + j]).isCloseTo(sums[2 + j], within(1e-11 * (1 + Math.abs(sums[2 + j]))));
      }
    }
  }
}
