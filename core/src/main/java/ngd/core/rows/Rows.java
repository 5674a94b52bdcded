package ngd.core.rows;

import java.util.Arrays;
import java.util.List;
import ngd.core.linalg.SymmetricMatrix;

/**
 * A block of rows of equal width: one row for each client that this process holds.
 *
 * <p>Operations make new blocks and leave their operands alone. Whoever runs an algorithm recycles
 * the blocks behind it: after a round only those that the new state shows stay valid.
 */
public interface Rows {
  int rows();

  /** p, the numbers in a row. */
  int width();

  double get(int row, int column);

  /** A copy of one row. */
  double[] row(int row);

  /** this + scale · other. */
  Rows plus(double scale, Rows other);

  /** this + scale · other + nextScale · next, the same bits as one after the other. */
  default Rows plus(double scale, Rows other, double nextScale, Rows next) {
    return plus(scale, other).plus(nextScale, next);
  }

  /** this − scale · other. */
  default Rows minus(double scale, Rows other) {
    return plus(-scale, other);
  }

  default Rows plus(Rows other) {
    return plus(1, other);
  }

  default Rows minus(Rows other) {
    return plus(-1, other);
  }

  /** scale · this. */
  Rows times(double scale);

  /** Row m times {@code scale[m]}. */
  Rows timesEach(double[] scale);

  /** Row m times the one number in row m of {@code scale}. */
  Rows timesEach(Rows scale);

  /** Row m: row m of this block plus {@code scale[m]} times row m of the other. */
  default Rows plusEach(double[] scale, Rows other) {
    return plus(other.timesEach(scale));
  }

  /** Row m: x A with x row m of this block and A a p × p matrix, row by row. */
  default Rows times(double[] matrix) {
    double[][] products = new double[rows()][width()];
    for (int m = 0; m < products.length; m++) {
      for (int i = 0; i < width(); i++) {
        for (int j = 0; j < width(); j++) {
          products[m][j] = Math.fma(get(m, i), matrix[i * width() + j], products[m][j]);
        }
      }
    }
    return of(products);
  }

  /** Row m: a bᵀ, row by row, with a row m of this block and b row m of the other. */
  default Rows outer(Rows other) {
    double[][] products = new double[rows()][width() * other.width()];
    for (int m = 0; m < products.length; m++) {
      for (int i = 0; i < width(); i++) {
        for (int j = 0; j < other.width(); j++) {
          products[m][i * other.width() + j] = get(m, i) * other.get(m, j);
        }
      }
    }
    return of(products);
  }

  /**
   * Row m: the solution of A x = b with b row m of this block and A the symmetric p × p matrix that
   * stands row by row in row m of {@code matrices}; refuses one that is not positive definite.
   */
  default Rows solvedBy(Rows matrices) {
    double[][] solved = new double[rows()][];
    for (int m = 0; m < solved.length; m++) {
      solved[m] = row(m);
      if (!SymmetricMatrix.solveInPlace(matrices.row(m), width(), solved[m])) {
        throw new ArithmeticException("system %d: is not positive definite".formatted(m));
      }
    }
    return of(solved);
  }

  /** Row m of this block, and of the others after it, as one. */
  default Rows beside(List<Rows> others) {
    double[][] all = new double[rows()][];
    int width = width() + others.stream().mapToInt(Rows::width).sum();
    for (int m = 0; m < all.length; m++) {
      all[m] = Arrays.copyOf(row(m), width);
      int at = width();
      for (Rows other : others) {
        System.arraycopy(other.row(m), 0, all[m], at, other.width());
        at += other.width();
      }
    }
    return of(all);
  }

  /** Row m: of its segments of this width the one that {@code which[m]} counts, from 0. */
  default Rows segment(int[] which, int width) {
    double[][] segments = new double[rows()][];
    for (int m = 0; m < segments.length; m++) {
      segments[m] = Arrays.copyOfRange(row(m), which[m] * width, (which[m] + 1) * width);
    }
    return of(segments);
  }

  /** Row m with row m of {@code values} for that segment. */
  default Rows withSegment(int[] which, Rows values) {
    double[][] all = new double[rows()][];
    for (int m = 0; m < all.length; m++) {
      all[m] = row(m);
      System.arraycopy(values.row(m), 0, all[m], which[m] * values.width(), values.width());
    }
    return of(all);
  }

  /** A block in the same place as this one, which holds these rows; their width is their own. */
  Rows of(double[][] rows);

  /** A block in the same place as this one with one number in each row. */
  default Rows of(double[] column) {
    double[][] rows = new double[column.length][1];
    for (int m = 0; m < column.length; m++) {
      rows[m][0] = column[m];
    }
    return of(rows);
  }

  /** A block of this one's shape, every row of which is {@code row}. */
  Rows everywhere(double[] row);
}
