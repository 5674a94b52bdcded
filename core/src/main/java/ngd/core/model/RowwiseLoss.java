package ngd.core.model;

import ngd.core.data.Shard;

/**
 * A loss that is a sum over rows, of which one look at each row gives all that Newton's steps need.
 */
public interface RowwiseLoss extends CurvedLoss {
  /**
   * Σ w loss; Pearson's statistic, where there is one; the loss's derivatives; the lower triangle
   * of the second ones, row by row. w are the rows' weights, and the factor and the number of rows
   * that {@link #value} has are absent.
   *
   * @param curved whether to give the second derivatives, and the statistic, which is 0 else
   */
  double[] sums(Shard rows, double[] theta, boolean curved);
}
