package ngd.core.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.IntConsumer;
import ngd.core.algorithm.Algorithm;
import ngd.core.linalg.Rows;

/**
 * The estimate at α = 0 from runs at α, α/2 and α/4, each from where the last ended: the bias that
 * remains is linear in α once α is small (docs/theory.md, 5), so that successive differences are in
 * ratio 2, and Richardson's second-order combination (A(α) − 6 A(α/2) + 8 A(α/4)) / 3 removes it
 * and the term after it.
 *
 * @param theta the extrapolated estimates
 * @param ratio of the first difference to the second; not a number where both are rounding
 * @param moving how far the last tenth of a run still moved at most, in units of the second
 *     difference: runs that have not settled also move half as far at half the step size
 * @param trace of the three runs one after another, its last entry that of {@code theta}
 * @param traffic of all three runs
 */
public record Extrapolation(Rows theta, double ratio, double moving, Trace trace, Traffic traffic) {
  private static final double LEAST_RATIO = 1.6;
  private static final double MOST_RATIO = 2.5;

  /** A run that moves more than this in its last tenth has not settled. */
  private static final double SETTLED = 0.01;

  /** Differences below this share of the estimates are rounding. */
  private static final double ROUNDING = 1e-12;

  /** Whether the runs settled and the bias was linear in α; otherwise the result means nothing. */
  public boolean sound() {
    return settled() && (Double.isNaN(ratio) || (ratio >= LEAST_RATIO && ratio <= MOST_RATIO));
  }

  public boolean settled() {
    return Double.isNaN(ratio) || moving <= SETTLED;
  }

  /**
   * Runs {@code rounds} rounds at each of the three step sizes.
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
    Trace trace = Trace.empty(measures);
    double[][][] ends = new double[3][][];
    double moved = 0;
    Traffic traffic = Traffic.NONE;
    for (int stage = 0; stage < 3; stage++) {
      Algorithm.Rounds<S> method = family.apply(alpha / (1 << stage));
      int done = stage * rounds;
      try (Run<S> run =
          stage == 0 ? simulation.start(method) : simulation.start(method, ends[stage - 1])) {
        if (stage == 0) {
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
          if (stage < 2 || run.round() < rounds) {
            trace.add(done + run.round(), run.theta(), traffic.plus(run.traffic()));
          }
          progress.accept(done + run.round());
        }
        ends[stage] = copy(run.theta());
        traffic = traffic.plus(run.traffic());
        moved = Math.max(moved, distance(late, ends[stage]));
        if (stage == 2) {
          Rows theta = run.theta().of(combined(ends));
          trace.add(3 * rounds, theta, traffic);
          return new Extrapolation(
              theta, ratio(ends), moved / distance(ends[1], ends[2]), trace, traffic);
        }
      }
    }
    throw new IllegalStateException("the third run is the last");
  }

  private static double[][] copy(Rows theta) {
    double[][] copy = new double[theta.rows()][];
    Arrays.setAll(copy, theta::row);
    return copy;
  }

  private static double[][] combined(double[][][] ends) {
    double[][] combined = new double[ends[0].length][ends[0][0].length];
    for (int m = 0; m < combined.length; m++) {
      for (int j = 0; j < combined[m].length; j++) {
        combined[m][j] = (ends[0][m][j] - 6 * ends[1][m][j] + 8 * ends[2][m][j]) / 3;
      }
    }
    return combined;
  }

  private static double ratio(double[][][] ends) {
    double first = distance(ends[0], ends[1]);
    double second = distance(ends[1], ends[2]);
    double[][] origin = new double[ends[2].length][ends[2][0].length];
    double rounding = ROUNDING * distance(ends[2], origin);
    return first <= rounding && second <= rounding ? Double.NaN : first / second;
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
