package ngd.core.formula;

import org.jspecify.annotations.Nullable;

/** What the expressions asked of a table came to in one row. Good until the next row. */
public interface RowValues {
  /** The value of a number, or 1 and 0 for true and false; NaN where it is missing. */
  double number(int expression);

  /** The value of a text; null where it is missing. */
  @Nullable String text(int expression);

  /**
   * The number of a text among the different ones of its expression, the same in all rows of one
   * scan; −1 where it is missing, or the table numbers none.
   */
  default int word(int expression) {
    return -1;
  }

  /** Whether it is known without a look that nothing asked for is missing in this row. */
  default boolean isWhole() {
    return false;
  }
}
