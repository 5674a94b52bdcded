package ngd.core.inference;

/** The rule for counts that would point at single rows: a count is zero or at least three. */
final class SmallCells {
  /** The least count above zero that is told. */
  static final int MINIMUM = 3;

  private SmallCells() {}

  /** Whether a count may be told. */
  static boolean tells(long count) {
    return count == 0 || count >= MINIMUM;
  }
}
