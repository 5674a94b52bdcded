package ngd.core.linalg;

import ngd.core.InvalidInput;

/**
 * Gauss and Hermite's rule of K points for means over the standard normal distribution, exact for
 * polynomials of degree 2K − 1.
 *
 * <p>The points are the roots of the K-th polynomial that is orthonormal there, p_K; a weight is 1
 * over the sum of the squares of p_0 to p_(K−1) at its point.
 */
public final class GaussHermite {
  /** As lme4 has it; more points would only add weights that vanish. */
  public static final int MOST = 100;

  private static final int POLISHING_STEPS = 5;

  private final double[] points;
  private final double[] logWeights;

  private GaussHermite(double[] points, double[] logWeights) {
    this.points = points;
    this.logWeights = logWeights;
  }

  /** The rule of this many points. */
  public static GaussHermite of(int count) {
    if (count < 1 || count > MOST) {
      throw new InvalidInput(
          "quadrature: must be a number of points from 1 to %d; got %d".formatted(MOST, count));
    }
    // The roots are the eigenvalues of the recurrence's matrix, polished by Newton's method.
    double[] matrix = new double[count * count];
    for (int j = 1; j < count; j++) {
      matrix[j * count + j - 1] = Math.sqrt(j);
      matrix[(j - 1) * count + j] = Math.sqrt(j);
    }
    double[] points = SymmetricMatrix.eigenvalues(matrix, count);
    double[] logWeights = new double[count];
    for (int k = 0; k < count; k++) {
      for (int step = 0; step < POLISHING_STEPS; step++) {
        double[] at = polynomials(count, points[k]);
        points[k] -= at[count] / (Math.sqrt(count) * at[count - 1]);
      }
      double sum = 0;
      double[] at = polynomials(count, points[k]);
      for (int j = 0; j < count; j++) {
        sum = Math.fma(at[j], at[j], sum);
      }
      logWeights[k] = -StrictMath.log(sum);
    }
    return new GaussHermite(points, logWeights);
  }

  /** p_0 to p_K at a point. */
  private static double[] polynomials(int count, double x) {
    double[] at = new double[count + 1];
    at[0] = 1;
    for (int j = 0; j < count; j++) {
      double before = j == 0 ? 0 : Math.sqrt(j) * at[j - 1];
      at[j + 1] = (x * at[j] - before) / Math.sqrt(j + 1.0);
    }
    return at;
  }

  public int count() {
    return points.length;
  }

  /** The k-th point, from the least. */
  public double point(int k) {
    return points[k];
  }

  /** The logarithm of its weight; the weights sum to 1. */
  public double logWeight(int k) {
    return logWeights[k];
  }
}
