package ngd.core.inference;

import java.util.Arrays;
import ngd.core.model.MEstimator;
import ngd.core.model.Quasi;
import ngd.core.model.Regression;
import ngd.core.world.World;

/**
 * The likelihood of all clients' rows with its penalty, as a function of a point that all of them
 * share. Every evaluation is one total.
 */
sealed interface PooledLikelihood permits SummedLikelihood, SymmetricLikelihood, GridLikelihood {
  /** Residuals below this share of the linear predictors are rounding. */
  double PRECISION = 1e-9;

  World world();

  Regression regression();

  /** How many coefficients there are. */
  int coefficients();

  /** How many the rows have features for; those after the coefficients are held at 0. */
  int width();

  Size size();

  Penalty penalty();

  /** Labels and counts that vary by less than this share of what they should fit perfectly. */
  double LEAST_DEVIATION = 0.1;

  /**
   * That of the first coefficients alone, unpenalised: in the order of {@link Coordinates} those of
   * the first columns.
   */
  PooledLikelihood leading(int first);

  /**
   * The loss with its penalty, a total of one number; infinite where some client's is no number.
   */
  double value(double[] theta);

  /** All that is known of a point: loss, score and Hessian. */
  default Likelihood at(double[] theta) {
    return heard(theta, Pooled.bounded(world(), m -> said(m, theta)));
  }

  /** What a client adds to the total from which all is known of a point. */
  double[] said(int client, double[] theta);

  /** All that is known of a point from that total. */
  Likelihood heard(double[] theta, double[] total);

  /** Whether the score can be had by itself, for less than the Hessian costs. */
  default boolean scores() {
    return false;
  }

  /** What a client adds to the total from which the loss and the score at a point are known. */
  default double[] saidScore(int client, double[] theta) {
    throw new UnsupportedOperationException("asked only where there are scores");
  }

  /** What is known of a point from that total, with the Hessian of a point nearby. */
  default Likelihood heardScore(double[] theta, double[] total, Likelihood nearby) {
    throw new UnsupportedOperationException("asked only where there are scores");
  }

  /** What a client adds to the total from which the loss at a point is known. */
  double[] saidLoss(int client, double[] theta);

  /** The loss at a point, without a penalty, from that total. */
  double heardLoss(double[] total);

  /** A point with zeros for the coefficients that are left out. */
  default double[] whole(double[] theta) {
    return theta.length == width() ? theta : Arrays.copyOf(theta, width());
  }

  /** The upper left block of a matrix that belongs to the coefficients. */
  default double[] leading(double[] matrix) {
    int p = coefficients();
    double[] block = new double[p * p];
    for (int i = 0; i < p; i++) {
      System.arraycopy(matrix, i * width(), block, i * p, p);
    }
    return block;
  }

  /** How far a point is from the estimate, in standard errors. */
  default double distance(Likelihood at) {
    return at.distance(dispersion(at));
  }

  /**
   * Pearson's estimate where the family has a dispersion, else 1. A perfect fit has none to speak
   * of, and rounding must not be measured in units of rounding.
   */
  default double dispersion(Likelihood at) {
    return regression() instanceof MEstimator ? squares(at) : dispersion(at.theta(), at.pearson());
  }

  /**
   * By how much the covariance of a loss that is no likelihood exceeds the inverse of its Hessian:
   * the squared scores over the mean curvature, in coordinates in which columns are orthonormal.
   */
  private static double squares(Likelihood at) {
    int p = at.theta().length;
    double trace = 0;
    for (int j = 0; j < p; j++) {
      trace += at.hessian()[j * (p + 1)];
    }
    double found = at.pearson() * p / trace;
    return found > 0 ? found : 1;
  }

  /** The same from Pearson's statistic at a point. */
  default double dispersion(double[] theta, double pearson) {
    long freedom = size().counted() - coefficients();
    if (!regression().dispersed() || freedom == 0) {
      return 1;
    }
    double length = 0;
    for (double t : theta) {
      length = Math.hypot(length, t);
    }
    // Labels that separate leave a quasi-family ever less dispersion to measure steps by.
    double floor =
        regression() instanceof Quasi
            ? LEAST_DEVIATION
            : PRECISION * (regression().factor() == 1 ? length : 1);
    // Pearson's statistic is in units of the weights.
    double unit = size().weight() / size().counted();
    return Math.max(pearson / freedom, floor * floor * unit);
  }
}
