package ngd.core.linalg;

import java.util.Arrays;
import java.util.List;

/**
 * The triangular factor R of a QR factorisation of rows that arrive one after another and are not
 * kept: RᵀR is the sum of their outer products, without ever forming it.
 *
 * <p>Rows gather in a block that is then rotated into R by Householder reflections, each of which
 * touches one row of R and the block's columns (the structured form of TSQR). The factor is as
 * accurate as that of all the rows at once, and each column's error is relative to that column
 * alone, so no scaling is needed. Put a response in the last column and {@link #leastSquares}
 * regresses it on the others.
 */
public final class QrAccumulator {
  /** Rows in a block: enough to amortise a sweep over R, few enough to stay in a near cache. */
  private static final int BLOCK = 128;

  private final int columns;
  private final double[] r;
  private final double[] block;
  private int filled;
  private long rows;

  public QrAccumulator(int columns) {
    this.columns = columns;
    r = new double[columns * columns];
    block = new double[columns * BLOCK];
  }

  /** How many rows were added. */
  public long rows() {
    return rows;
  }

  public void add(double[] row) {
    if (row.length != columns) {
      throw new IllegalArgumentException(
          "row: must have %d entries; got %d".formatted(columns, row.length));
    }
    for (int j = 0; j < columns; j++) {
      block[j * BLOCK + filled] = row[j];
    }
    rows++;
    if (++filled == BLOCK) {
      absorb();
    }
  }

  /** The rows of another as well. */
  public void add(QrAccumulator other) {
    other.absorb();
    long before = rows;
    for (int i = 0; i < columns; i++) {
      add(Arrays.copyOfRange(other.r, i * columns, (i + 1) * columns));
    }
    rows = before + other.rows;
  }

  /** R, row by row, with a diagonal that is nowhere negative. */
  public double[] r() {
    absorb();
    double[] signed = r.clone();
    for (int i = 0; i < columns; i++) {
      if (signed[i * columns + i] < 0) {
        for (int j = i; j < columns; j++) {
          signed[i * columns + j] = -signed[i * columns + j];
        }
      }
    }
    return signed;
  }

  /** The leading {@code count} × {@code count} part of R: the factor of the first columns. */
  public double[] r(int count) {
    double[] all = r();
    double[] leading = new double[count * count];
    for (int i = 0; i < count; i++) {
      System.arraycopy(all, i * columns, leading, i * count, count);
    }
    return leading;
  }

  /**
   * The coefficients of the least-squares regression of the last column on all others; they must be
   * linearly independent.
   */
  public double[] leastSquares() {
    int p = columns - 1;
    double[] all = r();
    double[] qty = new double[p];
    for (int i = 0; i < p; i++) {
      qty[i] = all[i * columns + p];
    }
    return Triangular.solve(r(p), p, qty);
  }

  /** Those of the first {@code count} columns that depend on earlier ones, in order. */
  public List<Dependency> dependencies(int count) {
    return Dependency.among(r(count), count);
  }

  /** The rank of the first {@code count} columns. */
  public int rank(int count) {
    return count - dependencies(count).size();
  }

  /** Rotates the gathered rows into R. */
  private void absorb() {
    for (int k = 0; k < columns && filled > 0; k++) {
      int pivot = k * columns + k;
      int own = k * BLOCK;
      double below = norm(own);
      if (below == 0) {
        continue;
      }
      double alpha = r[pivot];
      double beta = alpha >= 0 ? -Math.hypot(alpha, below) : Math.hypot(alpha, below);
      double tau = (beta - alpha) / beta;
      double head = alpha - beta;
      for (int i = 0; i < filled; i++) {
        block[own + i] /= head;
      }
      r[pivot] = beta;
      for (int j = k + 1; j < columns; j++) {
        int other = j * BLOCK;
        double w = tau * (r[k * columns + j] + dot(own, other));
        r[k * columns + j] -= w;
        for (int i = 0; i < filled; i++) {
          block[other + i] -= w * block[own + i];
        }
      }
    }
    filled = 0;
  }

  /** The norm of a block's column, scaled by its largest entry against overflow and underflow. */
  private double norm(int column) {
    double largest = 0;
    for (int i = 0; i < filled; i++) {
      largest = Math.max(largest, Math.abs(block[column + i]));
    }
    if (largest == 0) {
      return 0;
    }
    double sum = 0;
    for (int i = 0; i < filled; i++) {
      double scaled = block[column + i] / largest;
      sum += scaled * scaled;
    }
    return largest * Math.sqrt(sum);
  }

  private double dot(int a, int b) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < filled; i += 4) {
      s0 += block[a + i] * block[b + i];
      s1 += block[a + i + 1] * block[b + i + 1];
      s2 += block[a + i + 2] * block[b + i + 2];
      s3 += block[a + i + 3] * block[b + i + 3];
    }
    for (; i < filled; i++) {
      s0 += block[a + i] * block[b + i];
    }
    return s0 + s1 + (s2 + s3);
  }
}
