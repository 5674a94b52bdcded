package ngd.core.data;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import ngd.core.formula.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link PlainText} file as its fields come: numbers as long as all are, and then
 * texts.
 */
final class PlainColumn {
  /** Words that are, or may be, truth values, numbers or dates of an engine. */
  private static final Set<String> DOUBTFUL =
      Set.of(
          "true",
          "false",
          "t",
          "f",
          "yes",
          "no",
          "y",
          "n",
          "on",
          "off",
          "nan",
          "inf",
          "infinity",
          "epoch",
          "today",
          "tomorrow",
          "yesterday",
          "now",
          "null");

  /** A number of at most this many digits, times or by a power of ten from this list, is exact. */
  private static final int EXACT_DIGITS = 15;

  /** Whole numbers of more digits are whole to some engines only. */
  private static final int WHOLE_DIGITS = 18;

  private static final double[] TENS = new double[23];

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = Double.parseDouble("1e" + i);
    }
  }

  private double[] numbers = new double[1024];
  private int size;
  private boolean anyValue;
  private boolean whole = true;
  private @Nullable PlainWords words;
  private int[] codes = {};

  private void addNumber(double number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, size + (size >> 1));
    }
    numbers[size++] = number;
  }

  /** Takes a missing value, as any column does. */
  boolean addMissing() {
    if (words == null) {
      addNumber(Double.NaN);
    } else {
      addCode(-1);
    }
    return true;
  }

  /** Takes a field; false where it is not the number that this column needs. */
  boolean add(byte[] bytes, int from, int to) {
    anyValue = true;
    PlainWords known = words;
    if (known != null) {
      addCode(known.code(bytes, from, to));
      return true;
    }
    double number = number(bytes, from, to);
    if (Double.isNaN(number)) {
      return false;
    }
    addNumber(number);
    return true;
  }

  private void addCode(int code) {
    if (size == codes.length) {
      codes = Arrays.copyOf(codes, Math.max(1024, size + (size >> 1)));
    }
    codes[size++] = code;
  }

  /** Begins again, with texts. */
  void restart() {
    words = new PlainWords();
    numbers = new double[0];
    size = 0;
  }

  /**
   * The number that bytes say in the plainest way: a sign, digits without a zero before them, a
   * point between digits, an exponent. NaN where they say it otherwise, or none.
   */
  private double number(byte[] bytes, int from, int to) {
    int at = from;
    boolean negative = bytes[at] == '-';
    at += negative ? 1 : 0;
    int first = at;
    long digits = 0;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      digits = 10 * digits + (bytes[at++] - '0');
    }
    int count = at - first;
    if (count == 0 || (count > 1 && bytes[first] == '0')) {
      return Double.NaN;
    }
    int scale = 0;
    if (at < to && bytes[at] == '.') {
      int point = at++;
      while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
        digits = 10 * digits + (bytes[at++] - '0');
      }
      scale = point + 1 - at;
      if (scale == 0) {
        return Double.NaN;
      }
    }
    if (at == to && scale == 0) {
      return count > WHOLE_DIGITS ? Double.NaN : negative ? -(double) digits : digits;
    }
    whole = false;
    if (at == to && count - scale <= EXACT_DIGITS) {
      double size = digits / TENS[-scale];
      return negative ? -size : size;
    }
    if (at < to && !isExponent(bytes, at, to)) {
      return Double.NaN;
    }
    double parsed = JavaDoubleParser.parseDouble(bytes, from, to - from);
    return Double.isFinite(parsed) ? parsed : Double.NaN;
  }

  private static boolean isExponent(byte[] bytes, int from, int to) {
    int at = from;
    if (bytes[at] != 'e' && bytes[at] != 'E') {
      return false;
    }
    at++;
    at += at < to && (bytes[at] == '-' || bytes[at] == '+') ? 1 : 0;
    int first = at;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at == to && at > first;
  }

  /** What the column holds; null where an engine could see something else in it. */
  @Nullable ColumnType type() {
    if (!anyValue) {
      return ColumnType.EMPTY;
    }
    PlainWords known = words;
    return known == null
        ? ColumnType.NUMBER
        : known.any(PlainColumn::isSurelyText) ? ColumnType.TEXT : null;
  }

  /** Whether no engine takes a text for anything else. */
  private static boolean isSurelyText(byte[] word) {
    boolean letter = (word[0] | 0x20) >= 'a' && (word[0] | 0x20) <= 'z';
    return (letter || word[0] < 0)
        && !DOUBTFUL.contains(
            new String(word, StandardCharsets.ISO_8859_1).strip().toLowerCase(Locale.ROOT));
  }

  /** The values; null where bytes are no UTF-8. */
  @Nullable HeldValues values() {
    PlainWords known = words;
    if (known == null) {
      double[] all = Arrays.copyOf(numbers, size);
      if (whole) {
        // An engine that holds whole numbers has no −0.
        Arrays.setAll(all, i -> all[i] + 0.0);
      }
      return HeldValues.ofNumbers(ColumnType.NUMBER, all);
    }
    List<String> texts = new ArrayList<>();
    for (byte[] word : known.words()) {
      Optional<String> text = PlainWords.text(word);
      if (text.isEmpty()) {
        return null;
      }
      texts.add(text.get());
    }
    return HeldValues.ofTexts(Arrays.copyOf(codes, size), texts);
  }
}
