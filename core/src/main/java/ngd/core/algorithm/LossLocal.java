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

  /** Each client's loss and gradient at its own row, for less than the two one by one. */
  default Evaluation evaluate(Rows at) {
    return new Evaluation(losses(at), gradient(at));
  }

  /** The loss of every row of data at its client's row of {@code at}. */
  RowLosses rowLosses(Rows at);

  @Override
  LossLocal batch(int size, int round);

  /** These data, of which a {@link Need} said before the run that they can do so. */
  static LossLocal in(Local local) {
    return Need.LOSSES.in(local, LossLocal.class);
  }

  /** Losses and gradients of all clients, each at its point. */
  final class Evaluation {
    private final double[] losses;
    private final Rows gradient;

    public Evaluation(double[] losses, Rows gradient) {
      this.losses = losses;
      this.gradient = gradient;
    }

    /** Each client's loss: a copy. */
    public double[] losses() {
      return losses.clone();
    }

    public Rows gradient() {
      return gradient;
    }
  }

  /** Every row's loss at a point: to be summed, and to count rows by. */
  interface RowLosses {
    /** For each client the sum over its rows of each of these terms of the row's loss. */
    double[][] sums(DoubleUnaryOperator... terms);

    /**
     * For each client three sums over its rows whose loss is above {@code least}: of 1, of the loss
     * less {@code from}, and of the square of that.
     */
    default double[][] above(double least, double from) {
      return sums(
          loss -> loss > least ? 1 : 0,
          loss -> loss > least ? loss - from : 0,
          loss -> loss > least ? (loss - from) * (loss - from) : 0);
    }

    /** Each client's gradient there, in which a row counts by this function of its loss. */
    Rows gradient(DoubleUnaryOperator weight);

    /**
     * The same, in which a row counts by {@code constant + slope · (loss − from)} where its loss is
     * above {@code least}, and elsewhere not at all.
     */
    default Rows gradient(double least, double from, double constant, double slope) {
      return gradient(loss -> loss > least ? Math.fma(loss - from, slope, constant) : 0);
    }
  }
}
