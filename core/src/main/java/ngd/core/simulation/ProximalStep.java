package ngd.core.simulation;

import ngd.core.data.Shard;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.CurvedLoss;

/**
 * The minimiser of a shard's loss plus rho / 2 times the squared distance to a centre, by Newton.
 */
final class ProximalStep {
  private static final int MOST_STEPS = 100;

  private ProximalStep() {}

  static double[] solve(CurvedLoss loss, Shard shard, double[] centre, double rho) {
    if (!(rho > 0)) {
      throw new IllegalArgumentException("rho: must be positive; got " + rho);
    }
    int p = centre.length;
    double[] theta = centre.clone();
    double value = value(loss, shard, theta, centre, rho);
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] gradient = new double[p];
      double[] hessian = new double[p * p];
      loss.gradient(shard, theta, gradient);
      loss.hessian(shard, theta, hessian);
      for (int j = 0; j < p; j++) {
        gradient[j] += rho * (theta[j] - centre[j]);
        hessian[j * p + j] += rho;
      }
      double[] move =
          SymmetricMatrix.solve(hessian, p, gradient)
              .orElseThrow(
                  () ->
                      new ArithmeticException(
                          "proximal step: the loss plus rho / 2 of the squared distance must be convex"));
      double share = 1;
      double[] next = moved(theta, move, share);
      double nextValue = value(loss, shard, next, centre, rho);
      while (!(nextValue <= value) && share > 1e-10) {
        share /= 2;
        next = moved(theta, move, share);
        nextValue = value(loss, shard, next, centre, rho);
      }
      boolean still = largest(move) * share <= 1e-15 * (1 + largest(theta));
      if (!(nextValue <= value)) {
        return theta;
      }
      theta = next;
      value = nextValue;
      if (still) {
        return theta;
      }
    }
    return theta;
  }

  private static double value(
      CurvedLoss loss, Shard shard, double[] theta, double[] centre, double rho) {
    double distance = 0;
    for (int j = 0; j < theta.length; j++) {
      distance += (theta[j] - centre[j]) * (theta[j] - centre[j]);
    }
    return loss.value(shard, theta) + rho / 2 * distance;
  }

  private static double[] moved(double[] theta, double[] move, double share) {
    double[] next = theta.clone();
    for (int j = 0; j < next.length; j++) {
      next[j] -= share * move[j];
    }
    return next;
  }

  private static double largest(double[] vector) {
    double largest = 0;
    for (double v : vector) {
      largest = Math.max(largest, Math.abs(v));
    }
    return largest;
  }
}
