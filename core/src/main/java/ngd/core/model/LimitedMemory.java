package ngd.core.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import ngd.core.data.Shards;

/**
 * The minimiser of an own loss of which only value and gradient are known: L-BFGS (Nocedal and
 * Wright, Numerical Optimization, algorithm 7.4) with a bisection for the weak Wolfe conditions.
 *
 * <p>It stops when the gradient's norm is at most 1e-9 times (1 + the norm at the start), or, as
 * rounding allows no more, when the loss cannot be lowered and the norm is at most 1e-5 times that.
 */
final class LimitedMemory {
  private static final int LIMIT = 10_000;
  private static final int MEMORY = 20;

  private final PooledLoss pooled;
  private final Deque<Pair> pairs = new ArrayDeque<>();

  private LimitedMemory(PooledLoss pooled) {
    this.pooled = pooled;
  }

  /** A step and the change of the gradient along it. */
  private static final class Pair {
    final double[] step;
    final double[] change;
    final double curvature;

    Pair(double[] step, double[] change) {
      this.step = step;
      this.change = change;
      curvature = PooledLoss.dot(step, change);
    }
  }

  /** A point that has been evaluated. */
  private static final class Point {
    final double[] theta;
    final double value;
    final double[] gradient;

    Point(PooledLoss pooled, double[] theta) {
      this.theta = theta;
      value = pooled.value(theta);
      gradient = pooled.gradient(theta);
    }

    double norm() {
      return Math.sqrt(PooledLoss.dot(gradient, gradient));
    }
  }

  static GlobalEstimate minimise(Loss loss, Shards shards) {
    return new LimitedMemory(new PooledLoss(loss, shards)).run();
  }

  private GlobalEstimate run() {
    Point at = new Point(pooled, new double[pooled.parameters()]);
    double scale = 1 + at.norm();
    for (int iteration = 1; iteration <= LIMIT; iteration++) {
      if (at.norm() <= 1e-9 * scale) {
        return found(at, iteration);
      }
      double[] direction = direction(at.gradient);
      Point next = search(at, direction);
      if (next == at && !pairs.isEmpty()) {
        pairs.clear();
        continue;
      }
      if (next == at) {
        if (at.norm() <= 1e-5 * scale) {
          return found(at, iteration);
        }
        break;
      }
      Pair pair =
          new Pair(
              PooledLoss.plus(next.theta, -1, at.theta),
              PooledLoss.plus(next.gradient, -1, at.gradient));
      if (pair.curvature > 0) {
        pairs.addLast(pair);
        if (pairs.size() > MEMORY) {
          pairs.removeFirst();
        }
      }
      at = next;
    }
    throw PooledLoss.notConverged(pooled.loss(), LIMIT, at.gradient);
  }

  private static GlobalEstimate found(Point at, int iteration) {
    return new GlobalEstimate(at.theta, "L-BFGS", iteration);
  }

  /**
   * Minus the gradient times the inverse Hessian that the pairs suggest: the two-loop recursion.
   */
  private double[] direction(double[] gradient) {
    double[] q = gradient.clone();
    List<Double> weights = new ArrayList<>();
    for (Pair pair : pairs.reversed()) {
      double weight = PooledLoss.dot(pair.step, q) / pair.curvature;
      weights.add(weight);
      q = PooledLoss.plus(q, -weight, pair.change);
    }
    double scale =
        pairs.isEmpty()
            ? 1 / Math.max(1, Math.sqrt(PooledLoss.dot(gradient, gradient)))
            : pairs.getLast().curvature
                / PooledLoss.dot(pairs.getLast().change, pairs.getLast().change);
    double[] r = PooledLoss.plus(new double[q.length], scale, q);
    int i = weights.size();
    for (Pair pair : pairs) {
      double weight = PooledLoss.dot(pair.change, r) / pair.curvature;
      r = PooledLoss.plus(r, weights.get(--i) - weight, pair.step);
    }
    return PooledLoss.plus(new double[r.length], -1, r);
  }

  /** The point along the direction that the weak Wolfe conditions accept; where none, the start. */
  private Point search(Point from, double[] direction) {
    double slope = PooledLoss.dot(from.gradient, direction);
    if (!(slope < 0)) {
      return from;
    }
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double length = 1;
    Point best = from;
    for (int trial = 0; trial < 80; trial++) {
      Point at = new Point(pooled, PooledLoss.plus(from.theta, length, direction));
      boolean falls = at.value <= from.value + 1e-4 * length * slope;
      if (!falls || !Double.isFinite(at.norm())) {
        high = length;
      } else if (PooledLoss.dot(at.gradient, direction) < 0.9 * slope) {
        best = at;
        low = length;
      } else {
        return at;
      }
      length = Double.isInfinite(high) ? 2 * low : (low + high) / 2;
    }
    return best;
  }
}
