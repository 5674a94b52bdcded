package ngd.core.world;

import java.util.function.UnaryOperator;
import ngd.core.algorithm.Local;
import ngd.core.rows.Rows;

/**
 * Data on one of several parts of each client's rows, scaled such that their mean over all parts is
 * the whole.
 *
 * @param whole all data
 * @param gradients each client's gradient over its part at its own row
 */
record PartLocal(Local whole, UnaryOperator<Rows> gradients) implements Local {
  @Override
  public int rows(int row) {
    return whole.rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    return gradients.apply(at);
  }

  @Override
  public Local batch(int size, int round) {
    return whole.batch(size, round);
  }

  @Override
  public Local part(int[] chosen, int of) {
    return whole.part(chosen, of);
  }
}
