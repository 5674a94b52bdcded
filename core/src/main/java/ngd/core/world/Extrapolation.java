package ngd.core.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;
import ngd.core.NumberText;
import ngd.core.algorithm.Algorithm;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * The estimate at α = 0 from runs at α, α/2 and α/4, each from where the last ended: the bias that
 * remains is linear in α once α is small (docs/theory.md, 5), so that successive differences are in
 * ratio 2, and Richardson's second-order combination (A(α) − 6 A(α/2) + 8 A(α/4)) / 3 removes it
 * and the term after it.
 *
 * <p>Where the ends say that what this leaves may still show, a fourth run at α/8 removes one term
 * more: (−A(α) + 14 A(α/2) − 56 A(α/4) + 64 A(α/8)) / 21. So small a step has a long way to go, so
 * it starts where the parabola through the first three ends is at α/8. Every client computes all of
 * this from its own ends; whether there is a fourth run is decided for all of them, by totals.
 */
public final class Extrapolation {
  private static final double LEAST_RATIO = 1.6;
  private static final double MOST_RATIO = 2.5;

  /** A run that moves more than this in its last tenth has not settled. */
  private static final double SETTLED = 0.01;

  /** Differences below this share of the estimates are rounding. */
  private static final double ROUNDING = 1e-12;

  /** The error that three runs may leave, as a share of the estimates. */
  private static final double TOLERATED = 1e-7;

  /** The next term of the bias was seen up to this many times what the two before it suggest. */
  private static final double CAUTION = 10;

  private static final double[] THIRD_ORDER = {-1 / 21.0, 14 / 21.0, -56 / 21.0, 64 / 21.0};

  /** The combination of three ends that is their value at α/8. */
  private static final double[] AT_AN_EIGHTH = {1 / 8.0, -7 / 8.0, 14 / 8.0};

  /**
   * How good it is.
   *
   * @param runs 3 or 4
   * @param ratio of the first difference to the second; not a number where both are rounding
   * @param moving how far the last tenth of a run still moved at most, in units of the second
   *     difference: runs that have not settled also move half as far at half the step size
   */
  public record Summary(int runs, double ratio, double moving) {
    /** Whether the runs settled and the bias was linear in α; otherwise the result is worthless. */
    public boolean sound() {
      return settled() && (Double.isNaN(ratio) || (ratio >= LEAST_RATIO && ratio <= MOST_RATIO));
    }

    public boolean settled() {
      return Double.isNaN(ratio) || moving <= SETTLED;
    }

    /** Why it is worthless, and what to do about it. */
    public String problem() {
      return settled()
          ? "extrapolation: the change from alpha to alpha/2 must be about twice that from alpha/2 to alpha/4, or the bias is not linear in alpha; it is %s times; use a smaller alpha"
              .formatted(NumberText.text(ratio, 3))
          : "extrapolation: each run must settle; in its last tenth one still moved %s times what there is to extrapolate from; use more rounds"
              .formatted(NumberText.text(moving, 3));
    }
  }

  private final World world;
  private final List<double[][]> ends = new ArrayList<>();
  private double moved;

  private Extrapolation(World world) {
    this.world = world;
  }

  /** The estimates of the clients here, and how good they are. */
  public record Outcome(Rows theta, Summary summary) {}

  /**
   * Runs {@code rounds} rounds at each of three step sizes, or four, from zero.
   *
   * @param family the algorithm for a constant step size
   * @param width the parameters of a client
   * @param hooks who looks on in each run, by its number
   */
  public static <S extends Algorithm.State> Outcome run(
      World world,
      DoubleFunction<Algorithm.Rounds<S>> family,
      double alpha,
      int rounds,
      int width,
      IntFunction<Hook<Algorithm.State>> hooks) {
    Extrapolation runs = new Extrapolation(world);
    double[][] from = new double[world.rows()][width];
    for (int run = 0; run < 3; run++) {
      runs.next(family.apply(alpha / (1 << run)), from, rounds, hooks.apply(run));
      from = runs.ends.getLast();
    }
    Outcome three = runs.combined(Richardson.SECOND_ORDER);
    if (!three.summary().sound() || runs.remaining() <= TOLERATED) {
      return three;
    }
    double[][] eighth = Richardson.combined(AT_AN_EIGHTH, runs.ends);
    runs.next(family.apply(alpha / 8), eighth, rounds, hooks.apply(3));
    return runs.combined(THIRD_ORDER);
  }

  private <S extends Algorithm.State> void next(
      Algorithm.Rounds<S> algorithm, double[][] start, int rounds, Hook<Algorithm.State> hook) {
    S state = algorithm.start(world.block(start));
    int lastTenth = rounds - rounds / 10;
    state = world.advance(algorithm, state, lastTenth, hook);
    double[][] late = copy(state.theta());
    state = world.advance(algorithm, state, rounds - lastTenth, hook);
    ends.add(copy(state.theta()));
    moved = Math.max(moved, distance(late, ends.getLast()));
  }

  private Outcome combined(double[] weights) {
    double first = distance(ends.get(0), ends.get(1));
    double second = distance(ends.get(1), ends.get(2));
    double rounding = ROUNDING * distance(ends.get(2), null);
    double ratio = first <= rounding && second <= rounding ? Double.NaN : first / second;
    Rows theta = world.block(Richardson.combined(weights, ends));
    return new Outcome(theta, new Summary(ends.size(), ratio, moved / second));
  }

  /**
   * The error that the second-order combination may leave, as a share of the estimates: the terms
   * of the bias at α/4, first and second, shrink by a factor that the third is taken to shrink by
   * as well.
   */
  private double remaining() {
    double[][] second = Richardson.combined(Richardson.SECOND_ORDER, ends);
    double[][] first = Richardson.combined(new double[] {0, -1, 2}, ends);
    double bias = largest(first, ends.get(2));
    double next = largest(second, first);
    return next == 0 ? 0 : CAUTION * next * (next / bias) / (1 + largest(second, null));
  }

  private static double[][] copy(Rows theta) {
    double[][] copy = new double[theta.rows()][];
    Arrays.setAll(copy, theta::row);
    return copy;
  }

  private static double apart(double[][] a, double @Nullable [][] b, int m, int j) {
    return a[m][j] - (b == null ? 0 : b[m][j]);
  }

  /** The largest difference of any coefficient of any client, of all clients. */
  private double largest(double[][] a, double @Nullable [][] b) {
    double[] largest = new double[a.length];
    for (int m = 0; m < a.length; m++) {
      for (int j = 0; j < a[m].length; j++) {
        largest[m] = Math.max(largest[m], Math.abs(apart(a, b, m, j)));
      }
    }
    return world.totals().max(largest);
  }

  /** The root of the sum of squared differences over all clients. */
  private double distance(double[][] a, double @Nullable [][] b) {
    double[][] squares = new double[a.length][1];
    for (int m = 0; m < a.length; m++) {
      for (int j = 0; j < a[m].length; j++) {
        squares[m][0] += apart(a, b, m, j) * apart(a, b, m, j);
      }
    }
    return Math.sqrt(world.totals().total(squares)[0]);
  }
}
