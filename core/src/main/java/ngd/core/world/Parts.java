package ngd.core.world;

import java.util.Arrays;
import ngd.core.algorithm.Local;
import ngd.core.data.RowParts;

/** One of several parts of each client's rows, the same in every round. */
public final class Parts implements RowChoice {
  private final RowParts all;
  private final int[] chosen;

  /** The chosen one of these parts for each client. */
  public Parts(RowParts all, int[] chosen) {
    all.requireChosen(chosen);
    this.all = all;
    this.chosen = chosen.clone();
  }

  @Override
  public int[] order(int row, int round) {
    return all.order();
  }

  @Override
  public int from(int row, int round) {
    return empty(row) ? 0 : all.first(row, chosen[row]);
  }

  /** Of an empty part one row, which {@link #over} counts as nothing. */
  @Override
  public int to(int row, int round) {
    return empty(row) ? 1 : all.first(row, chosen[row] + 1);
  }

  @Override
  public double[] key(int row, int round) {
    return new double[] {all.of(), -1 - chosen[row]};
  }

  private boolean empty(int row) {
    return all.count(row, chosen[row]) == 0;
  }

  /**
   * Data on these parts, scaled such that their mean over all parts is the whole.
   *
   * @param whole all data
   * @param means the mean over the rows of these parts
   */
  public Local over(Local whole, Local means) {
    double[] factors = new double[chosen.length];
    Arrays.setAll(factors, m -> all.factor(m, chosen[m]));
    return new PartLocal(whole, at -> means.gradient(at).timesEach(factors));
  }
}
