package ngd.core.formula;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;

/**
 * A value computed from one row: columns, literals, operators and the functions of {@link
 * Function}. Two that are written alike are equal.
 */
public sealed interface Expression {

  /** A column's value. */
  record Name(String column) implements Expression {}

  /** A number that stands in the formula. */
  record Literal(double value) implements Expression {}

  /** A text that stands in the formula. */
  record Text(String value) implements Expression {}

  /** An operator before its operand: a sign, or not. */
  record Unary(Operator operator, Expression operand) implements Expression {}

  /** An operator between its operands. */
  record Binary(Operator operator, Expression left, Expression right) implements Expression {}

  /** A function of its arguments. */
  record Call(Function function, List<Expression> arguments) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /** The expression as R would print it. */
  default String text() {
    return switch (this) {
      case Name name -> quoted(name.column());
      case Literal number -> Levels.text(number.value());
      case Text text -> '"' + text.value() + '"';
      case Unary unary ->
          unary.operator().text() + inside(unary.operand(), unary.operator().binding());
      case Binary binary -> {
        int binding = binary.operator().binding();
        boolean fromRight = binary.operator() == Operator.POWER;
        yield inside(binary.left(), fromRight ? binding + 1 : binding)
            + binary.operator().text()
            + inside(binary.right(), fromRight ? binding : binding + 1);
      }
      case Call call ->
          call.arguments().stream()
              .map(Expression::text)
              .collect(Collectors.joining(", ", call.function().text() + "(", ")"));
    };
  }

  /** An operand's text, in parentheses where it holds less closely. */
  private static String inside(Expression operand, int binding) {
    int own =
        switch (operand) {
          case Unary unary -> unary.operator().binding();
          case Binary binary -> binary.operator().binding();
          default -> Integer.MAX_VALUE;
        };
    return own < binding ? "(" + operand.text() + ")" : operand.text();
  }

  /** A column's name, in backquotes where it could be read as something else. */
  static String quoted(String column) {
    return FormulaTokens.isPlainName(column) ? column : "`" + column + "`";
  }

  /** The columns it reads, in the order of their first appearance. */
  default SequencedSet<String> columns() {
    SequencedSet<String> found = new LinkedHashSet<>();
    switch (this) {
      case Name name -> found.add(name.column());
      case Literal number -> {}
      case Text text -> {}
      case Unary unary -> found.addAll(unary.operand().columns());
      case Binary binary -> {
        found.addAll(binary.left().columns());
        found.addAll(binary.right().columns());
      }
      case Call call -> call.arguments().forEach(argument -> found.addAll(argument.columns()));
    }
    return found;
  }

  /** What it holds, given what the columns hold; refuses operands of the wrong type. */
  default ColumnType type(Map<String, ColumnType> columns) {
    return switch (this) {
      case Name name -> {
        ColumnType type = columns.get(name.column());
        if (type == null) {
          throw new InvalidInput("formula: there is no column %s".formatted(quoted(name.column())));
        }
        if (type == ColumnType.OTHER || type == ColumnType.EMPTY) {
          throw new InvalidInput(
              "formula: the column %s cannot be used: it holds %s%s"
                  .formatted(
                      text(),
                      type.words(),
                      type == ColumnType.OTHER
                          ? "; convert them to numbers or text with --query"
                          : ""));
        }
        yield type;
      }
      case Literal number -> ColumnType.NUMBER;
      case Text text -> ColumnType.TEXT;
      case Unary unary -> operation(unary.operator(), List.of(unary.operand()), columns);
      case Binary binary ->
          operation(binary.operator(), List.of(binary.left(), binary.right()), columns);
      case Call call -> call(call, columns);
    };
  }

  private ColumnType operation(
      Operator operator, List<Expression> operands, Map<String, ColumnType> columns) {
    List<ColumnType> types = operands.stream().map(operand -> operand.type(columns)).toList();
    if (types.stream().anyMatch(ColumnType::isMoment)) {
      return ofMoments(operator, operands, types);
    }
    switch (operator.kind()) {
      case ARITHMETIC, ORDER -> requireNumbers(operands, types);
      case EQUALITY -> requireAlike(operands, types);
      case LOGIC -> {
        for (int i = 0; i < types.size(); i++) {
          if (types.get(i) != ColumnType.BOOLEAN) {
            throw refused(operands.get(i), types.get(i), "true or false");
          }
        }
      }
    }
    return operator.kind() == Operator.Kind.ARITHMETIC ? ColumnType.NUMBER : ColumnType.BOOLEAN;
  }

  /**
   * As in R: moments of one kind can be compared and subtracted, numbers added to and subtracted
   * from one, and a text of the formula beside one is read as one.
   */
  private ColumnType ofMoments(
      Operator operator, List<Expression> operands, List<ColumnType> types) {
    ColumnType left = types.getFirst();
    ColumnType right = types.getLast();
    if (operator.kind() == Operator.Kind.ORDER || operator.kind() == Operator.Kind.EQUALITY) {
      if (left != right) {
        requireMoment(operands.getFirst(), left, right);
        requireMoment(operands.getLast(), right, left);
      }
      return ColumnType.BOOLEAN;
    }
    if (operator == Operator.MINUS && left == right) {
      return ColumnType.NUMBER;
    }
    boolean rightIsNumber = right == ColumnType.NUMBER || right == ColumnType.BOOLEAN;
    boolean leftIsNumber = left == ColumnType.NUMBER || left == ColumnType.BOOLEAN;
    if ((operator == Operator.PLUS || operator == Operator.MINUS) && rightIsNumber) {
      return left;
    }
    if (operator == Operator.PLUS && leftIsNumber) {
      return right;
    }
    throw refusedMoments(operands, types);
  }

