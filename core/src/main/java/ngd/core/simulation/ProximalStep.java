package ngd.core.simulation;

import ngd.core.data.Shard;
import ngd.core.linalg.HostRows;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.CurvedLoss;

/**
 * The minimiser of a shard's loss plus rho / 2 times the squared distance to a centre, by Newton
 * with steps halved until the sum falls. One shard after another, on one thread.
 */
final class ProximalStep {
  private static final int MOST_STEPS = 100;

  /** After a step so small beside theta, what Newton leaves over is rounding. */
  private static final double LAST_STEP = 1e-9;

  /** What a sum over rows may be off by, beside the sum. */
  private static final double ROUNDING = 1e-14;

  private final CurvedLoss loss;
  private final int p;
  private final double[] centre;
  private final double[] gradient;
  private final double[] hessian;
  private double[] theta;
  private double[] next;

  ProximalStep(CurvedLoss loss, int p) {
    this.loss = loss;
    this.p = p;
    centre = new double[p];
    gradient = new double[p];
    hessian = new double[p * p];
    theta = new double[p];
    next = new double[p];
  }

  static void requirePositive(double rho) {
    if (!(rho > 0)) {
      throw new IllegalArgumentException("rho: must be positive; got " + rho);
    }
  }

  static ArithmeticException notConvex() {
    return new ArithmeticException(
        "proximal step: the loss plus rho / 2 of the squared distance must be convex");
  }

  /** Writes row {@code row} of {@code out}, for the same rows of the centres and the starts. */
  void solve(Shard shard, HostRows centres, HostRows starts, int row, double rho, HostRows out) {
    requirePositive(rho);
    System.arraycopy(centres.values(), row * centres.stride(), centre, 0, p);
    System.arraycopy(starts.values(), row * starts.stride(), theta, 0, p);
    descend(shard, rho);
    System.arraycopy(theta, 0, out.values(), row * out.stride(), p);
  }

  private void descend(Shard shard, double rho) {
    double value = value(shard, theta, rho);
    for (int step = 0; step < MOST_STEPS; step++) {
      loss.gradient(shard, theta, gradient);
      loss.hessian(shard, theta, hessian);
      for (int j = 0; j < p; j++) {
        gradient[j] += rho * (theta[j] - centre[j]);
        hessian[j * p + j] += rho;
      }
      if (!SymmetricMatrix.solveInPlace(hessian, p, gradient)) {
        throw notConvex();
      }
      double[] move = gradient;
      boolean last = largest(move) <= LAST_STEP * (1 + largest(theta));
      double share = 1;
      double nextValue = moved(shard, move, share, rho);
      // The last step is below what the value can tell from rounding.
      double most = value + ROUNDING * Math.abs(value);
      while (!last && !(nextValue <= most) && share > 1e-10) {
        share /= 2;
        nextValue = moved(shard, move, share, rho);
      }
      if (!last && !(nextValue <= most)) {
        return;
      }
      double[] before = theta;
      theta = next;
      next = before;
      value = nextValue;
      if (last) {
        return;
      }
    }
  }

  /** Goes a share of the way; the value there. */
  private double moved(Shard shard, double[] move, double share, double rho) {
    for (int j = 0; j < p; j++) {
      next[j] = theta[j] - share * move[j];
    }
    return value(shard, next, rho);
  }

  private double value(Shard shard, double[] at, double rho) {
    double distance = 0;
    for (int j = 0; j < p; j++) {
      distance += (at[j] - centre[j]) * (at[j] - centre[j]);
    }
    return loss.value(shard, at) + rho / 2 * distance;
  }

  private static double largest(double[] vector) {
    double largest = 0;
    for (double v : vector) {
      largest = Math.max(largest, Math.abs(v));
    }
    return largest;
  }
}
