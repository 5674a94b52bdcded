package ngd.core.inference;

import java.util.Arrays;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.QuasiNewton;
import ngd.core.model.Gamma;
import ngd.core.model.Glm;
import ngd.core.world.World;

/**
 * The likelihood of all clients' rows with its penalty, as a function of a point that all of them
 * share. Every evaluation is one total.
 *
 * @param coefficients how many there are
 * @param width how many the rows have features for; those after the coefficients are held at 0
 */
record PooledLikelihood(
    World world, Glm glm, int coefficients, int width, Size size, Penalty penalty) {
  /** Residuals below this share of the linear predictors are rounding. */
  private static final double PRECISION = 1e-9;

  /**
   * That of the first coefficients alone, unpenalised: in the order of {@link Coordinates} those of
   * the first columns.
   */
  PooledLikelihood leading(int first) {
    Penalty none = Penalty.of(new double[first * first], first);
    return new PooledLikelihood(world, glm, first, width, size, none);
  }

  /** A point with zeros for the coefficients that are left out. */
  double[] whole(double[] theta) {
    return theta.length == width ? theta : Arrays.copyOf(theta, width);
  }

  /**
   * The loss with its penalty, a total of one number; infinite where some client's is no number.
   */
  double value(double[] theta) {
    double[] at = whole(theta);
    double loss = Pooled.bounded(world, m -> world.curved().moments(m).sums(at, loss(glm)))[0];
    return Pooled.within(loss)
        ? loss + size.rows() * penalty.value(theta)
        : Double.POSITIVE_INFINITY;
  }

  /** All that is known of a point, by a total of 2 + p + p (p + 1) / 2 numbers. */
  Likelihood at(double[] theta) {
    return at(theta, true);
  }

  /**
   * The same by a total of 3 + p: of the Hessian only its trace, and the multiple of 1 that has it
   * stands for the Hessian, which in whitened coordinates is right for the linear model and near
   * for others.
   */
  Likelihood traced(double[] theta) {
    return at(theta, false);
  }

  /** The expected information with the penalty's curvature, by a total of p (p + 1) / 2. */
  double[] information(double[] theta) {
    int p = coefficients;
    double[] at = whole(theta);
    Moments.RowTerm weight = (eta, y, offset, w) -> w == 0 ? 0 : w * glm.information(eta);
    double[] sums =
        Pooled.bounded(
            world, m -> Pooled.triangle(leading(world.curved().moments(m).squares(at, weight)), p));
    return Penalty.sum(Pooled.symmetric(sums, 0, p), penalty.matrix(), size.rows());
  }

  /** What is known of a point without its curvature. */
  static final class Scored implements QuasiNewton.Point {
    private final double[] theta;
    private final double loss;
    private final double penalised;
    private final double pearson;
    private final double[] score;

    private Scored(double[] theta, double loss, double penalised, double pearson, double[] score) {
      this.theta = theta;
      this.loss = loss;
      this.penalised = penalised;
      this.pearson = pearson;
      this.score = score;
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double value() {
      return penalised;
    }

    @Override
    public double[] gradient() {
      return score;
    }

    double pearson() {
      return pearson;
    }

    /** The same with the diagonal of the Hessian, which stands for all of it. */
    Likelihood with(double[] curvatures) {
      int p = theta.length;
      double[] hessian = new double[p * p];
      for (int j = 0; j < p; j++) {
        hessian[j * (p + 1)] = curvatures[j];
      }
      return new Likelihood(theta, loss, penalised, pearson, score, hessian);
    }
  }

  /** Loss and score, by a total of 2 + p; infinite where some client's are no numbers. */
  Scored scored(double[] theta) {
    int p = coefficients;
    double[] at = whole(theta);
    double[] sums =
        Pooled.bounded(
            world,
            m -> {
              Moments moments = world.curved().moments(m);
              return Pooled.joined(moments.sums(at, loss(glm), pearson(glm)), score(moments, at));
            });
    double[] score = Arrays.copyOfRange(sums, 2, 2 + p);
    boolean whole = Pooled.within(sums[0]) && Arrays.stream(score).allMatch(Pooled::within);
    return new Scored(
        theta,
        sums[0],
        whole ? sums[0] + size.rows() * penalty.value(theta) : Double.POSITIVE_INFINITY,
        sums[1],
        Penalty.sum(score, penalty.slope(theta), size.rows()));
  }

  /** The diagonal of the Hessian, by a total of p. */
  double[] curvatures(double[] theta) {
    int p = coefficients;
    double[] curvatures =
        Pooled.bounded(
            world,
            m -> {
              Moments moments = world.curved().moments(m);
              double[] hessian = leading(moments.hessian(whole(theta)));
              double[] diagonal = new double[p];
              Arrays.setAll(diagonal, j -> moments.rows() / glm.factor() * hessian[j * (p + 1)]);
              return diagonal;
            });
    Arrays.setAll(curvatures, j -> curvatures[j] + size.rows() * penalty.matrix()[j * (p + 1)]);
    return curvatures;
  }

  private double[] score(Moments moments, double[] theta) {
    double scale = moments.rows() / glm.factor();
    return Arrays.stream(moments.gradient(theta)).limit(coefficients).map(g -> scale * g).toArray();
  }

  private Likelihood at(double[] theta, boolean whole) {
    int p = coefficients;
    double[] at = whole(theta);
    double[] sums = Pooled.bounded(world, m -> own(world.curved().moments(m), at, whole));
    double[] score = Arrays.copyOfRange(sums, 2, 2 + p);
    double[] hessian = Pooled.heard(sums, 2 + p, p, whole);
    return new Likelihood(
        theta,
        sums[0],
        sums[0] + size.rows() * penalty.value(theta),
        sums[1],
        Penalty.sum(score, penalty.slope(theta), size.rows()),
        Penalty.sum(hessian, penalty.matrix(), size.rows()));
  }

  private double[] own(Moments moments, double[] theta, boolean whole) {
    double scale = moments.rows() / glm.factor();
    double[] sums = moments.sums(theta, loss(glm), pearson(glm));
    double[] hessian = Arrays.stream(leading(moments.hessian(theta))).map(h -> scale * h).toArray();
    return Pooled.joined(sums, score(moments, theta), Pooled.shared(hessian, coefficients, whole));
  }

  /** The upper left block of a matrix that belongs to the coefficients. */
  private double[] leading(double[] matrix) {
    double[] block = new double[coefficients * coefficients];
    for (int i = 0; i < coefficients; i++) {
      System.arraycopy(matrix, i * width, block, i * coefficients, coefficients);
    }
    return block;
  }

  private static Moments.RowTerm loss(Glm glm) {
    return (eta, y, offset, weight) -> weight == 0 ? 0 : weight * glm.rowLoss(eta, y);
  }

  private static Moments.RowTerm pearson(Glm glm) {
    return (eta, y, offset, weight) -> {
      double mean = glm.mean(eta);
      if (weight == 0) {
        return 0;
      }
      if (glm instanceof Gamma) {
        // The squares of legal responses may be no numbers; those of relative residuals are.
        double relative = (y - mean) / mean;
        return weight * relative * relative;
      }
      return weight * (y - mean) * (y - mean) / glm.variance(mean);
    };
  }

  /** How far a point is from the estimate, in standard errors. */
  double distance(Likelihood at) {
    return at.distance(dispersion(at));
  }

  /**
   * Pearson's estimate where the family has a dispersion, else 1. A perfect fit has none to speak
   * of, and rounding must not be measured in units of rounding.
   */
  double dispersion(Likelihood at) {
    return dispersion(at.theta(), at.pearson());
  }

  /** The same from Pearson's statistic at a point. */
  double dispersion(double[] theta, double pearson) {
    long freedom = size.counted() - coefficients;
    if (!glm.dispersed() || freedom == 0) {
      return 1;
    }
    double length = 0;
    for (double t : theta) {
      length = Math.hypot(length, t);
    }
    double floor = PRECISION * (glm.factor() == 1 ? length : 1);
    return Math.max(pearson / freedom, floor * floor);
  }
}
