package ngd.core.data;

/** Numbers as people write them in files: finite decimals, spaces around allowed. */
final class Numbers {
  private Numbers() {}

  /** The number, or NaN for whatever is none or is not finite. */
  static double parseOrNaN(String text) {
    String trimmed = text.strip();
    for (int i = 0; i < trimmed.length(); i++) {
      char c = trimmed.charAt(i);
      // Java also reads 1f, 2d, 0x1p3, NaN and Infinity, none of which is meant as a number in data
      if ((c < '0' || c > '9') && ".-+eE".indexOf(c) < 0) {
        return Double.NaN;
      }
    }
    try {
      double value = Double.parseDouble(trimmed);
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException none) {
      return Double.NaN;
    }
  }
}
