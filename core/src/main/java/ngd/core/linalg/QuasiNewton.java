package ngd.core.linalg;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * L-BFGS (Nocedal and Wright, Numerical Optimization, algorithm 7.4) with a bisection for the weak
 * Wolfe conditions: a minimum by values and gradients alone.
 */
public final class QuasiNewton {
  private static final int MEMORY = 20;
  private static final int TRIALS = 80;

  private final Function function;
  private final Deque<Pair> pairs = new ArrayDeque<>();

  private QuasiNewton(Function function) {
    this.function = function;
  }

  /** What is minimised. */
  public interface Function {
    /** Value and gradient at a point; not finite where there are none. */
    Point at(double[] theta);

    /** By how much a value may seem to rise for rounding alone. */
    default double rounding(double value) {
      return 0;
    }
  }

  /** A point that has been evaluated. */
  public interface Point {
    double[] theta();

    double value();

    double[] gradient();

    /** The gradient's norm. */
    default double norm() {
      return Math.sqrt(dot(gradient(), gradient()));
    }
  }

  /** Why it stopped. */
  public enum Outcome {
    /** It was enough. */
    DONE,
    /** No step lowers the value. */
    NO_PROGRESS,
    /** The most steps were taken. */
    OUT_OF_STEPS
  }

  /**
   * Where it stopped.
   *
   * @param before the point before it; itself where no step was taken
   * @param steps how many were begun
   */
  public record End(Point point, Point before, int steps, Outcome outcome) {}

  /** Goes on from a point until it is enough, nothing helps, or the most steps were taken. */
  public static End from(Point start, Function function, Predicate<Point> enough, int most) {
    return new QuasiNewton(function).run(start, enough, most);
  }

  /** A step and the change of the gradient along it. */
  private static final class Pair {
    final double[] step;
    final double[] change;
    final double curvature;

    Pair(double[] step, double[] change) {
      this.step = step;
      this.change = change;
      curvature = dot(step, change);
    }
  }

  private End run(Point start, Predicate<Point> enough, int most) {
    Point at = start;
    Point before = start;
    for (int step = 1; step <= most; step++) {
      if (enough.test(at)) {
        return new End(at, before, step, Outcome.DONE);
      }
      Optional<Point> found = search(at, direction(at.gradient()));
      if (found.isEmpty() && !pairs.isEmpty()) {
        pairs.clear();
        continue;
      }
      if (found.isEmpty()) {
        return new End(at, before, step, Outcome.NO_PROGRESS);
      }
      Point next = found.get();
      Pair pair =
          new Pair(plus(next.theta(), -1, at.theta()), plus(next.gradient(), -1, at.gradient()));
      if (pair.curvature > 0) {
        pairs.addLast(pair);
        if (pairs.size() > MEMORY) {
          pairs.removeFirst();
        }
      }
      before = at;
      at = next;
    }
    return new End(at, before, most, Outcome.OUT_OF_STEPS);
  }

  /**
   * Minus the gradient times the inverse Hessian that the pairs suggest: the two-loop recursion.
   */
  private double[] direction(double[] gradient) {
    double[] q = gradient.clone();
    List<Double> weights = new ArrayList<>();
    for (Pair pair : pairs.reversed()) {
      double weight = dot(pair.step, q) / pair.curvature;
      weights.add(weight);
      q = plus(q, -weight, pair.change);
    }
    double scale =
        pairs.isEmpty()
            ? 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)))
            : pairs.getLast().curvature / dot(pairs.getLast().change, pairs.getLast().change);
    double[] r = plus(new double[q.length], scale, q);
    int i = weights.size();
    for (Pair pair : pairs) {
      double weight = dot(pair.change, r) / pair.curvature;
      r = plus(r, weights.get(--i) - weight, pair.step);
    }
    return plus(new double[r.length], -1, r);
  }

  /** The point along the direction that the weak Wolfe conditions accept, or the lowest seen. */
  private Optional<Point> search(Point from, double[] direction) {
    double slope = dot(from.gradient(), direction);
    if (!(slope < 0)) {
      return Optional.empty();
    }
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double length = 1;
    Optional<Point> best = Optional.empty();
    double slack = function.rounding(from.value());
    for (int trial = 0; trial < TRIALS; trial++) {
      Point at = function.at(plus(from.theta(), length, direction));
      boolean falls = at.value() <= from.value() + 1e-4 * length * slope + slack;
      if (!falls || !Double.isFinite(at.norm())) {
        high = length;
      } else if (dot(at.gradient(), direction) < 0.9 * slope) {
        best = Optional.of(at);
        low = length;
      } else {
        return Optional.of(at);
      }
      length = Double.isInfinite(high) ? 2 * low : (low + high) / 2;
    }
    return best;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum = Math.fma(a[j], b[j], sum);
    }
    return sum;
  }

  private static double[] plus(double[] a, double scale, double[] b) {
    return DampedNewton.moved(a, scale, b);
  }
}
