package ngd.app.answer;

import ngd.core.NumberText;

/** What the ends of an interval are called: the quantiles that they are, as in R. */
public final class IntervalNames {
  private IntervalNames() {}

  /** {@code 2.5 %} for a level of 0.95. */
  public static String low(double level) {
    return percent(50 * (1 - level));
  }

  /** {@code 97.5 %} for a level of 0.95. */
  public static String high(double level) {
    return percent(100 - 50 * (1 - level));
  }

  private static String percent(double share) {
    return NumberText.text(share, 4) + " %";
  }
}
