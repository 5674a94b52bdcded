package ngd.core.formula;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The texts by which the values of a factor are known, and their order. */
public final class Levels {
  private Levels() {}

  /** A number as a level's name: whole numbers without a point, 0 and −0 alike. */
  public static String text(double number) {
    double value = number + 0.0;
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }

  /** A truth value as a level's name, as R writes it. */
  public static String text(boolean value) {
    return value ? "TRUE" : "FALSE";
  }

  /** The level of a value of the given type, or null where it is missing. */
  public static @Nullable String of(ColumnType type, double number, @Nullable String text) {
    return switch (type) {
      case TEXT, EMPTY, OTHER -> text;
      case NUMBER -> Double.isNaN(number) ? null : text(number);
      case BOOLEAN -> Double.isNaN(number) ? null : text(number != 0);
      case DATE, TIME -> Double.isNaN(number) ? null : Moments.text(type, number);
    };
  }

  /** The distinct levels in order: numbers by size, all else by the code points of the text. */
  public static List<String> sorted(ColumnType type, Collection<String> levels) {
    return levels.stream()
        .distinct()
        .sorted(
            type == ColumnType.NUMBER
                ? Comparator.comparingDouble(Double::parseDouble)
                : Levels::byCodePoint)
        .toList();
  }

  private static int byCodePoint(String a, String b) {
    int[] left = a.codePoints().toArray();
    int[] right = b.codePoints().toArray();
    return Arrays.compare(left, right);
  }
}
