package ngd.core.formula;

/** What a column, or an expression over columns, holds as far as a formula cares. */
public enum ColumnType {
  NUMBER("numbers"),
  TEXT("text"),
  BOOLEAN("true and false"),
  /** A column without a single value, of which nobody can tell what it would hold. */
  EMPTY("nothing but missing values"),
  /** Dates, blobs and whatever else no expression can use. */
  OTHER("dates or other values that cannot be used in formulas");

  private final String words;

  ColumnType(String words) {
    this.words = words;
  }

  /** What such a column holds, in words. */
  public String words() {
    return words;
  }
}
