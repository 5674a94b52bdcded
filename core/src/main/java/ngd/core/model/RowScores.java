package ngd.core.model;

import ngd.core.data.Shard;

/**
 * The losses of single rows and their derivatives by the rows' predictors, found together for one
 * exponential a row: with these, rows are summed and counted by their losses without a look at
 * their features until the gradient. Safe for several threads.
 *
 * <p>Losses and scores stand in arrays of the caller's, a shard's from a place on that has room for
 * {@link Shard#padded} numbers.
 */
public interface RowScores {
  /** Writes both, at the point that starts at {@code at[atOffset]}. */
  void of(Shard rows, double[] at, int atOffset, double[] scores, double[] losses, int first);

  /**
   * Writes three sums over the rows whose loss is above {@code least}: of their weights, of the
   * loss less {@code from} by the weights, and of the square of that.
   */
  void above(Shard rows, double[] losses, int first, double least, double from, double[] sums);

  /** The sum of all losses by the rows' weights at a point: {@link Loss#rowSum}. */
  double sum(Shard rows, double[] at, int atOffset);

  /**
   * Writes the gradient in which a row counts by {@code constant + slope · (loss − from)} where its
   * loss is above {@code least}, and elsewhere not at all.
   */
  void gradient(
      Shard rows,
      double[] scores,
      double[] losses,
      int first,
      double least,
      double from,
      double constant,
      double slope,
      double[] out,
      int outOffset);
}
