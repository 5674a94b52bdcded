package ngd.core.formula;

import org.jspecify.annotations.Nullable;

/** What the expressions asked of a table came to in one row. Good until the next row. */
public interface RowValues {
  /** The value of a number, or 1 and 0 for true and false; NaN where it is missing. */
  double number(int expression);

  /** The value of a text; null where it is missing. */
  @Nullable String text(int expression);
}
