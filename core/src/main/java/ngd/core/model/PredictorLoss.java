package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * A loss that depends on theta only through each row's linear predictor η = xᵀθ + offset: that of a
 * shard of n rows is {@code factor / n · Σ w rowLoss(η, y)} with w the rows' prior weights, its
 * gradient {@code factor / n · Σ w score(η, y) x}.
 *
 * <p>The definitions stand here in plain loops; {@link #over} is faster. An own loss of this kind
 * needs a name, {@link #rowLoss} and {@link #score} alone.
 */
public interface PredictorLoss extends Loss {
  /** What the mean over the rows is multiplied by. */
  default double factor() {
    return 1;
  }

  /** The loss of one row. */
  double rowLoss(double eta, double y);

  /** The derivative of {@link #rowLoss} by eta; a subgradient where it has a kink. */
  double score(double eta, double y);

  /** The least loss that any predictor would give a response. */
  default double least(double y) {
    return 0;
  }

  @Override
  default boolean isMean() {
    return true;
  }

  @Override
  default double value(Shard shard, double[] theta) {
    requireWidth(shard, theta);
    double[] x = new double[theta.length];
    double sum = 0;
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      sum += shard.weight(i) * rowLoss(Glm.dot(x, theta) + shard.offset(i), shard.y(i));
    }
    return factor() * sum / shard.rows();
  }

  @Override
  default double[] rowLosses(Shard shard, double[] theta) {
    requireWidth(shard, theta);
    double[] losses = new double[shard.rows()];
    double[] eta = new double[Shard.padded(losses.length)];
    shard.predictors(0, losses.length, theta, eta);
    for (int i = 0; i < losses.length; i++) {
      losses[i] = factor() * (rowLoss(eta[i], shard.y(i)) - least(shard.y(i)));
    }
    return losses;
  }

  @Override
  default void gradient(Shard shard, double[] theta, double[] gradient) {
    requireWidth(shard, theta);
    double[] x = new double[theta.length];
    Arrays.fill(gradient, 0);
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double residual = shard.weight(i) * score(Glm.dot(x, theta) + shard.offset(i), shard.y(i));
      for (int j = 0; j < x.length; j++) {
        gradient[j] = Math.fma(residual, x[j], gradient[j]);
      }
    }
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] = factor() * gradient[j] / shard.rows();
    }
  }

  @Override
  default Objective over(Shards shards) {
    return new PredictorObjective(this, shards);
  }

  /** Refuses a point that is not as wide as the rows. */
  static void requireWidth(Shard shard, double[] theta) {
    if (theta.length != shard.features()) {
      throw new IllegalArgumentException(
          "theta: must have %d entries, one per feature; got %d"
              .formatted(shard.features(), theta.length));
    }
  }
}
