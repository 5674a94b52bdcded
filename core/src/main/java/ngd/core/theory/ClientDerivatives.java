package ngd.core.theory;

import ngd.core.linalg.QrAccumulator;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;

/**
 * The clients' data as the theory sees them: how many rows, and the derivatives of each client's
 * loss at points that the theory chooses.
 */
public interface ClientDerivatives {
  int clients();

  /** How many columns the design has. */
  int features();

  int rows(int client);

  /** The rows of a client that have a weight. */
  int countedRows(int client);

  /** The gradients with client m at the point that begins at {@code m · p}; one after another. */
  double[] gradients(Loss loss, double[] points);

  /** The Hessians at such points, row by row, one after another. */
  double[] hessians(CurvedLoss loss, double[] points);

  /** R of the QR factorisation of a client's rows of positive weight, row by row. */
  double[] factor(int client);

  /** All clients' rows together. */
  default long totalRows() {
    long total = 0;
    for (int m = 0; m < clients(); m++) {
      total += rows(m);
    }
    return total;
  }

  /** The rank of some clients' rows together; nothing is squared on the way. */
  default int rank(int[] members) {
    int p = features();
    QrAccumulator qr = new QrAccumulator(p);
    double[] row = new double[p];
    for (int m : members) {
      double[] own = factor(m);
      for (int i = 0; i < p; i++) {
        System.arraycopy(own, i * p, row, 0, p);
        qr.add(row);
      }
    }
    return qr.rank(p);
  }

  /** The same point for every client. */
  static double[] everywhere(double[] point, int clients) {
    double[] points = new double[Math.multiplyExact(clients, point.length)];
    for (int m = 0; m < clients; m++) {
      System.arraycopy(point, 0, points, m * point.length, point.length);
    }
    return points;
  }
}
