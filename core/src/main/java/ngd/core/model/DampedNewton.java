package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The minimiser of an own loss with a Hessian: Newton's method, with a multiple of the identity
 * added where the Hessian is not positive definite and steps halved until the loss falls.
 */
final class DampedNewton {
  private static final int LIMIT = 500;

  private DampedNewton() {}

  static GlobalEstimate minimise(CurvedLoss loss, Shards shards) {
    PooledLoss pooled = new PooledLoss(loss, shards);
    int p = pooled.parameters();
    double[] theta = new double[p];
    double value = pooled.value(theta);
    for (int iteration = 1; iteration <= LIMIT; iteration++) {
      double[] gradient = pooled.gradient(theta);
      double[] step = step(pooled.hessian(loss, theta), gradient, p);
      double slope = -PooledLoss.dot(gradient, step);
      boolean near = slope >= -1e-15 * (1 + Math.abs(value));
      double[] candidate = PooledLoss.plus(theta, -1, step);
      if (near) {
        double better = pooled.value(candidate);
        double[] last = better <= value + 1e-15 * (1 + Math.abs(value)) ? candidate : theta;
        return new GlobalEstimate(last, "Newton's method", iteration);
      }
      double scale = 1;
      double next = pooled.value(candidate);
      while (!(next <= value + 1e-4 * scale * slope)) {
        scale /= 2;
        if (scale < 1e-18) {
          throw PooledLoss.notConverged(loss, iteration, gradient);
        }
        candidate = PooledLoss.plus(theta, -scale, step);
        next = pooled.value(candidate);
      }
      theta = candidate;
      value = next;
    }
    throw PooledLoss.notConverged(loss, LIMIT, pooled.gradient(theta));
  }

  /** H⁻¹g, with the smallest of a growing series of shifts that makes H positive definite. */
  private static double[] step(double[] hessian, double[] gradient, int p) {
    double size = 0;
    for (int j = 0; j < p; j++) {
      size = Math.max(size, Math.abs(hessian[j * p + j]));
    }
    Optional<double[]> step = SymmetricMatrix.solve(hessian, p, gradient);
    for (double shift = 1e-10; step.isEmpty() && shift < 1e30; shift *= 10) {
      double[] shifted = hessian.clone();
      for (int j = 0; j < p; j++) {
        shifted[j * p + j] += shift * (size > 0 ? size : 1);
      }
      step = SymmetricMatrix.solve(shifted, p, gradient);
    }
    return step.orElse(gradient);
  }
}
