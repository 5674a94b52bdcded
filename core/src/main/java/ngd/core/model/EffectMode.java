package ngd.core.model;

import java.util.function.DoubleBinaryOperator;
import ngd.core.data.Shard;
import ngd.core.linalg.BlockCholesky;

/**
 * The most likely random effects of one client at given coefficients and relative covariance
 * factors: the u at which h(u) = Σ w ℓ(η) + |u|² / 2 is least, with η = Xβ + offset + ZΛu.
 *
 * <p>Newton's method with halved steps; ℓ is convex, so that there is one such u.
 */
final class EffectMode {
  private static final int MOST_STEPS = 200;
  private static final int MOST_HALVINGS = 40;

  /** After a step this short, convergence being quadratic, what remains is rounding. */
  private static final double SHORT = 1e-6;

  /** By how much of itself h may seem to rise for rounding alone. */
  private static final double ROUNDING = 1e-12;

  private final Glm glm;
  private final Shard shard;
  private final EffectBlocks blocks;
  private final double[][] factors;
  private final double[] fixed;
  private double[][] u;
  private double[] eta;
  private double loss;
  private boolean found;

  private EffectMode(
      Glm glm, Shard shard, EffectBlocks blocks, double[][] factors, double[] beta, double[][] u) {
    this.glm = glm;
    this.shard = shard;
    this.blocks = blocks;
    this.factors = factors;
    this.u = u;
    fixed = new double[shard.rows()];
    double[] x = new double[shard.features()];
    for (int i = 0; i < fixed.length; i++) {
      shard.row(i, x);
      double sum = shard.offset(i);
      for (int j = 0; j < beta.length; j++) {
        sum = Math.fma(x[j], beta[j], sum);
      }
      fixed[i] = sum;
    }
    eta = at(u);
    loss = loss(u, eta);
  }

  /**
   * Searches from a point.
   *
   * @param beta of the first features; the others have no coefficients
   */
  static EffectMode of(
      Glm glm,
      Shard shard,
      EffectBlocks blocks,
      double[][] factors,
      double[] beta,
      double[][] start) {
    EffectMode mode = new EffectMode(glm, shard, blocks, factors, beta, start);
    for (int step = 0; step < MOST_STEPS && !mode.found; step++) {
      if (!mode.step()) {
        break;
      }
    }
    return mode;
  }

  /** Takes a step; whether there is one to take. */
  private boolean step() {
    double[][] move = slope();
    BlockCholesky factor = blocks.factor(factors, blocks.squares(each(glm::curvature)));
    factor.forward(move, 1);
    factor.backward(move, 1);
    double longest = 0;
    for (double[] block : move) {
      for (double entry : block) {
        longest = Math.max(longest, Math.abs(entry));
      }
    }
    double share = 1;
    // Not a number where steps have left all bounds, and then never less.
    for (int halved = 0; longest < Double.POSITIVE_INFINITY && halved <= MOST_HALVINGS; halved++) {
      double[][] trial = moved(share, move);
      double[] there = at(trial);
      double value = loss(trial, there);
      if (value <= loss + ROUNDING * (1 + Math.abs(loss))) {
        u = trial;
        eta = there;
        loss = value;
        found = share == 1 && longest <= SHORT;
        return true;
      }
      share /= 2;
    }
    return false;
  }

  /** ∂h/∂u = ΛᵀZᵀ(w ℓ′) + u. */
  private double[][] slope() {
    double[][] slope = blocks.transposedProducts(factors, blocks.gathered(each(glm::score)));
    for (int j = 0; j < slope.length; j++) {
      for (int c = 0; c < slope[j].length; c++) {
        slope[j][c] += u[j][c];
      }
    }
    return slope;
  }

  private double[][] moved(double share, double[][] move) {
    double[][] moved = blocks.vector(1);
    for (int j = 0; j < moved.length; j++) {
      for (int c = 0; c < moved[j].length; c++) {
        moved[j][c] = Math.fma(-share, move[j][c], u[j][c]);
      }
    }
    return moved;
  }

  /** The linear predictors at some effects. */
  double[] at(double[][] effects) {
    return blocks.spread(fixed, blocks.products(factors, effects));
  }

  private double loss(double[][] effects, double[] predictors) {
    double sum = 0;
    for (double one : each(glm::rowLoss, predictors)) {
      sum += one;
    }
    for (double[] block : effects) {
      for (double entry : block) {
        sum = Math.fma(0.5 * entry, entry, sum);
      }
    }
    return sum;
  }

  /** Each row's weight times a function of its linear predictor and its response. */
  double[] each(DoubleBinaryOperator of, double[] predictors) {
    double[] each = new double[predictors.length];
    for (int i = 0; i < each.length; i++) {
      each[i] = shard.weight(i) * of.applyAsDouble(predictors[i], shard.y(i));
    }
    return each;
  }

  /** The same at the mode. */
  double[] each(DoubleBinaryOperator of) {
    return each(of, eta);
  }

  /** û. */
  double[][] u() {
    return u;
  }

  /** h(û). */
  double loss() {
    return loss;
  }

  /** Whether it was found; the rest means something only then. */
  boolean found() {
    return found;
  }
}
