package ngd.core.world;

import java.util.Arrays;
import ngd.core.algorithm.ProximalStep;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Objective;
import ngd.core.rows.HostRows;

/**
 * (A + ρ I)⁻¹ of each client, A being a matrix that follows from a point: made anew where the point
 * has changed, so that what was asked before does not show.
 */
final class KeptInverses {
  /** Of a client at a point, p × p. */
  interface Matrix {
    double[] at(int client, double[] point);
  }

  private final double[] rho;
  private final Kernels kernels;
  private final Matrix matrix;
  private final int p;
  private final int stride;
  private final int columns;

  /** The points for which the inverses hold, a row each; not a number before there are any. */
  private final double[] points;

  /** Whether a client's sum is positive definite. */
  private final boolean[] definite;

  /** {@link #columns} columns of a row's stride. */
  private final double[] inverses;

  KeptInverses(Objective objective, double[] rho, Kernels kernels, Matrix matrix) {
    this.rho = rho.clone();
    this.kernels = kernels;
    this.matrix = matrix;
    p = objective.parameters();
    stride = Kernels.padded(p);
    columns = Math.max(p, Kernels.LANES);
    points = new double[objective.clients() * stride];
    Arrays.fill(points, Double.NaN);
    definite = new boolean[objective.clients()];
    inverses = new double[objective.clients() * columns * stride];
    for (double each : rho) {
      ProximalStep.requirePositive(each);
    }
  }

  boolean isFor(double[] others) {
    return Arrays.equals(rho, others);
  }

  /** Makes the inverses of the clients [from, to) hold for these points. */
  void prepare(HostRows rows, int from, int to) {
    double[] now = rows.values();
    if (Arrays.equals(points, from * stride, to * stride, now, from * stride, to * stride)) {
      return;
    }
    for (int m = from; m < to; m++) {
      int at = m * stride;
      if (!Arrays.equals(points, at, at + stride, now, at, at + stride)) {
        System.arraycopy(now, at, points, at, stride);
        invert(m);
      }
    }
  }

  private void invert(int m) {
    double[] sum = matrix.at(m, Arrays.copyOfRange(points, m * stride, m * stride + p));
    for (int j = 0; j < p; j++) {
      sum[j * p + j] += rho[m];
    }
    double[] inverse = SymmetricMatrix.inverse(sum, p).orElse(null);
    definite[m] = inverse != null;
    for (int j = 0; j < p && inverse != null; j++) {
      System.arraycopy(inverse, j * p, inverses, (m * columns + j) * stride, p);
    }
  }

  boolean isDefinite(int m) {
    return definite[m];
  }

  /** The squared distance between a client's row and the point for which its inverse holds. */
  double distance(HostRows rows, int m) {
    double squares = 0;
    for (int i = m * stride; i < m * stride + p; i++) {
      double way = rows.values()[i] - points[i];
      squares = Math.fma(way, way, squares);
    }
    return squares;
  }

  /** For the rows [from, to): the inverse times the row, less the row of {@code against}. */
  void times(HostRows rows, HostRows against, HostRows out, int from, int to) {
    kernels.affine(
        inverses, from, against.values(), columns, rows.values(), out.values(), stride, from, to);
  }
}
