package ngd.core.formula;

import org.jspecify.annotations.Nullable;

/** Takes rows of the design matrix. */
@FunctionalInterface
public interface RowSink {
  /**
   * Takes one row; the array is reused for the next.
   *
   * @param offset what is added to the linear predictor; 0 where the formula has none
   * @param weight how often the row counts; 1 where the formula does not say
   * @param times where the row's response is an event in time; null elsewhere
   * @param random where the formula has random terms; null elsewhere
   */
  void row(
      double[] x,
      double y,
      double offset,
      double weight,
      @Nullable RiskTime times,
      @Nullable RandomRow random);
}
