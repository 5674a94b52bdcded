package ngd.core.formula;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The functions that an expression may call; every site's engine knows them all. */
public enum Function {
  /** The natural logarithm, whatever the engine calls it. */
  LOG("log", 1, Takes.NUMBERS),
  LN("ln", 1, Takes.NUMBERS),
  LOG2("log2", 1, Takes.NUMBERS),
  LOG10("log10", 1, Takes.NUMBERS),
  LOG1P("log1p", 1, Takes.NUMBERS),
  EXP("exp", 1, Takes.NUMBERS),
  EXPM1("expm1", 1, Takes.NUMBERS),
  SQRT("sqrt", 1, Takes.NUMBERS),
  ABS("abs", 1, Takes.NUMBERS),
  SIGN("sign", 1, Takes.NUMBERS),
  FLOOR("floor", 1, Takes.NUMBERS),
  CEILING("ceiling", 1, Takes.NUMBERS),
  SIN("sin", 1, Takes.NUMBERS),
  COS("cos", 1, Takes.NUMBERS),
  TAN("tan", 1, Takes.NUMBERS),
  POWER("power", 2, Takes.NUMBERS),
  /** The smaller of two, row by row. */
  PMIN("pmin", 2, Takes.NUMBERS),
  /** The larger of two, row by row. */
  PMAX("pmax", 2, Takes.NUMBERS),
  /** What is inside, as it is: it lets operators mean arithmetic. */
  IDENTITY("I", 1, Takes.ANYTHING),
  /** The second where the first is true, the third where it is false. */
  IFELSE("ifelse", 3, Takes.A_TEST_AND_TWO_ALIKE),
  /** Whether a value is missing; never missing itself. */
  IS_NA("is.na", 1, Takes.ANYTHING),
  /** The first, or the second where the first is missing. */
  COALESCE("coalesce", 2, Takes.TWO_ALIKE),
  LOWER("lower", 1, Takes.TEXTS),
  UPPER("upper", 1, Takes.TEXTS),
  TRIM("trim", 1, Takes.TEXTS),
  /** A number as it is, a date as days and a time as seconds since 1970. */
  AS_NUMERIC("as.numeric", 1, Takes.ALL_BUT_TEXT),
  /** The day of a time in UTC, or the date that a text says, year first. */
  AS_DATE("as.Date", 1, Takes.MOMENTS_OR_TEXTS),
  YEAR("year", 1, Takes.MOMENTS),
  QUARTER("quarter", 1, Takes.MOMENTS),
  MONTH("month", 1, Takes.MOMENTS),
  /** The name of the month, in English. */
  MONTHS("months", 1, Takes.MOMENTS),
  DAY("day", 1, Takes.MOMENTS),
  /** The day of the year, from 1. */
  YDAY("yday", 1, Takes.MOMENTS),
  /** The day of the week; Sunday is 1. */
  WDAY("wday", 1, Takes.MOMENTS),
  /** The name of the day of the week, in English. */
  WEEKDAYS("weekdays", 1, Takes.MOMENTS),
  HOUR("hour", 1, Takes.TIMES),
  MINUTE("minute", 1, Takes.TIMES),
  SECOND("second", 1, Takes.TIMES);

  /** What a function may be given. */
  enum Takes {
    NUMBERS,
    TEXTS,
    ANYTHING,
    ALL_BUT_TEXT,
    MOMENTS,
    TIMES,
    MOMENTS_OR_TEXTS,
    TWO_ALIKE,
    A_TEST_AND_TWO_ALIKE
  }

  private final String name;
  private final int arguments;
  private final Takes takes;

  Function(String name, int arguments, Takes takes) {
    this.name = name;
    this.arguments = arguments;
    this.takes = takes;
  }

  /** The name in a formula. */
  public String text() {
    return name;
  }

  int arguments() {
    return arguments;
  }

  Takes takes() {
    return takes;
  }

  static Optional<Function> named(String name) {
    return Arrays.stream(values()).filter(function -> function.name.equals(name)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Function::text).toList();
  }
}
