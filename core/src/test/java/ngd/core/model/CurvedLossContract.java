package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
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
}
