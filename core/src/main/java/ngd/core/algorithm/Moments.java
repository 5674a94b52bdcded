package ngd.core.algorithm;

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

  /** The sum over the rows of each term, at theta. */
  double[] sums(double[] theta, RowTerm... terms);

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
