package ngd.core.inference;

import java.util.Arrays;
import java.util.OptionalDouble;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.model.Linear;

/**
 * One penalised model on its way along a path of λ: that of all rows, or of those outside a fold.
 * Newton's method on the likelihood of its rows, each step to the least of the quadratic model with
 * the penalty ({@link PenalisedQuadratic}).
 *
 * <p>Hessians are summed where steps go wrong; else that of the quadratic model follows from the
 * change of the score over every step ({@link SymmetricMatrix#secant}). From one λ to the next the
 * steps of a path are alike: what the model missed of the score at the first point of a λ it will
 * miss again, in proportion to the squared length of the step, and is told beforehand.
 */
final class PenalisedModel {
  /** A loss with its penalty may seem to rise by this share for rounding alone. */
  private static final double ROUNDING = 1e-12;

  private static final int MOST_HALVINGS = 40;

  /** Steps without a Hessian of their own go on while each leaves less than this share. */
  private static final double USEFUL = 0.1;

  /** So many times longer than the one before a step may be, if it is to be like that. */
  private static final double ALIKE = 2;

  /**
   * Of the distance that may remain, the share that may be left where it is foretold: what a step
   * left of the one before, the next will leave of it.
   */
  private static final double FORETOLD = 0.1;

  /** What is asked at the next point. */
  private enum Way {
    /** The score, the Hessian being made from those of points before. */
    SCORE,
    /** All, where one is. */
    HERE,
    /** All, at the trial point, where one goes if the objective falls. */
    GUARDED
  }

  private final PooledLikelihood likelihood;
  private final double weight;
  private final double[] absolute;
  private final double[] squared;
  private final double enough;
  private final int classes;
  private Likelihood here;
  private Way way;
  private double[] target;
  private double lambda;
  private double share;
  private int halvings;
  private boolean done;

  /** The points of this λ whose scores are known. */
  private int scored;

  /** What the quadratic model missed of the score at the first point of the λ before. */
  private double[] missed = {};

  /** How far that point was. */
  private double missedAfter;

  /**
   * A model at a point.
   *
   * @param weight the sum of the weights of its rows
   * @param absolute the factor of λ |b_j| of each coefficient; infinite for one that is held at 0
   * @param squared that of λ b_j² / 2
   * @param enough the distance, in standard errors, that may remain
   * @param classes how many coefficients a column has
   */
  PenalisedModel(
      PooledLikelihood likelihood,
      double weight,
      double[] absolute,
      double[] squared,
      double enough,
      int classes,
      Likelihood here) {
    this.likelihood = likelihood;
    this.weight = weight;
    this.absolute = absolute;
    this.squared = squared;
    this.enough = enough;
    this.classes = classes;
    this.here = here;
    way = Way.GUARDED;
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
    return switch (way) {
      case SCORE -> likelihood.saidScore(client, target);
      case HERE -> said(likelihood, client, here.theta());
      case GUARDED -> said(likelihood, client, trial());
    };
  }

  /** Whether scores are all that is said next. */
  boolean saysScore() {
    return way == Way.SCORE;
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
    way = likelihood.scores() ? Way.SCORE : Way.GUARDED;
    scored = 0;
    aim();
    double longer = distance() / missedAfter;
    if (!done && missed.length > 0 && longer <= ALIKE) {
      aim(Arrays.stream(missed).map(m -> longer * longer * m).toArray());
      done = false;
    }
  }

  private void aim() {
    aim(new double[here.theta().length]);
  }

  /**
   * Aims at the least of the quadratic model around the point.
   *
   * @param foretold what is added to its score
   */
  private void aim(double[] foretold) {
    int p = here.theta().length;
    double[] score = new double[p];
    Arrays.setAll(score, j -> (here.score()[j] + foretold[j]) / weight);
    double[] hessian = Arrays.stream(here.hessian()).map(h -> h / weight).toArray();
    target =
        PenalisedQuadratic.least(here.theta(), score, hessian, absolute, squared, lambda, classes);
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
    if (way == Way.SCORE) {
      nearer(likelihood.heardScore(target, total, here));
      return;
    }
    if (way == Way.HERE) {
      way = Way.GUARDED;
      here = likelihood.heard(here.theta(), total);
      aim();
      return;
    }
    Likelihood there = likelihood.heard(trial(), total);
    double ceiling = objective(here);
    boolean sound =
        Pooled.within(there.loss())
            && Arrays.stream(there.score()).allMatch(Pooled::within)
            && Arrays.stream(there.hessian()).allMatch(Pooled::within);
    if (sound && objective(there) <= ceiling + ROUNDING * (1 + Math.abs(ceiling))) {
      // Of what is left after a whole step most goes with the Hessian of where it ended.
      way = share == 1 && likelihood.scores() ? Way.SCORE : Way.GUARDED;
      here = there;
      aim();
    } else {
      share /= 2;
      // Where no point on the way is better, what is left is rounding.
      done = ++halvings > MOST_HALVINGS;
    }
  }

  /** Goes to a point whose score is known, if it is nearer to the estimate. */
  private void nearer(Likelihood scores) {
    Likelihood before = here;
    double far = distance();
    double left = Double.POSITIVE_INFINITY;
    Likelihood there = scores;
    if (Arrays.stream(scores.score()).allMatch(Pooled::within)) {
      there = scores.curved(bent(before, scores));
      here = there;
      aim();
      left = distance();
      // Of the first point it was told what to miss, which says nothing of the next.
      done |= ++scored > 1 && left / far * left <= FORETOLD * enough;
    }
    if (!done && !(left <= USEFUL * far)) {
      here = left < far ? there : before;
      way = Way.HERE;
    }
  }

  /** The Hessian that fits the change of the score from one point to another. */
  private double[] bent(Likelihood from, Likelihood to) {
    int p = to.theta().length;
    double[] step = new double[p];
    double[] bend = new double[p];
    Arrays.setAll(step, j -> to.theta()[j] - from.theta()[j]);
    Arrays.setAll(bend, j -> to.score()[j] - from.score()[j]);
    if (scored == 0) {
      missed = bend.clone();
      missedAfter = distance();
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          missed[i] = Math.fma(-from.hessian()[i * p + j], step[j], missed[i]);
        }
      }
    }
    return SymmetricMatrix.secant(from.hessian(), p, step, bend);
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
