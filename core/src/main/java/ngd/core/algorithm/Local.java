package ngd.core.algorithm;

import java.util.function.IntPredicate;
import ngd.core.rows.Rows;

/**
 * The only way to see data: each client's own loss, at points of the algorithm's choosing. Every
 * kind of data can do this much; {@link LinkLocal} and {@link CurvedLocal} can do more.
 */
public interface Local {
  /** How many rows of data a client has: the client of row {@code row} of a block. */
  int rows(int row);

  /** Each client's gradient at its own row. */
  Rows gradient(Rows at);

  /**
   * The same losses on mini-batches. In an epoch every client goes once through its own rows in an
   * order of its own, {@code size} at a time, the last batch shorter; the round decides the batch.
   */
  Local batch(int size, int round);

  /**
   * The same losses on one of {@code of} parts of each client's rows, near enough equal and in the
   * order of the rows, scaled such that their mean over all parts is the whole.
   *
   * @param chosen which part each client takes, counted from 0
   */
  Local part(int[] chosen, int of);

  /**
   * The same data in a round of which some clients sit out: what is found for them is thrown away.
   * Data that count what is asked of them leave it out.
   *
   * @param takesPart whether the client of a row of a block takes part
   */
  default Local among(IntPredicate takesPart) {
    return this;
  }

  /** N, the rows of data of all clients together. */
  default double totalRows(Rows like, Totals totals) {
    double[][] sizes = new double[like.rows()][1];
    for (int m = 0; m < sizes.length; m++) {
      sizes[m][0] = rows(m);
    }
    return totals.total(sizes)[0];
  }
}
