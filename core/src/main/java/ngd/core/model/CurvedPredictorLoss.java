package ngd.core.model;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import ngd.core.data.Shard;
import ngd.core.linalg.SymmetricMatrix;

/**
 * A loss of linear predictors with a second derivative: the Hessian of a shard of n rows is {@code
 * factor / n · Σ w curvature(η, y) x xᵀ}.
 */
public interface CurvedPredictorLoss extends PredictorLoss, RowwiseLoss {
  /** The second derivative of {@link #rowLoss} by eta. */
  double curvature(double eta, double y);

  @Override
  default void hessian(Shard shard, double[] theta, double[] hessian) {
    squares(shard, theta, hessian, this::curvature);
  }

  @Override
  default double[] sums(Shard rows, double[] theta, boolean curved) {
    return PredictorSums.of(this, rows, theta, curved);
  }

  /** Writes {@code factor / n · Σ w weight(η, y) x xᵀ}. */
  default void squares(Shard shard, double[] theta, double[] out, DoubleBinaryOperator weightOf) {
    PredictorLoss.requireWidth(shard, theta);
    int p = theta.length;
    double[] x = new double[p];
    Arrays.fill(out, 0);
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double weight =
          shard.weight(i) * weightOf.applyAsDouble(Glm.dot(x, theta) + shard.offset(i), shard.y(i));
      SymmetricMatrix.addSquare(out, p, weight, x);
    }
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        out[j * p + k] = factor() * out[j * p + k] / shard.rows();
        out[k * p + j] = out[j * p + k];
      }
    }
  }
}
