package ngd.core.model;

import ngd.core.data.Shard;

/**
 * A generalised linear model: a loss of linear predictors that is minus a log-likelihood (or, for
 * {@link Quasi}, stands for one), with a mean, a variance and a link.
 */
public sealed interface Glm extends Regression, CurvedPredictorLoss
    permits Linear, Logistic, Probit, LogLink, LinkedGlm, Quasi {

  /** The linear predictor of a mean: the inverse of {@link #mean}. */
  double predictor(double mean);

  /** The response's variance at a mean, in units of the dispersion. */
  double variance(double mean);

  @Override
  default double factor() {
    return Regression.super.factor();
  }

  /** Minus the log-likelihood of one response, without the terms that do not depend on eta. */
  @Override
  double rowLoss(double eta, double y);

  /** The derivative of {@link #rowLoss} by eta; for a canonical link the mean less the response. */
  @Override
  default double score(double eta, double y) {
    return mean(eta) - y;
  }

  /**
   * The second derivative of {@link #rowLoss} by eta, as observed; for a canonical link the same
   * for every response.
   */
  @Override
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
  @Override
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

  /**
   * The mean at an end of an interval of predictors around one that has a mean; beyond all that
   * have one, the limit of means there.
   */
  default double end(double eta, double inside) {
    return mean(eta);
  }

  /**
   * Writes, of one row, {@link #rowLoss}, {@link #score}, {@link #curvature}, {@link #mean} and
   * {@link #information}, which have much in common.
   */
  default void all(double eta, double y, double[] into) {
    into[0] = rowLoss(eta, y);
    into[1] = score(eta, y);
    into[2] = curvature(eta, y);
    into[3] = mean(eta);
    into[4] = information(eta);
  }

  /** What a response adds to Pearson's statistic. */
  default double pearson(double mean, double y) {
    return (y - mean) * (y - mean) / variance(mean);
  }

  /** How many numbers {@link #all} writes. */
  int ALL = 5;

  /** Where one response alone would put its predictor, pulled towards the inside of the range. */
  double startingPredictor(double y);

  /** By how much a move of its linear predictor makes a row's fit worse, if it does. */
  double against(double move, double y);

  /**
   * Writes {@code factor / n · Σ w largestCurvature(η, y, reach) x xᵀ}: a matrix above the Hessian
   * at every point at which no row's predictor is further than {@code reach} from that at theta.
   */
  default void majorant(Shard shard, double[] theta, double reach, double[] majorant) {
    squares(shard, theta, majorant, (eta, y) -> largestCurvature(eta, y, reach));
  }

  /** xᵀθ, by multiply-adds in the order of the columns. */
  static double dot(double[] x, double[] theta) {
    double eta = 0;
    for (int j = 0; j < x.length; j++) {
      eta = Math.fma(x[j], theta[j], eta);
    }
    return eta;
  }
}
