package ngd.core.simulation;

import java.util.function.UnaryOperator;
import ngd.core.linalg.DenseSolve;

/**
 * An affine map of all clients' estimates, known by what it does to points; solved for its fixed
 * point.
 */
final class AffineMap {
  private AffineMap() {}

  /** θ with map(θ) = θ, by LU of I − A, A probed one unit vector after another. */
  static double[][] fixedPoint(int clients, int p, UnaryOperator<double[][]> map) {
    int size = clients * p;
    double[] at0 = flat(map.apply(new double[clients][p]), p);
    double[] matrix = new double[size * size];
    for (int i = 0; i < size; i++) {
      double[][] unit = new double[clients][p];
      unit[i / p][i % p] = 1;
      double[] image = flat(map.apply(unit), p);
      for (int r = 0; r < size; r++) {
        matrix[r * size + i] = (r == i ? 1 : 0) - (image[r] - at0[r]);
      }
    }
    double[] solved = DenseSolve.solve(matrix, size, at0).orElseThrow();
    double[][] theta = new double[clients][p];
    for (int i = 0; i < size; i++) {
      theta[i / p][i % p] = solved[i];
    }
    return theta;
  }

  private static double[] flat(double[][] rows, int p) {
    double[] flat = new double[rows.length * p];
    for (int m = 0; m < rows.length; m++) {
      System.arraycopy(rows[m], 0, flat, m * p, p);
    }
    return flat;
  }
}
