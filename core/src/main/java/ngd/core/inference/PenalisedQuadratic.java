package ngd.core.inference;

import java.util.Arrays;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The least of gᵀ(b − at) + ½ (b − at)ᵀA(b − at) + λ Σ (a_j |b_j| + ½ q_j b_j²): by coordinate
 * descent until the coefficients that are not 0 and their signs settle, then as the solution of the
 * linear equations that hold for these.
 *
 * <p>Made of numbers that all clients share and of a fixed order of operations: the same bits at
 * every client.
 */
final class PenalisedQuadratic {
  private static final int MOST_SWEEPS = 100_000;

  /** Sweeps between two looks at the linear equations. */
  private static final int SWEEPS = 5;

  /** A change of a coordinate by so little, beside the largest, is rounding. */
  private static final double STILL = 1e-14;

  /** Slopes may exceed what the penalty holds by this share for rounding alone. */
  private static final double ROUNDING = 1e-9;

  private final double[] hessian;
  private final double[] absolute;
  private final double[] squared;
  private final double lambda;
  private final int p;
  private final int classes;
  private final double[] b;
  private final double[] slope;

  /**
   * The problem.
   *
   * @param score g
   * @param hessian A, row by row
   * @param absolute a_j; infinite for a coefficient that is held at 0
   * @param squared q_j
   * @param classes how many coefficients of one column follow each other, to all of which a number
   *     can be added without a change of the quadratic part; 1 where none can
   */
  private PenalisedQuadratic(
      double[] at,
      double[] score,
      double[] hessian,
      double[] absolute,
      double[] squared,
      double lambda,
      int classes) {
    this.hessian = hessian;
    this.absolute = absolute;
    this.squared = squared;
    this.lambda = lambda;
    this.classes = classes;
    p = at.length;
    b = at.clone();
    slope = score.clone();
  }

  static double[] least(
      double[] at,
      double[] score,
      double[] hessian,
      double[] absolute,
      double[] squared,
      double lambda,
      int classes) {
    return new PenalisedQuadratic(at, score, hessian, absolute, squared, lambda, classes).solve();
  }

  private double[] solve() {
    for (int j = 0; j < p; j++) {
      if (Double.isInfinite(absolute[j]) && b[j] != 0) {
        move(j, -b[j]);
      }
    }
    boolean smooth = Arrays.stream(absolute).allMatch(a -> a == 0 || Double.isInfinite(a));
    boolean done = smooth && settled();
    for (int sweeps = 0; !done && sweeps < MOST_SWEEPS; sweeps += SWEEPS) {
      double moved = sweep();
      shift();
      double largest = 0;
      for (int j = 0; j < p; j++) {
        largest = Math.max(largest, Math.sqrt(hessian[j * (p + 1)]) * Math.abs(b[j]));
      }
      done = settled() || moved <= STILL * largest;
    }
    return b;
  }

  /** Some rounds over all coordinates; how far the last one moved. */
  private double sweep() {
    double moved = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      moved = 0;
      for (int j = 0; j < p; j++) {
        double curvature = hessian[j * (p + 1)];
        double bent = curvature + lambda * squared[j];
        if (Double.isInfinite(absolute[j]) || !(bent > 0)) {
          continue;
        }
        double free = Math.fma(curvature, b[j], -slope[j]);
        double held = lambda * absolute[j];
        double to = free > held ? (free - held) / bent : free < -held ? (free + held) / bent : 0;
        if (to != b[j]) {
          moved = Math.max(moved, Math.sqrt(curvature) * Math.abs(to - b[j]));
          move(j, to - b[j]);
          b[j] = to;
        }
      }
    }
    return moved;
  }

  /**
   * Brings a median of each column's coefficients to 0, where absolute values alone are penalised:
   * that is no worse, and what remains has one solution.
   */
  private void shift() {
    for (int from = 0; classes > 1 && from < p; from += classes) {
      double[] own = Arrays.copyOfRange(b, from, from + classes);
      Arrays.sort(own);
      double median = own[(classes - 1) / 2];
      boolean penalised = absolute[from] > 0 && !Double.isInfinite(absolute[from]);
      if (median != 0 && squared[from] == 0 && penalised) {
        for (int j = from; j < from + classes; j++) {
          b[j] = b[j] == median ? 0 : b[j] - median;
        }
      }
    }
  }

  private void move(int j, double by) {
    b[j] += by;
    for (int i = 0; i < p; i++) {
      slope[i] = Math.fma(hessian[i * p + j], by, slope[i]);
    }
  }

  /** Whether the equations of those that are not 0 have a solution with these signs. */
  private boolean settled() {
    int[] free = new int[p];
    int n = 0;
    for (int j = 0; j < p; j++) {
      if (absolute[j] == 0 || (b[j] != 0 && !Double.isInfinite(absolute[j]))) {
        free[n++] = j;
      }
    }
    double[] matrix = new double[n * n];
    double[] against = new double[n];
    for (int i = 0; i < n; i++) {
      int at = free[i];
      for (int j = 0; j < n; j++) {
        matrix[i * n + j] = hessian[at * p + free[j]];
      }
      matrix[i * (n + 1)] += lambda * squared[at];
      against[i] = -rest(at);
    }
    double[] step = SymmetricMatrix.solve(matrix, n, against).orElse(null);
    if (step == null) {
      return false;
    }
    double[] to = b.clone();
    for (int i = 0; i < n; i++) {
      to[free[i]] += step[i];
      if (absolute[free[i]] > 0 && !(to[free[i]] * b[free[i]] > 0)) {
        return false;
      }
    }
    double[] there = slope.clone();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < p; j++) {
        there[j] = Math.fma(hessian[j * p + free[i]], step[i], there[j]);
      }
    }
    for (int j = 0; j < p; j++) {
      if (to[j] == 0
          && absolute[j] > 0
          && Math.abs(there[j]) > lambda * absolute[j] * (1 + ROUNDING)) {
        return false;
      }
    }
    System.arraycopy(to, 0, b, 0, p);
    System.arraycopy(there, 0, slope, 0, p);
    return true;
  }

  /** What is left of the slope with the penalty's, of a coefficient that is not 0. */
  private double rest(int j) {
    return slope[j] + lambda * (absolute[j] * Math.signum(b[j]) + squared[j] * b[j]);
  }
}
