package ngd.core.formula;

/** What a column, or an expression over columns, holds as far as a formula cares. */
public enum ColumnType {
  NUMBER("numbers"),
  TEXT("text"),
  BOOLEAN("true and false"),
  /** Days of the calendar; a number as {@link Moments} says. */
  DATE("dates"),
  /** Instants; a number as {@link Moments} says. */
  TIME("dates with times"),
  /** A column without a single value, whose type is therefore unknown. */
  EMPTY("only missing values"),
  /** Times of day, blobs and whatever else no expression can use. */
  OTHER("values that formulas cannot use");

  private final String words;

  ColumnType(String words) {
    this.words = words;
  }

  /** Whether it is a date or a time. */
  public boolean isMoment() {
    return this == DATE || this == TIME;
  }

  /** Whether a term takes its values as they are: numbers, dates as days and times as seconds. */
  public boolean isNumeric() {
    return this == NUMBER || isMoment();
  }

  /** What such a column holds, in words. */
  public String words() {
    return words;
  }
}
