package ngd.core.formula;

/** The operators of arithmetic, comparison and logic. */
public enum Operator {
  OR(" or ", Kind.LOGIC, 1),
  AND(" and ", Kind.LOGIC, 2),
  NOT("not ", Kind.LOGIC, 3),
  EQUAL(" = ", Kind.EQUALITY, 4),
  UNEQUAL(" != ", Kind.EQUALITY, 4),
  LESS(" < ", Kind.ORDER, 4),
  AT_MOST(" <= ", Kind.ORDER, 4),
  GREATER(" > ", Kind.ORDER, 4),
  AT_LEAST(" >= ", Kind.ORDER, 4),
  PLUS(" + ", Kind.ARITHMETIC, 5),
  MINUS(" - ", Kind.ARITHMETIC, 5),
  TIMES(" * ", Kind.ARITHMETIC, 6),
  DIVIDE("/", Kind.ARITHMETIC, 6),
  NEGATE("-", Kind.ARITHMETIC, 7),
  POWER("^", Kind.ARITHMETIC, 8);

  /** What an operator takes and gives. */
  public enum Kind {
    /** Numbers give a number. */
    ARITHMETIC,
    /** Numbers give a truth value. */
    ORDER,
    /** Two of one type give a truth value. */
    EQUALITY,
    /** Truth values give a truth value. */
    LOGIC
  }

  private final String text;
  private final Kind kind;
  private final int binding;

  Operator(String text, Kind kind, int binding) {
    this.text = text;
    this.kind = kind;
    this.binding = binding;
  }

  /** The operator with the spaces that R puts around it. */
  public String text() {
    return text;
  }

  public Kind kind() {
    return kind;
  }

  /** The higher, the closer it holds its operands. */
  int binding() {
    return binding;
  }
}
