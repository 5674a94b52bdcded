package ngd.core.model;

import java.util.Arrays;
import ngd.core.linalg.GaussHermite;

/**
 * The integrals of exp(−h) over the effects of a client's groups, one effect a group, by adaptive
 * Gauss–Hermite quadrature: with û the mode, s = M^(−½) and points z_k of weights ω_k,
 *
 * <pre>
 *   A = log s + log Σ exp(log ω_k + z_k² / 2 − h(u_k)),   u_k = û + s z_k,
 *   −2 ∂A = (1 − s E) ∂M / M + 2 Σ π_k ∂h(u_k) + 2 B ∂û,
 *   E = Σ π_k h′(u_k) z_k,   B = Σ π_k h′(u_k),
 * </pre>
 *
 * where π_k are the shares of the points in the sum.
 */
final class EffectQuadrature {
  private final GaussHermite rule;
  private final Glm glm;
  private final EffectBlocks blocks;
  private final EffectMode mode;
  private final double[] deviations;
  private final double[][] shares;
  private final double value;

  /**
   * The integrals.
   *
   * @param deviations s of each group
   */
  EffectQuadrature(
      GaussHermite rule, Glm glm, EffectBlocks blocks, EffectMode mode, double[] deviations) {
    this.rule = rule;
    this.glm = glm;
    this.blocks = blocks;
    this.mode = mode;
    this.deviations = deviations;
    shares = new double[rule.count()][];
    for (int k = 0; k < shares.length; k++) {
      double[][] u = place(k);
      double[] sums = blocks.summed(mode.each(glm::rowLoss, mode.at(u)));
      double constant = rule.logWeight(k) + 0.5 * rule.point(k) * rule.point(k);
      for (int j = 0; j < sums.length; j++) {
        sums[j] = constant - sums[j] - 0.5 * u[j][0] * u[j][0];
      }
      shares[k] = sums;
    }
    double sum = 0;
    for (int j = 0; j < deviations.length; j++) {
      sum += StrictMath.log(deviations[j]) + normalise(j);
    }
    value = -2 * sum;
  }

  /** Turns the logarithms of a group's terms into shares; the logarithm of their sum. */
  private double normalise(int group) {
    double most = Double.NEGATIVE_INFINITY;
    for (double[] terms : shares) {
      most = Math.max(most, terms[group]);
    }
    double sum = 0;
    for (double[] terms : shares) {
      terms[group] = StrictMath.exp(terms[group] - most);
      sum += terms[group];
    }
    for (double[] terms : shares) {
      terms[group] /= sum;
    }
    return most + StrictMath.log(sum);
  }

  /** u_k of each group. */
  private double[][] place(int k) {
    double[][] u = blocks.vector(1);
    for (int j = 0; j < u.length; j++) {
      u[j][0] = Math.fma(rule.point(k), deviations[j], mode.u()[j][0]);
    }
    return u;
  }

  /** −2 Σ A. */
  double value() {
    return value;
  }

  /** What its derivatives are made of. */
  IntegralSlopes slopes(double factor) {
    double[] rows = new double[blocks.random().rows()];
    double[] spread = new double[deviations.length];
    double[][] ofMode = blocks.vector(1);
    Arrays.fill(spread, 1);
    double ofFactor = 0;
    for (int k = 0; k < shares.length; k++) {
      double[][] u = place(k);
      double[] scores = mode.each(glm::score, mode.at(u));
      double[][] gathered = blocks.gathered(scores);
      for (int j = 0; j < spread.length; j++) {
        double slope = shares[k][j] * Math.fma(factor, gathered[j][0], u[j][0]);
        spread[j] = Math.fma(-slope * rule.point(k), deviations[j], spread[j]);
        ofMode[j][0] += 2 * slope;
        ofFactor += 2 * shares[k][j] * gathered[j][0] * u[j][0];
      }
      for (int i = 0; i < rows.length; i++) {
        rows[i] = Math.fma(2 * shares[k][blocks.random().group(0, i)], scores[i], rows[i]);
      }
    }
    return new IntegralSlopes(rows, new double[][] {{ofFactor}}, spread, ofMode);
  }
}
