package ngd.core.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.IntConsumer;
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
 * this from its own ends; whether there is a fourth run is decided for all of them.
 *
 * @param theta the extrapolated estimates
 * @param runs 3 or 4
 * @param ratio of the first difference to the second; not a number where both are rounding
 * @param moving how far the last tenth of a run still moved at most, in units of the second
 *     difference: runs that have not settled also move half as far at half the step size
 * @param trace of the runs one after another, its last entry that of {@code theta}
 * @param traffic of all runs
 */
public record Extrapolation(
    Rows theta, int runs, double ratio, double moving, Trace trace, Traffic traffic) {
  private static final double LEAST_RATIO = 1.6;
  private static final double MOST_RATIO = 2.5;

  /** A run that moves more than this in its last tenth has not settled. */
  private static final double SETTLED = 0.01;

  /** Differences below this share of the estimates are rounding. */
  private static final double ROUNDING = 1e-12;

  /** What three runs may leave over, as a share of the estimates. */
  private static final double TOLERATED = 1e-7;

  /** The next term of the bias was seen up to so many times what the two before it suggest. */
  private static final double CAUTION = 10;

  /** The combination of three ends that is their value at α = 0. */
  private static final double[] SECOND_ORDER = {1 / 3.0, -6 / 3.0, 8 / 3.0};

  private static final double[] THIRD_ORDER = {-1 / 21.0, 14 / 21.0, -56 / 21.0, 64 / 21.0};

  /** The combination of three ends that is their value at α/8. */
  private static final double[] AT_AN_EIGHTH = {1 / 8.0, -7 / 8.0, 14 / 8.0};

  /** Whether the runs settled and the bias was linear in α; otherwise the result means nothing. */
  public boolean sound() {
    return settled() && (Double.isNaN(ratio) || (ratio >= LEAST_RATIO && ratio <= MOST_RATIO));
  }

  public boolean settled() {
    return Double.isNaN(ratio) || moving <= SETTLED;
  }

  /**
   * Runs {@code rounds} rounds at each of three step sizes, or four.
   *
   * @param family the method for a constant step size
   */
  public static <S extends Algorithm.State> Extrapolation run(
      Simulation simulation,
      DoubleFunction<Algorithm.Rounds<S>> family,
      double alpha,
      int rounds,
      int every,
      List<Measure> measures,
      IntConsumer progress) {
    Runs<S> runs = new Runs<>(simulation, family, alpha, rounds, every, measures, progress);
    runs.next(null);
    runs.next(runs.ends.getLast());
    runs.next(runs.ends.getLast());
    Extrapolation three = runs.combined(SECOND_ORDER);
    if (!three.sound() || remaining(runs.ends) <= TOLERATED) {
      return three;
    }
    runs.next(combined(AT_AN_EIGHTH, runs.ends));
    return runs.combined(THIRD_ORDER);
  }

  /** Runs at ever smaller step sizes, and what has come of them. */
  private static final class Runs<S extends Algorithm.State> {
    private final Simulation simulation;
    private final DoubleFunction<Algorithm.Rounds<S>> family;
    private final double alpha;
    private final int rounds;
    private final int every;
    private final IntConsumer progress;
    private final Trace trace;
    private final List<double[][]> ends = new ArrayList<>();
    private Traffic traffic = Traffic.NONE;
    private double moved;
    private @Nullable Rows like;

    Runs(
        Simulation simulation,
        DoubleFunction<Algorithm.Rounds<S>> family,
        double alpha,
        int rounds,
        int every,
        List<Measure> measures,
        IntConsumer progress) {
      this.simulation = simulation;
      this.family = family;
      this.alpha = alpha;
      this.rounds = rounds;
      this.every = every;
      this.progress = progress;
      trace = Trace.empty(measures);
    }

    /** The next run, from these points, or from zero. */
    void next(double @Nullable [][] start) {
      Algorithm.Rounds<S> method = family.apply(alpha / (1 << ends.size()));
      int done = ends.size() * rounds;
      try (Run<S> run =
          start == null ? simulation.start(method) : simulation.start(method, start)) {
        if (start == null) {
          trace.add(0, run.theta(), traffic);
        }
        int lastTenth = rounds - rounds / 10;
        double[][] late = copy(run.theta());
        while (run.round() < rounds) {
          int next = Math.min(rounds, run.round() + every);
          run.advance((run.round() < lastTenth ? Math.min(next, lastTenth) : next) - run.round());
          if (run.round() == lastTenth) {
            late = copy(run.theta());
          }
          trace.add(done + run.round(), run.theta(), traffic.plus(run.traffic()));
          progress.accept(done + run.round());
        }
        ends.add(copy(run.theta()));
        traffic = traffic.plus(run.traffic());
        moved = Math.max(moved, distance(late, ends.getLast()));
        like = run.theta();
      }
    }

    /** The trace's last entry becomes the combination's. */
    Extrapolation combined(double[] weights) {
      Rows theta = Objects.requireNonNull(like).of(Extrapolation.combined(weights, ends));
      return new Extrapolation(
          theta,
          ends.size(),
          ratio(ends),
          moved / distance(ends.get(1), ends.get(2)),
          trace.endingWith(theta),
          traffic);
    }
  }

  /**
   * What the second-order combination may leave over, as a share of the estimates: the terms of the
   * bias at α/4, first and second, shrink by a factor that the third is taken to shrink by as well.
   */
  private static double remaining(List<double[][]> ends) {
    double[][] second = combined(SECOND_ORDER, ends);
    double[][] first = combined(new double[] {0, -1, 2}, ends);
    double bias = largest(first, ends.get(2));
    double next = largest(second, first);
    double[][] origin = new double[second.length][second[0].length];
    return next == 0 ? 0 : CAUTION * next * (next / bias) / (1 + largest(second, origin));
  }

  private static double[][] copy(Rows theta) {
    double[][] copy = new double[theta.rows()][];
    Arrays.setAll(copy, theta::row);
    return copy;
  }

  private static double[][] combined(double[] weights, List<double[][]> ends) {
    double[][] combined = new double[ends.getFirst().length][ends.getFirst()[0].length];
    for (int i = 0; i < weights.length; i++) {
      for (int m = 0; m < combined.length; m++) {
        for (int j = 0; j < combined[m].length; j++) {
          combined[m][j] += weights[i] * ends.get(i)[m][j];
        }
      }
    }
    return combined;
  }

  private static double ratio(List<double[][]> ends) {
    double first = distance(ends.get(0), ends.get(1));
    double second = distance(ends.get(1), ends.get(2));
    double[][] origin = new double[ends.get(2).length][ends.get(2)[0].length];
    double rounding = ROUNDING * distance(ends.get(2), origin);
    return first <= rounding && second <= rounding ? Double.NaN : first / second;
  }

  private static double largest(double[][] a, double[][] b) {
    double largest = 0;
    for (int m = 0; m < a.length; m++) {
      for (int j = 0; j < a[m].length; j++) {
        largest = Math.max(largest, Math.abs(a[m][j] - b[m][j]));
      }
    }
    return largest;
  }

  private static double distance(double[][] a, double[][] b) {
    double sum = 0;
    for (int m = 0; m < a.length; m++) {
      for (int j = 0; j < a[m].length; j++) {
        sum += (a[m][j] - b[m][j]) * (a[m][j] - b[m][j]);
      }
    }
    return Math.sqrt(sum);
  }
}
