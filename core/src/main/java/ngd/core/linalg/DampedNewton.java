package ngd.core.linalg;

import org.jspecify.annotations.Nullable;

/**
 * Newton's method with steps halved until the value falls: the one loop behind estimates, the null
 * model, last steps and proximal steps.
 *
 * <p>A trial point costs its value alone. The quadratic model, which costs most and where rows lie
 * apart says most about them, is made only of points that are accepted.
 */
public final class DampedNewton {
  private DampedNewton() {}

  /** A point with the quadratic model of the function there. */
  public interface Point {
    double[] theta();

    /** Newton's step: theta plus this is the minimiser of the quadratic model. */
    double[] move();

    /** Whether the model can be worked with; a trial point that cannot is passed over. */
    default boolean usable() {
      return true;
    }
  }

  /** What is minimised, what counts as lower, and when it is enough. */
  public interface Rules<P extends Point> {
    /** What is minimised; not a number where there is no value. */
    double value(double[] theta);

    /** The quadratic model at a point that was accepted for its value. */
    P at(double[] theta, double value);

    /** The highest value at which a share of the move from here is accepted. */
    double ceiling(P here, double share);

    /** Whether to stop here; asked once at every point, in their order. */
    boolean done(P here);
  }

  /**
   * When to give up.
   *
   * @param steps the most steps
   * @param halvings how often a step is halved at most
   */
  public record Limits(int steps, int halvings) {}

  /** Why it stopped. */
  public enum Outcome {
    /** The rules say that it is enough. */
    DONE,
    /** No share of the step lowers the value. */
    NO_PROGRESS,
    /** The most steps were taken. */
    OUT_OF_STEPS
  }

  /**
   * Where it stopped.
   *
   * @param steps how many were taken
   */
  public record End<P extends Point>(P point, int steps, Outcome outcome) {}

  /** Goes on from a point until it is enough or nothing helps. */
  public static <P extends Point> End<P> from(P start, Rules<P> rules, Limits limits) {
    P here = start;
    for (int step = 0; step < limits.steps(); step++) {
      if (rules.done(here)) {
        return new End<>(here, step, Outcome.DONE);
      }
      P next = next(here, rules, limits.halvings());
      if (next == null) {
        return new End<>(here, step, Outcome.NO_PROGRESS);
      }
      here = next;
    }
    return new End<>(here, limits.steps(), Outcome.OUT_OF_STEPS);
  }

  private static <P extends Point> @Nullable P next(P here, Rules<P> rules, int halvings) {
    double[] move = here.move();
    double share = 1;
    for (int halved = 0; halved <= halvings; halved++) {
      double[] trial = moved(here.theta(), share, move);
      double value = rules.value(trial);
      if (value <= rules.ceiling(here, share)) {
        P next = rules.at(trial, value);
        if (next.usable()) {
          return next;
        }
      }
      share /= 2;
    }
    return null;
  }

  /** theta + share · move. */
  public static double[] moved(double[] theta, double share, double[] move) {
    double[] moved = new double[theta.length];
    for (int j = 0; j < moved.length; j++) {
      moved[j] = Math.fma(share, move[j], theta[j]);
    }
    return moved;
  }
}
