package ngd.core.inference;

import java.util.Arrays;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;
import org.jspecify.annotations.Nullable;

/**
 * The sums of a {@link PooledLikelihood} at one point, with what follows from them: loss, score,
 * curvature and squared residuals of all rows, in units of one row's minus log-likelihood at
 * dispersion 1.
 */
final class Likelihood implements DampedNewton.Point {
  private final double[] theta;
  private final double loss;
  private final double penalised;
  private final double pearson;
  private final double[] score;
  private final double[] hessian;
  private boolean solved;
  private double @Nullable [] move;

  /**
   * The sums at a point.
   *
   * @param penalised the loss with the penalty
   * @param score of the loss with the penalty, as is the Hessian
   */
  Likelihood(
      double[] theta,
      double loss,
      double penalised,
      double pearson,
      double[] score,
      double[] hessian) {
    this.theta = theta;
    this.loss = loss;
    this.penalised = penalised;
    this.pearson = pearson;
    this.score = score;
    this.hessian = hessian;
  }

  /** Newton's step, found when first asked for; none where the Hessian is not positive definite. */
  private double @Nullable [] step() {
    if (!solved) {
      double[] against = new double[score.length];
      Arrays.setAll(against, j -> -score[j]);
      move = SymmetricMatrix.solve(hessian, score.length, against).orElse(null);
      solved = true;
    }
    return move;
  }

  /** The same sums with another matrix in the place of the Hessian. */
  Likelihood curved(double[] other) {
    return new Likelihood(theta, loss, penalised, pearson, score, other);
  }

  @Override
  public double[] theta() {
    return theta;
  }

  double loss() {
    return loss;
  }

  /** The loss with the penalty: what is minimised. */
  double penalised() {
    return penalised;
  }

  /** Pearson's statistic: squared residuals over variances at dispersion 1. */
  double pearson() {
    return pearson;
  }

  double[] score() {
    return score;
  }

  double[] hessian() {
    return hessian;
  }

  /** Whether every sum is a number that can be worked with, and the Hessian positive definite. */
  @Override
  public boolean usable() {
    return step() != null
        && Pooled.within(loss)
        && Arrays.stream(score).allMatch(Pooled::within)
        && Arrays.stream(hessian).allMatch(Pooled::within);
  }

  /** Newton's step −H⁻¹g. */
  @Override
  public double[] move() {
    double[] step = step();
    if (step == null) {
      throw new IllegalStateException("asked only of a usable point");
    }
    return step;
  }

  /**
   * √(gᵀH⁻¹g / dispersion): how far this point is from the estimate, in standard errors; no
   * coefficient, and no linear combination of them, is farther in units of its own.
   */
  double distance(double dispersion) {
    double sum = 0;
    double[] step = move();
    for (int j = 0; j < score.length; j++) {
      sum = Math.fma(-step[j], score[j], sum);
    }
    // Where the score is zero so is the distance, also where a perfect fit leaves no dispersion.
    return sum > 0 ? Math.sqrt(sum / dispersion) : 0;
  }
}
