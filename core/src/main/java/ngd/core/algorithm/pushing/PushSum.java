package ngd.core.algorithm.pushing;

import java.util.Arrays;
import ngd.core.rows.Rows;

/**
 * The weights that undo the imbalance of pushing: started at 1 and pushed along, they say how much
 * of the total a client holds (Kempe, Dobra and Gehrke 2003).
 */
final class PushSum {
  private PushSum() {}

  /** A weight of 1 for each row. */
  static Rows ones(Rows like) {
    double[][] ones = new double[like.rows()][1];
    for (double[] one : ones) {
      one[0] = 1;
    }
    return like.of(ones);
  }

  /** Each row of x divided by its weight. */
  static Rows divided(Rows x, Rows weights) {
    double[] inverse = new double[x.rows()];
    Arrays.setAll(inverse, m -> 1 / weights.get(m, 0));
    return x.timesEach(inverse);
  }
}
