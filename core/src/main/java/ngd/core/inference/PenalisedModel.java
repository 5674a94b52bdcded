package ngd.core.inference;

import java.util.Arrays;
import java.util.OptionalDouble;
import ngd.core.model.Glm;
import ngd.core.model.Linear;

/**
 * One penalised model on its way along a path of λ: that of all rows, or of those outside a fold.
 * Newton's method on the likelihood of its rows, each step to the least of the quadratic model with
 * the penalty ({@link PenalisedQuadratic}).
 */
final class PenalisedModel {
  /** A loss with its penalty may seem to rise by this share for rounding alone. */
  private static final double ROUNDING = 1e-12;

  private static final int MOST_HALVINGS = 40;

  private final PooledLikelihood likelihood;
  private final double weight;
  private final double[] absolute;
  private final double[] squared;
  private final double enough;
  private Likelihood here;
  private double[] target;
  private double lambda;
  private double share;
  private int halvings;
  private boolean done;

  /**
   * A model at a point.
   *
   * @param weight the sum of the weights of its rows
   * @param absolute the factor of λ |b_j| of each coefficient; infinite for one that is held at 0
   * @param squared that of λ b_j² / 2
   * @param enough the distance, in standard errors, that may remain
   */
  PenalisedModel(
      PooledLikelihood likelihood,
      double weight,
      double[] absolute,
      double[] squared,
      double enough,
      Likelihood here) {
    this.likelihood = likelihood;
    this.weight = weight;
    this.absolute = absolute;
    this.squared = squared;
    this.enough = enough;
    this.here = here;
    target = here.theta();
  }

  /** What a client adds to the total from which all is known of a point. */
  static double[] said(PooledLikelihood likelihood, int client, double[] theta) {
    return likelihood instanceof SummedLikelihood sums
            && sums.regression() instanceof Glm glm
            && !glm.convex()
        ? sums.saidExpected(client, theta)
        : likelihood.said(client, theta);
  }

  double[] said(int client) {
    return said(likelihood, client, trial());
  }

  PooledLikelihood likelihood() {
    return likelihood;
  }

  /** The estimate, where it is {@link #done}. */
  double[] estimate() {
    return target;
  }

  /** The loss there, by the quadratic model around a point that is within a share of an error. */
  double loss() {
    return quadratic(target);
  }

  boolean done() {
    return done;
  }

  /** Turns to the next λ. */
  void begin(double next) {
    lambda = next;
    aim();
  }

  /** Aims at the least of the quadratic model around the point. */
  private void aim() {
    int p = here.theta().length;
    double[] score = new double[p];
    Arrays.setAll(score, j -> here.score()[j] / weight);
    double[] hessian = Arrays.stream(here.hessian()).map(h -> h / weight).toArray();
    target = PenalisedQuadratic.least(here.theta(), score, hessian, absolute, squared, lambda);
    share = 1;
    halvings = 0;
    if (likelihood.regression() instanceof Linear) {
      here = moved(target);
      done = true;
      return;
    }
    done = distance() <= enough;
  }

  /** How far the aim is, in standard errors of the model without a penalty. */
  private double distance() {
    double[] step = step();
    double sum = 0;
    for (int i = 0; i < step.length; i++) {
      for (int j = 0; j < step.length; j++) {
        sum = Math.fma(step[i] * step[j], here.hessian()[i * step.length + j], sum);
      }
    }
    return Math.sqrt(Math.max(0, sum) / dispersion());
  }

  private double dispersion() {
    double floor = PooledLikelihood.PRECISION * PooledLikelihood.PRECISION;
    return likelihood.regression().dispersed()
        ? Math.max(here.pearson() / likelihood.size().counted(), floor)
        : 1;
  }

  private double[] step() {
    double[] step = target.clone();
    for (int j = 0; j < step.length; j++) {
      step[j] -= here.theta()[j];
    }
    return step;
  }

  /** The loss at a point by the quadratic model, which is exact for least squares. */
  double quadratic(double[] point) {
    return moved(point).loss();
  }

  private Likelihood moved(double[] point) {
    int p = point.length;
    double[] step = new double[p];
    Arrays.setAll(step, j -> point[j] - here.theta()[j]);
    double[] score = here.score().clone();
    double loss = here.loss();
    for (int i = 0; i < p; i++) {
      double bend = 0;
      for (int j = 0; j < p; j++) {
        bend = Math.fma(here.hessian()[i * p + j], step[j], bend);
      }
      loss = Math.fma(step[i], score[i] + 0.5 * bend, loss);
      score[i] += bend;
    }
    return new Likelihood(point, loss, loss, 2 * loss, score, here.hessian());
  }

  /** The point that is tried next. */
  double[] trial() {
    double[] point = step();
    for (int j = 0; j < point.length; j++) {
      point[j] = share == 1 ? target[j] : Math.fma(share, point[j], here.theta()[j]);
    }
    return point;
  }

  /**
   * Takes in what is known of the point that was tried: goes there and aims anew, or tries one that
   * is nearer.
   */
  void heard(double[] total) {
    Likelihood there = likelihood.heard(trial(), total);
    double ceiling = objective(here);
    boolean sound =
        Pooled.within(there.loss())
            && Arrays.stream(there.score()).allMatch(Pooled::within)
            && Arrays.stream(there.hessian()).allMatch(Pooled::within);
    if (sound && objective(there) <= ceiling + ROUNDING * (1 + Math.abs(ceiling))) {
      here = there;
      aim();
    } else {
      share /= 2;
      // Where no point on the way is better, what is left is rounding.
      done = ++halvings > MOST_HALVINGS;
    }
  }

  /** The mean loss of a row with the penalty. */
  private double objective(Likelihood at) {
    double sum = at.loss() / weight;
    double[] theta = at.theta();
    for (int j = 0; j < theta.length; j++) {
      if (theta[j] != 0) {
        sum += lambda * Math.abs(theta[j]) * (absolute[j] + 0.5 * squared[j] * Math.abs(theta[j]));
      }
    }
    return sum;
  }

  /** The λ from which on all penalised coefficients are 0, seen from the model that has none. */
  OptionalDouble largest(double mix) {
    double most = 0;
    for (int j = 0; j < absolute.length; j++) {
      double factor = mix > 0 ? absolute[j] / mix : Math.sqrt(squared[j]);
      if (factor > 0 && !Double.isInfinite(factor)) {
        most = Math.max(most, Math.abs(here.score()[j]) / weight / factor / Math.max(mix, 1e-3));
      }
    }
    return most > 0 ? OptionalDouble.of(most) : OptionalDouble.empty();
  }
}
