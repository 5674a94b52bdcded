package ngd.core.model;

import ngd.core.data.Shards;
import ngd.core.linalg.QuasiNewton;

/**
 * The minimiser of an own loss of which only value and gradient are known, by L-BFGS.
 *
 * <p>It stops when the gradient's norm is at most 1e-9 times (1 + the norm at the start), or, as
 * rounding allows no more, when the loss cannot be lowered and the norm is at most 1e-5 times that.
 */
final class LimitedMemory {
  private static final int LIMIT = 10_000;

  private LimitedMemory() {}

  /** A point that has been evaluated. */
  private static final class Point implements QuasiNewton.Point {
    private final double[] theta;
    private final double value;
    private final double[] gradient;

    Point(PooledLoss pooled, double[] theta) {
      this.theta = theta;
      value = pooled.value(theta);
      gradient = pooled.gradient(theta);
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double value() {
      return value;
    }

    @Override
    public double[] gradient() {
      return gradient;
    }
  }

  static GlobalEstimate minimise(Loss loss, Shards shards) {
    PooledLoss pooled = new PooledLoss(loss, shards);
    Point start = new Point(pooled, new double[pooled.parameters()]);
    double scale = 1 + start.norm();
    QuasiNewton.End end =
        QuasiNewton.from(
            start, theta -> new Point(pooled, theta), at -> at.norm() <= 1e-9 * scale, LIMIT);
    boolean stuck = end.outcome() == QuasiNewton.Outcome.NO_PROGRESS;
    if (end.outcome() == QuasiNewton.Outcome.DONE
        || (stuck && end.point().norm() <= 1e-5 * scale)) {
      return new GlobalEstimate(end.point().theta(), "L-BFGS", end.steps());
    }
    throw PooledLoss.notConverged(loss, LIMIT, end.point().gradient());
  }
}
