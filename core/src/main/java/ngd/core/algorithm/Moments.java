package ngd.core.algorithm;

/**
 * What one client may share of its data instead of its rows: its size, XᵀX and Xᵀy, and the score
 * and Hessian of its loss at a point.
 */
public interface Moments {
  int rows();

  /** XᵀX, p × p, row by row. */
  double[] xx();

  /** Xᵀy. */
  double[] xy();

  double value(double[] theta);

  double[] gradient(double[] theta);

  /** The Hessian at theta, p × p, row by row. */
  double[] hessian(double[] theta);
}
