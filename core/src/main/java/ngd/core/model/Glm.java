package ngd.core.model;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import ngd.core.data.Shard;
import ngd.core.linalg.SymmetricMatrix;

/**
 * A generalised linear model: the loss depends on theta only through each row's linear predictor η
 * = xᵀθ + offset.
 *
 * <p>The loss of a shard of n rows is {@code factor / n · Σ w rowLoss(η, y)} with w the rows' prior
 * weights, its gradient {@code factor / n · Σ w score(η, y) x} and its Hessian {@code factor / n ·
 * Σ w curvature(η, y) x xᵀ}. What stands here are the definitions in plain loops.
 */
public sealed interface Glm extends Regression
    permits Linear, Logistic, Probit, LogLink, LinkedGlm, Quasi {

  /** The linear predictor of a mean: the inverse of {@link #mean}. */
  double predictor(double mean);

  /** The response's variance at a mean, in units of the dispersion. */
  double variance(double mean);

  /** Minus the log-likelihood of one response, without the terms that do not depend on eta. */
  double rowLoss(double eta, double y);

  /** The derivative of {@link #rowLoss} by eta; for a canonical link the mean less the response. */
  default double score(double eta, double y) {
    return mean(eta) - y;
  }

  /**
   * The second derivative of {@link #rowLoss} by eta, as observed; for a canonical link the same
   * for every response.
   */
  default double curvature(double eta, double y) {
    return information(eta);
  }

  /**
   * The largest {@link #curvature} at any predictor within {@code reach} of eta: twice the loss's
   * distance from its tangent there is at most that times the squared way. Infinite where there is
   * no bound.
   */
  double largestCurvature(double eta, double y, double reach);

  /** The second derivative of {@link #rowLoss} by eta that is expected at this eta (Fisher's). */
  double information(double eta);

  /** The derivative of {@link #information} by eta. */
  double informationSlope(double eta);

  /** The least {@link #rowLoss} that any predictor gives a response: the saturated model's. */
  default double least(double y) {
    return 0;
  }

  /**
   * What minus the log-likelihood of a row has besides its weight times {@link #rowLoss}, at
   * dispersion 1; 0 where the dispersion is estimated.
   */
  default double rest(double y, double weight) {
    return 0;
  }

  /** Whether {@link #rowLoss} is convex in eta, with a bound on its curvature near any point. */
  default boolean convex() {
    return true;
  }

  /** Whether every linear predictor has a mean that the family may have. */
  default boolean everywhere() {
    return true;
  }

  /** Whether larger predictors have smaller means. */
  default boolean decreasing() {
    return false;
  }

  @Override
  default boolean isMean() {
    return true;
  }

  /** Where one response alone would put its predictor, pulled towards the inside of the range. */
  double startingPredictor(double y);

  /** By how much a move of its linear predictor makes a row's fit worse, if it does. */
  double against(double move, double y);

  @Override
  default double value(Shard shard, double[] theta) {
    requireWidth(shard, theta);
    double[] x = new double[theta.length];
    double sum = 0;
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      sum += shard.weight(i) * rowLoss(dot(x, theta) + shard.offset(i), shard.y(i));
    }
    return factor() * sum / shard.rows();
  }

  @Override
  default void gradient(Shard shard, double[] theta, double[] gradient) {
    requireWidth(shard, theta);
    double[] x = new double[theta.length];
    Arrays.fill(gradient, 0);
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double residual = shard.weight(i) * score(dot(x, theta) + shard.offset(i), shard.y(i));
      for (int j = 0; j < x.length; j++) {
        gradient[j] = Math.fma(residual, x[j], gradient[j]);
      }
    }
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] = factor() * gradient[j] / shard.rows();
    }
  }

  @Override
  default void hessian(Shard shard, double[] theta, double[] hessian) {
    squares(shard, theta, hessian, this::curvature);
  }

  /**
   * Writes {@code factor / n · Σ w largestCurvature(η, y, reach) x xᵀ}: a matrix above the Hessian
   * at every point at which no row's predictor is further than {@code reach} from that at theta.
   */
  default void majorant(Shard shard, double[] theta, double reach, double[] majorant) {
    squares(shard, theta, majorant, (eta, y) -> largestCurvature(eta, y, reach));
  }

  /** {@code factor / n · Σ w weight(η, y) x xᵀ}. */
  private void squares(Shard shard, double[] theta, double[] out, DoubleBinaryOperator weightOf) {
    requireWidth(shard, theta);
    int p = theta.length;
    double[] x = new double[p];
    Arrays.fill(out, 0);
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double weight =
          shard.weight(i) * weightOf.applyAsDouble(dot(x, theta) + shard.offset(i), shard.y(i));
      SymmetricMatrix.addSquare(out, p, weight, x);
    }
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        out[j * p + k] = factor() * out[j * p + k] / shard.rows();
        out[k * p + j] = out[j * p + k];
      }
    }
  }

  /** xᵀθ, by multiply-adds in the order of the columns. */
  static double dot(double[] x, double[] theta) {
    double eta = 0;
    for (int j = 0; j < x.length; j++) {
      eta = Math.fma(x[j], theta[j], eta);
    }
    return eta;
  }

  private static void requireWidth(Shard shard, double[] theta) {
    if (theta.length != shard.features()) {
      throw new IllegalArgumentException(
          "theta: must have %d entries, one per feature; got %d"
              .formatted(shard.features(), theta.length));
    }
  }
}
