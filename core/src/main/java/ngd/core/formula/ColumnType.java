package ngd.core.formula;

/** What a column, or an expression over columns, holds as far as a formula cares. */
public enum ColumnType {
  NUMBER("numbers"),
  TEXT("text"),
  BOOLEAN("true and false"),
  /** A column without a single value, whose type is therefore unknown. */
  EMPTY("only missing values"),
  /** Dates, blobs and whatever else no expression can use. */
  OTHER("dates or the like");

  private final String words;

  ColumnType(String words) {
    this.words = words;
  }

  /** What such a column holds, in words. */
  public String words() {
    return words;
  }
}
