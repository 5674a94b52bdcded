package ngd.core;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** Numbers as people read and write them, the same in every locale. */
public final class NumberText {
  private NumberText() {}

  /**
   * What a parser such as {@code Integer::valueOf} makes of a text, or a refusal in these words.
   */
  public static <T> T read(String text, Function<String, T> parser, Supplier<String> refusal) {
    try {
      return parser.apply(text.strip());
    } catch (NumberFormatException notANumber) {
      throw new InvalidInput(refusal.get(), notANumber);
    }
  }

  /** Up to this many significant digits, without trailing zeros: 0.25, 1.23e-05, 200000. */
  public static String text(double value, int digits) {
    if (Double.isNaN(value)) {
      return "not a number";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "∞" : "−∞";
    }
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits)).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < Math.max(digits, 7)) {
      return rounded.toPlainString();
    }
    String mantissa = rounded.movePointLeft(exponent).toPlainString();
    return String.format(
        Locale.ROOT, "%se%s%02d", mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  /** Five significant digits: enough to compare by eye. */
  public static String text(double value) {
    return text(value, 5);
  }

  /** All digits that tell a number from others, as people write it: 0.0005 rather than 5.0E-4. */
  public static String plain(double number) {
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }

  /** A count with its noun: "1 client", "200 clients". */
  public static String count(long n, String noun) {
    return n == 1 ? "1 " + noun : n + " " + noun + "s";
  }
}
