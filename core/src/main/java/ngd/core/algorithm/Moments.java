package ngd.core.algorithm;

import java.util.Optional;

/**
 * What one client may share of its data instead of its rows: its size, XᵀX and Xᵀy, the score and
 * Hessian of its loss at a point, and sums over its rows. Rows count with their prior weights.
 */
public interface Moments {
  int rows();

  /** A number for one row: of its linear predictor, its response, its offset and its weight. */
  @FunctionalInterface
  interface RowTerm {
    double of(double eta, double y, double offset, double weight);
  }

  /** XᵀX with the rows' weights, p × p, row by row. */
  double[] xx();

  /** Xᵀy with the rows' weights, y less the offset. */
  double[] xy();

  double value(double[] theta);

  double[] gradient(double[] theta);

  /** The Hessian at theta, p × p, row by row. */
  double[] hessian(double[] theta);

  /** The matrix by which step sizes are chosen at theta: the Hessian, or one above all Hessians. */
  default double[] steepness(double[] theta) {
    return hessian(theta);
  }

  /**
   * The rows' loss at theta, Pearson's statistic, the loss's derivatives and the lower triangle of
   * the second ones, row by row: sums over rows with their weights, from one look at each row; none
   * where the loss does not give them so.
   *
   * @param curved whether to give the second derivatives, and the statistic, which is 0 else
   */
  default Optional<double[]> together(double[] theta, boolean curved) {
    return Optional.empty();
  }

  /** The sum over the rows of each term, at theta. */
  double[] sums(double[] theta, RowTerm... terms);

  /**
   * Some numbers for one row, written one after the other; all of them are written. There is room
   * for {@link #SPARE} more behind them.
   */
  @FunctionalInterface
  interface RowTerms {
    int SPARE = 2;

    void of(double eta, double y, double offset, double weight, double[] into);
  }

  /** The sum over the rows of each of these many numbers, at theta. */
  double[] sums(double[] theta, int count, RowTerms terms);

  /** The cell of a table in which a row is counted; −1 for none. */
  @FunctionalInterface
  interface RowCell {
    int of(double eta, double y, double offset, double weight);
  }

  /** The same cell by cell: for each of these many cells the sum of each term over its rows. */
  double[] table(double[] theta, int cells, RowCell cell, RowTerm... terms);

  /** Σ term · x xᵀ over the rows, at theta: p × p, row by row. */
  double[] squares(double[] theta, RowTerm term);
}
