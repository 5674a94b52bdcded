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
  TRIM("trim", 1, Takes.TEXTS);

  /** What a function may be given. */
  enum Takes {
    NUMBERS,
    TEXTS,
    ANYTHING,
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
