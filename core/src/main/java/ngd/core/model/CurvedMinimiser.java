package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The minimiser of an own loss with a Hessian: Newton's method, with a multiple of the identity
 * added where the Hessian is not positive definite and steps halved until the loss falls enough
 * (Armijo).
 */
record CurvedMinimiser(CurvedLoss loss, PooledLoss pooled)
    implements DampedNewton.Rules<CurvedMinimiser.Place> {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(500, 59);

  /** The share of what the slope promises that a step must bring. */
  private static final double ENOUGH = 1e-4;

  /** What rounding may do to a value, beside it. */
  private static final double ROUNDING = 1e-15;

  static GlobalEstimate minimise(CurvedLoss loss, Shards shards, double[] start) {
    PooledLoss pooled = new PooledLoss(loss, shards);
    CurvedMinimiser rules = new CurvedMinimiser(loss, pooled);
    DampedNewton.End<Place> end =
        DampedNewton.from(rules.at(start, pooled.value(start)), rules, LIMITS);
    Place last = end.point();
    if (end.outcome() != DampedNewton.Outcome.DONE) {
      boolean stuck = end.outcome() == DampedNewton.Outcome.NO_PROGRESS;
      throw PooledLoss.notConverged(loss, end.steps() + (stuck ? 1 : 0), last.gradient);
    }
    double[] further = DampedNewton.moved(last.theta, 1, last.move);
    boolean better = pooled.value(further) <= last.value + last.rounding();
    return new GlobalEstimate(better ? further : last.theta, "Newton's method", end.steps() + 1);
  }

  @Override
  public double value(double[] theta) {
    return pooled.value(theta);
  }

  @Override
  public Place at(double[] theta, double value) {
    double[] gradient = pooled.gradient(theta);
    double[] step = step(pooled.hessian(loss, theta), gradient, theta.length);
    double[] move = new double[step.length];
    for (int j = 0; j < move.length; j++) {
      move[j] = -step[j];
    }
    return new Place(theta, value, gradient, move);
  }

  @Override
  public double ceiling(Place here, double share) {
    return here.value + ENOUGH * share * here.slope();
  }

  @Override
  public boolean done(Place here) {
    return here.slope() >= -here.rounding();
  }

  /** H⁻¹g, with the smallest of a growing series of shifts that makes H positive definite. */
  private static double[] step(double[] hessian, double[] gradient, int p) {
    double size = 0;
    for (int j = 0; j < p; j++) {
      size = Math.max(size, Math.abs(hessian[j * p + j]));
    }
    Optional<double[]> step = SymmetricMatrix.solve(hessian, p, gradient);
    for (double shift = 1e-10; step.isEmpty() && shift < 1e30; shift *= 10) {
      double[] shifted = hessian.clone();
      for (int j = 0; j < p; j++) {
        shifted[j * p + j] += shift * (size > 0 ? size : 1);
      }
      step = SymmetricMatrix.solve(shifted, p, gradient);
    }
    return step.orElse(gradient);
  }

  /** A point with the loss's quadratic model there. */
  static final class Place implements DampedNewton.Point {
    private final double[] theta;
    private final double value;
    private final double[] gradient;
    private final double[] move;

    Place(double[] theta, double value, double[] gradient, double[] move) {
      this.theta = theta;
      this.value = value;
      this.gradient = gradient;
      this.move = move;
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double[] move() {
      return move;
    }

    /** By how much the loss would fall along the whole move, were it straight. */
    double slope() {
      return PooledLoss.dot(gradient, move);
    }

    double rounding() {
      return ROUNDING * (1 + Math.abs(value));
    }
  }
}
