package ngd.core.inference;

import java.util.Arrays;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.world.World;

/**
 * The pooled likelihood and its quadratic model at a point that all clients share: the sums over
 * all rows of loss, score, curvature and squared residuals, with what follows from them.
 *
 * <p>In units of one row's loss, minus its log-likelihood at dispersion 1.
 */
final class Likelihood {
  private final double loss;
  private final double penalised;
  private final double pearson;
  private final double[] score;
  private final double[] hessian;
  private final int p;

  private Likelihood(
      double loss, double penalised, double pearson, double[] score, double[] hessian) {
    this.loss = loss;
    this.penalised = penalised;
    this.pearson = pearson;
    this.score = score;
    this.hessian = hessian;
    p = score.length;
  }

  /**
   * By one total of 2 + p + p (p + 1) / 2 numbers a client, or of 3 + p.
   *
   * @param penalty of a row's mean loss, so that it counts N times
   * @param whole whether the Hessian is told; else its trace is, and a multiple of 1 stands for it,
   *     which in whitened coordinates it is for the linear model and near to for others
   */
  static Likelihood at(
      World world, Glm glm, double[] theta, Penalty penalty, double rows, boolean whole) {
    int p = theta.length;
    double[] sums = Pooled.total(world, m -> own(world.curved().moments(m), glm, theta, whole));
    double[] score = Arrays.copyOfRange(sums, 2, 2 + p);
    double[] hessian = Pooled.heard(sums, 2 + p, p, whole);
    return new Likelihood(
        sums[0],
        sums[0] + rows * penalty.value(theta),
        sums[1],
        Penalty.sum(score, penalty.slope(theta), rows),
        Penalty.sum(hessian, penalty.matrix(), rows));
  }

  /** The pooled loss with its penalty; infinite where some client's is no number. */
  static double loss(World world, Glm glm, double[] theta, Penalty penalty, double rows) {
    double[] sums =
        Pooled.total(
            world,
            m -> bounded(new double[] {world.curved().moments(m).sums(theta, loss(glm))[0]}));
    return sums[0] < HUGE ? sums[0] + rows * penalty.value(theta) : Double.POSITIVE_INFINITY;
  }

  /** What stands for a number that is none: exact sums take finite terms only. */
  private static final double HUGE = 1e290;

  private static double[] own(Moments moments, Glm glm, double[] theta, boolean whole) {
    int p = theta.length;
    double scale = moments.rows() / glm.factor();
    double[] sums = moments.sums(theta, loss(glm), pearson(glm));
    double[] score = Arrays.stream(moments.gradient(theta)).map(g -> scale * g).toArray();
    double[] hessian = Arrays.stream(moments.hessian(theta)).map(h -> scale * h).toArray();
    return bounded(Pooled.joined(sums, score, Pooled.told(hessian, p, whole)));
  }

  private static double[] bounded(double[] terms) {
    for (int i = 0; i < terms.length; i++) {
      if (!(Math.abs(terms[i]) < HUGE)) {
        terms[i] = HUGE;
      }
    }
    return terms;
  }

  static Moments.RowTerm loss(Glm glm) {
    return (eta, y, offset, weight) -> weight == 0 ? 0 : weight * glm.rowLoss(eta, y);
  }

  static Moments.RowTerm pearson(Glm glm) {
    return (eta, y, offset, weight) -> {
      double mean = glm.mean(eta);
      return weight == 0 ? 0 : weight * (y - mean) * (y - mean) / glm.variance(mean);
    };
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

  /** Whether every sum is a number that can be worked with. */
  boolean usable() {
    return loss < HUGE
        && Arrays.stream(score).allMatch(s -> Math.abs(s) < HUGE)
        && Arrays.stream(hessian).allMatch(h -> Math.abs(h) < HUGE);
  }

  /** Newton's step H⁻¹g, which leads from the estimate to this point; null if H is not definite. */
  double[] step() {
    return SymmetricMatrix.solve(hessian, p, score)
        .orElseThrow(
            () ->
                new ArithmeticException(
                    "the pooled Hessian is not positive definite up to rounding"));
  }

  /**
   * √(gᵀH⁻¹g / dispersion): how far this point is from the estimate, in standard errors; no
   * coefficient, and no linear combination of them, is farther in units of its own.
   */
  double distance(double[] step, double dispersion) {
    double sum = 0;
    for (int j = 0; j < p; j++) {
      sum = Math.fma(step[j], score[j], sum);
    }
    return Math.sqrt(Math.max(0, sum) / dispersion);
  }
}
