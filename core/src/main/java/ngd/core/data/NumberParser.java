package ngd.core.data;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;

/** Numbers as people write them in files: finite decimals, spaces around allowed. */
final class NumberParser {
  private NumberParser() {}

  static double parseOrNaN(String text) {
    return parseOrNaN(text, '.');
  }

  static double parseOrNaN(String text, char decimal) {
    return parseOrNaN(text.toCharArray(), 0, text.length(), decimal);
  }

  /** The number, or NaN if the text is not a finite number. */
  static double parseOrNaN(char[] text, int offset, int length, char decimal) {
    int from = offset;
    int to = offset + length;
    while (from < to && Character.isWhitespace(text[from])) {
      from++;
    }
    while (from < to && Character.isWhitespace(text[to - 1])) {
      to--;
    }
    for (int i = from; i < to; i++) {
      char c = text[i];
      // Java also reads 1f, 2d, 0x1p3, NaN and Infinity, none of which is meant as a number in data
      if ((c < '0' || c > '9') && c != decimal && "-+eE".indexOf(c) < 0) {
        return Double.NaN;
      }
    }
    try {
      double value =
          decimal == '.'
              ? JavaDoubleParser.parseDouble(text, from, to - from)
              : JavaDoubleParser.parseDouble(
                  new String(text, from, to - from).replace(decimal, '.'));
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException none) {
      return Double.NaN;
    }
  }
}
