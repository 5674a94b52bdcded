package ngd.studies.report;

import java.util.Locale;

/** Numbers as a report writes them, the same in every locale. */
public final class NumberWords {
  private NumberWords() {}

  /** A whole number with thousands set apart. */
  public static String count(int value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Two decimals, enough for a log(MSE), and a true minus sign. */
  public static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "∞ (diverged)" : "−∞";
    }
    String text = String.format(Locale.ROOT, "%.2f", value);
    return (text.equals("-0.00") ? "0.00" : text).replace("-", "−");
  }

  /** Three decimals. */
  public static String three(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replace("-", "−");
  }

  /** A share in percent, with one decimal. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