  /** A text that stands beside a moment must say one. */
  private void requireMoment(Expression operand, ColumnType own, ColumnType other) {
    if (own.isMoment() && other == ColumnType.TEXT) {
      return;
    }
    if (!(operand instanceof Text(String text)) || !other.isMoment()) {
      throw new InvalidInput(
          "formula: in `%s` both sides must hold the same; one holds %s, the other %s"
              .formatted(text(), own.words(), other.words()));
    }
    if (Moments.number(other, text).isEmpty()) {
      throw new InvalidInput(
          "formula: in `%s`, %s must be a date such as '2020-03-01'%s"
              .formatted(
                  text(),
                  operand.text(),
                  other == ColumnType.TIME ? ", or a time such as '2020-03-01 12:30:00'" : ""));
    }
  }

  private InvalidInput refusedMoments(List<Expression> operands, List<ColumnType> types) {
    int at = types.getFirst().isMoment() ? 0 : types.size() - 1;
    return new InvalidInput(
        "formula: in `%s`, %s holds %s; write as.numeric(%s) for the number of %s since 1970"
            .formatted(
                text(),
                operands.get(at).text(),
                types.get(at).words(),
                operands.get(at).text(),
                types.get(at) == ColumnType.DATE ? "days" : "seconds"));
  }

  private ColumnType call(Call call, Map<String, ColumnType> columns) {
    List<Expression> arguments = call.arguments();
    if (call.function() == Function.IS_NA
        && arguments.getFirst() instanceof Name(String column)
        && columns.containsKey(column)) {
      // Whether a value is there can be asked of whatever a column holds.
      return ColumnType.BOOLEAN;
    }
    List<ColumnType> types = arguments.stream().map(argument -> argument.type(columns)).toList();
    int last = arguments.size() - 1;
    switch (call.function().takes()) {
      case NUMBERS -> requireNumbers(arguments, types);
      case TEXTS -> {
        if (types.getFirst() != ColumnType.TEXT) {
          throw refused(arguments.getFirst(), types.getFirst(), "text");
        }
      }
      case ANYTHING -> {}
      case ALL_BUT_TEXT -> {
        if (types.getFirst() == ColumnType.TEXT) {
          throw refused(arguments.getFirst(), types.getFirst(), "a number, a date or a time");
        }
      }
      case MOMENTS -> {
        if (!types.getFirst().isMoment()) {
          throw refused(arguments.getFirst(), types.getFirst(), "a date or a time");
        }
      }
      case TIMES -> {
        if (types.getFirst() != ColumnType.TIME) {
          throw refused(arguments.getFirst(), types.getFirst(), "a time");
        }
      }
      case MOMENTS_OR_TEXTS -> {
        if (!types.getFirst().isMoment() && types.getFirst() != ColumnType.TEXT) {
          throw refused(arguments.getFirst(), types.getFirst(), "a date, a time or text");
        }
        if (arguments.getFirst() instanceof Text) {
          requireMoment(arguments.getFirst(), ColumnType.TEXT, ColumnType.DATE);
        }
      }
      case A_TEST_AND_TWO_ALIKE -> {
        if (types.getFirst() != ColumnType.BOOLEAN) {
          throw refused(arguments.getFirst(), types.getFirst(), "true or false");
        }
        requireAlike(arguments.subList(1, 3), types.subList(1, 3));
      }
      case TWO_ALIKE -> requireAlike(arguments, types);
    }
    return switch (call.function()) {
      case IS_NA -> ColumnType.BOOLEAN;
      case LOWER, UPPER, TRIM, WEEKDAYS, MONTHS -> ColumnType.TEXT;
      case AS_DATE -> ColumnType.DATE;
      case IDENTITY, IFELSE, COALESCE -> types.get(last);
      default -> ColumnType.NUMBER;
    };
  }

  /** As in R, true counts as 1 and false as 0 where numbers are wanted. */
  private void requireNumbers(List<Expression> operands, List<ColumnType> types) {
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i).isMoment()) {
        throw refusedMoments(List.of(operands.get(i)), List.of(types.get(i)));
      }
      if (types.get(i) == ColumnType.TEXT) {
        throw refused(operands.get(i), types.get(i), "a number");
      }
    }
  }

  private void requireAlike(List<Expression> operands, List<ColumnType> types) {
    if (types.get(0) != types.get(1)) {
      throw new InvalidInput(
          "formula: in `%s` both sides must hold the same; %s holds %s and %s %s"
              .formatted(
                  text(),
                  operands.get(0).text(),
                  types.get(0).words(),
                  operands.get(1).text(),
                  types.get(1).words()));
    }
  }

  private InvalidInput refused(Expression operand, ColumnType found, String wanted) {
    return new InvalidInput(
        "formula: in `%s`, %s must be %s; it holds %s"
            .formatted(text(), operand.text(), wanted, found.words()));
  }
}
