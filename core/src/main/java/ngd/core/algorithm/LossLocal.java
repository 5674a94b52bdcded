package ngd.core.algorithm;

import java.util.function.DoubleUnaryOperator;
import ngd.core.rows.Rows;

/**
 * Data that also show how large their losses are; see {@link Need#LOSSES} and {@link
 * Need#ROW_LOSSES}. A loss is counted from the least that any prediction would have, so that it is
 * never negative where the family says what that is: the deviance, for the linear model half the
 * squared error.
 */
public interface LossLocal extends Local {
  /** Each client's loss at its own row. */
  double[] losses(Rows at);

  /** The loss of every row of data at its client's row of {@code at}. */
  RowLosses rowLosses(Rows at);

  @Override
  LossLocal batch(int size, int round);

  /** These data, of which a {@link Need} said before the run that they can do so. */
  static LossLocal in(Local local) {
    return Need.LOSSES.in(local, LossLocal.class);
  }

  /** Every row's loss at a point: to be summed, and to count rows by. */
  interface RowLosses {
    /** For each client the sum over its rows of each of these terms of the row's loss. */
    double[][] sums(DoubleUnaryOperator... terms);

    /** Each client's gradient there, in which a row counts by this function of its loss. */
    Rows gradient(DoubleUnaryOperator weight);
  }
}
