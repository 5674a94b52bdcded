package ngd.core.world;

import ngd.core.algorithm.ProximalStep;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Objective;
import ngd.core.rows.HostRows;

/**
 * Minimisers of convex losses plus ρ / 2 times the squared distance to a centre, by Newton's method
 * on the gradient's root: a step is halved until the gradient is shorter. The sum being strongly
 * convex, that happens for every gradient but 0, and the shorter the gradient the nearer the
 * minimiser; so no value is looked at, which would cost more than gradient and Hessian by kernels.
 * For one thread.
 */
final class NewtonProx {
  private static final int STEPS = 50;
  private static final int HALVINGS = 34;

  /** What share of a step must be seen in the gradient's length. */
  private static final double DECREASE = 0.1;

  private final Objective objective;
  private final GradientCount gradients;
  private final int p;
  private final double[] centre;
  private final double[] gradient;
  private final double[] hessian;
  private final double[] move;
  private int evaluations;
  private double[] theta;
  private double[] trial;

  NewtonProx(Objective objective, GradientCount gradients) {
    this.objective = objective;
    this.gradients = gradients;
    p = objective.parameters();
    centre = new double[p];
    gradient = new double[p];
    hessian = new double[p * p];
    move = new double[p];
    theta = new double[p];
    trial = new double[p];
  }

  /** Writes a client's minimiser; false where rounding is in the way, and nothing is written. */
  boolean solve(int m, HostRows centres, double rho, HostRows start, HostRows out) {
    ProximalStep.requirePositive(rho);
    evaluations = 0;
    boolean found = descend(m, centres, rho, start, out);
    // A Hessian counts as a gradient does.
    gradients.one(m, 2L * evaluations * objective.shards().rows(m));
    return found;
  }

  private boolean descend(int m, HostRows centres, double rho, HostRows start, HostRows out) {
    System.arraycopy(centres.values(), m * centres.stride(), centre, 0, p);
    System.arraycopy(start.values(), m * start.stride(), theta, 0, p);
    double length = evaluate(m, theta, rho);
    for (int step = 0; step < STEPS; step++) {
      for (int j = 0; j < p; j++) {
        hessian[j * p + j] += rho;
        move[j] = -gradient[j];
      }
      if (!SymmetricMatrix.solveOver(hessian, p, move)) {
        return false;
      }
      if (ProximalStep.isLast(theta, move)) {
        for (int j = 0; j < p; j++) {
          out.values()[m * out.stride() + j] = theta[j] + move[j];
        }
        return true;
      }
      double shorter = halved(m, rho, length);
      if (!(shorter < length)) {
        return false;
      }
      length = shorter;
    }
    return false;
  }

  /** Moves by the largest share that shortens the gradient, and gives its length there. */
  private double halved(int m, double rho, double length) {
    double share = 1;
    for (int halving = 0; halving <= HALVINGS; halving++) {
      for (int j = 0; j < p; j++) {
        trial[j] = Math.fma(share, move[j], theta[j]);
      }
      double there = evaluate(m, trial, rho);
      if (there <= (1 - DECREASE * share) * length) {
        double[] before = theta;
        theta = trial;
        trial = before;
        return there;
      }
      share /= 2;
    }
    return length;
  }

  /** Gradient and Hessian of the loss; the former then of the sum, of which it is the length. */
  private double evaluate(int m, double[] at, double rho) {
    evaluations++;
    objective.quadratic(m, at, gradient, hessian);
    double squares = 0;
    for (int j = 0; j < p; j++) {
      gradient[j] = Math.fma(rho, at[j] - centre[j], gradient[j]);
      squares = Math.fma(gradient[j], gradient[j], squares);
    }
    return Math.sqrt(squares);
  }
}
