package ngd.core.algorithm;

import ngd.core.linalg.SymmetricMatrix;

/**
 * The minimiser of a client's loss plus rho / 2 times the squared distance to a centre, by Newton
 * with steps halved until the sum falls.
 */
public final class ProximalStep {
  private static final int MOST_STEPS = 100;

  /** After a step so small beside theta, only rounding error is left. */
  private static final double LAST_STEP = 1e-9;

  /** What a sum over rows may be off by, beside the sum. */
  private static final double ROUNDING = 1e-14;

  private final Moments loss;
  private final double[] centre;
  private final double rho;

  private ProximalStep(Moments loss, double[] centre, double rho) {
    this.loss = loss;
    this.centre = centre;
    this.rho = rho;
  }

  /** The minimiser, found the sooner the nearer {@code start} is to it. */
  public static double[] solve(Moments loss, double[] centre, double rho, double[] start) {
    requirePositive(rho);
    return new ProximalStep(loss, centre, rho).descend(start);
  }

  public static void requirePositive(double rho) {
    if (!(rho > 0)) {
      throw new IllegalArgumentException("rho: must be positive; got " + rho);
    }
  }

  public static ArithmeticException notConvex() {
    return new ArithmeticException(
        "proximal step: the loss plus rho / 2 of the squared distance must be convex");
  }

  private double[] descend(double[] start) {
    int p = start.length;
    double[] theta = start;
    double value = value(theta);
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] move = loss.gradient(theta);
      double[] hessian = loss.hessian(theta);
      for (int j = 0; j < p; j++) {
        move[j] += rho * (theta[j] - centre[j]);
        hessian[j * p + j] += rho;
      }
      if (!SymmetricMatrix.solveInPlace(hessian, p, move)) {
        throw notConvex();
      }
      boolean last = largest(move) <= LAST_STEP * (1 + largest(theta));
      double share = 1;
      double[] next = moved(theta, move, share);
      double nextValue = value(next);
      // The last step is below the rounding of the value.
      double most = value + ROUNDING * Math.abs(value);
      while (!last && !(nextValue <= most) && share > 1e-10) {
        share /= 2;
        next = moved(theta, move, share);
        nextValue = value(next);
      }
      if (!last && !(nextValue <= most)) {
        return theta;
      }
      theta = next;
      value = nextValue;
      if (last) {
        return theta;
      }
    }
    return theta;
  }

  /** Goes a share of the way. */
  private static double[] moved(double[] theta, double[] move, double share) {
    double[] next = theta.clone();
    for (int j = 0; j < next.length; j++) {
      next[j] -= share * move[j];
    }
    return next;
  }

  private double value(double[] at) {
    double distance = 0;
    for (int j = 0; j < at.length; j++) {
      distance += (at[j] - centre[j]) * (at[j] - centre[j]);
    }
    return loss.value(at) + rho / 2 * distance;
  }

  private static double largest(double[] vector) {
    double largest = 0;
    for (double v : vector) {
      largest = Math.max(largest, Math.abs(v));
    }
    return largest;
  }
}
