package ngd.sources;

import java.math.BigDecimal;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Moments;
import ngd.core.formula.Operator;
import ngd.sources.Dialect.DatePart;

/**
 * Expressions as one engine understands them, with the texts that have to be bound to its question
 * marks.
 *
 * <p>Where R would give NaN or an infinity (the logarithm of 0, a quotient by 0), the SQL gives
 * NULL: some engines would fail otherwise, and the row is looked at again by who reads it. A text
 * is bound wherever it is used, so the order of {@link #bound} is that of the question marks only
 * if every piece is appended in the order in which it was made.
 */
final class Sql {
  private static final List<String> WEEKDAYS =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
  private static final List<String> MONTHS =
      Arrays.stream(Month.values())
          .map(month -> month.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
          .toList();

  private final Dialect dialect;
  private final Map<String, ColumnType> types;
  private final List<String> missing;
  private final List<String> bound = new ArrayList<>();

  Sql(Dialect dialect, Map<String, ColumnType> types, List<String> missing) {
    this.dialect = dialect;
    this.types = types;
    this.missing = missing;
  }

  /** The texts for the question marks, in order. */
  List<String> bound() {
    return bound;
  }

  /** An expression whose result is read: a truth value as 1 and 0. */
  String value(Expression expression) {
    return expression.type(types) == ColumnType.BOOLEAN ? number(expression) : plain(expression);
  }

  /** 1 where a column that the expression reads is missing, else 0. */
  String lacksColumn(Expression expression) {
    String anyNull =
        expression.columns().stream()
            .map(column -> plain(new Expression.Name(column)) + " IS NULL")
            .collect(Collectors.joining(" OR "));
    return anyNull.isEmpty() ? "0" : "CASE WHEN %s THEN 1 ELSE 0 END".formatted(anyNull);
  }

  private String number(Expression expression) {
    if (expression.type(types) != ColumnType.BOOLEAN) {
      return plain(expression);
    }
    String first = plain(expression);
    String second = plain(expression);
    return "CASE WHEN %s THEN 1e0 WHEN NOT (%s) THEN 0e0 END".formatted(first, second);
  }

  /** An expression in the engine's own type. */
  private String plain(Expression expression) {
    return switch (expression) {
      case Expression.Name name -> column(name.column());
      case Expression.Literal literal -> literal(literal.value());
      case Expression.Text text -> bind(text.value());
      case Expression.Unary unary ->
          unary.operator() == Operator.NOT
              ? "(NOT %s)".formatted(plain(unary.operand()))
              : "(- %s)".formatted(number(unary.operand()));
      case Expression.Binary binary -> binary(binary);
      case Expression.Call call -> call(call);
    };
  }

  private String column(String name) {
    String quoted = dialect.name(name);
    ColumnType type = types.getOrDefault(name, ColumnType.OTHER);
    if (type == ColumnType.NUMBER) {
      return dialect.number(quoted);
    }
    if (type.isMoment()) {
      return type == ColumnType.DATE ? dialect.days(quoted) : dialect.seconds(quoted);
    }
    if (type != ColumnType.TEXT) {
      return quoted;
    }
    String text = dialect.text(quoted);
    for (String word : missing) {
      text = "NULLIF(%s, %s)".formatted(text, bind(word));
    }
    return text;
  }

  private String bind(String text) {
    bound.add(text);
    return dialect.text("?");
  }

  private String binary(Expression.Binary binary) {
    Operator operator = binary.operator();
    boolean numbers =
        operator.kind() == Operator.Kind.ARITHMETIC || operator.kind() == Operator.Kind.ORDER;
    String left = operand(binary.left(), binary.right(), numbers);
    String right = operand(binary.right(), binary.left(), numbers);
    return switch (operator) {
      case DIVIDE -> "(%s / NULLIF(%s, 0e0))".formatted(left, right);
      case POWER -> "power(%s, %s)".formatted(left, right);
      case UNEQUAL -> "(%s <> %s)".formatted(left, right);
      default -> "(%s %s %s)".formatted(left, operator.text().strip(), right);
    };
  }

  /** An operand; a text beside a date or a time is one too. */
  private String operand(Expression operand, Expression beside, boolean number) {
    if (operand instanceof Expression.Text(String text)) {
      OptionalDouble moment = moment(beside.type(types), text);
      if (moment.isPresent()) {
        return literal(moment.getAsDouble());
      }
    }
    return number ? number(operand) : plain(operand);
  }

  private static OptionalDouble moment(ColumnType type, String text) {
    return type.isMoment() ? Moments.number(type, text) : OptionalDouble.empty();
  }

  private static String literal(double value) {
    return "(%se0)".formatted(BigDecimal.valueOf(value).toPlainString());
  }

  /** The days since 1970-01-01 of a date or a time. */
  private String days(Expression moment) {
    return moment.type(types) == ColumnType.TIME
        ? "floor(%s / 86400e0)".formatted(plain(moment))
        : plain(moment);
  }

  private String date(Expression argument) {
    if (argument instanceof Expression.Text(String text)) {
      return literal(Moments.number(ColumnType.DATE, text).orElseThrow());
    }
    if (argument.type(types).isMoment()) {
      return days(argument);
    }
    String first = plain(argument);
    String again = dialect.readsTextTwice() ? plain(argument) : "";
    return dialect.days(dialect.dateOf(first, again));
  }

  /** How far a number is beyond the last multiple of another, in units of a third. */
  private String cycle(Supplier<String> number, String unit, String length) {
    return "(floor(%s / %s) - %s * floor(%s / (%s * %s)))"
        .formatted(number.get(), unit, length, number.get(), unit, length);
  }

  /** The day of the week from Sunday, 0: the first day of 1970 was a Thursday. */
  private String weekday(Expression moment) {
    return cycle(() -> "(%s + 4e0)".formatted(days(moment)), "1e0", "7e0");
  }

  private static String named(String number, int first, List<String> names) {
    StringBuilder cases = new StringBuilder("CASE ").append(number);
    for (int i = 0; i < names.size(); i++) {
      cases.append(" WHEN %de0 THEN '%s'".formatted(first + i, names.get(i)));
    }
    return cases.append(" END").toString();
  }

  private String call(Expression.Call call) {
    Expression first = call.arguments().getFirst();
    return switch (call.function()) {
      case LOG, LN -> where(first, "> 0", "ln(%s)");
      case LOG2 -> where(first, "> 0", "(ln(%s) / ln(2e0))");
      case LOG10 -> where(first, "> 0", dialect.log10() + "(%s)");
      case LOG1P -> where(first, "> -1", "ln(1e0 + %s)");
      case EXPM1 -> "(exp(%s) - 1e0)".formatted(number(first));
      case SQRT -> where(first, ">= 0", "sqrt(%s)");
      case CEILING -> "ceil(%s)".formatted(number(first));
      case EXP, ABS, SIGN, FLOOR, SIN, COS, TAN ->
          "%s(%s)".formatted(call.function().text(), number(first));
      case POWER -> "power(%s, %s)".formatted(number(first), number(call.arguments().get(1)));
      case PMIN -> chosen(call, "<=");
      case PMAX -> chosen(call, ">=");
      case IDENTITY -> plain(first);
      case IFELSE -> ifelse(call);
      case IS_NA -> "(%s IS NULL)".formatted(plain(first));
      case COALESCE -> "coalesce(%s, %s)".formatted(plain(first), plain(call.arguments().get(1)));
      case LOWER, UPPER, TRIM -> "%s(%s)".formatted(call.function().text(), plain(first));
      case AS_NUMERIC -> number(first);
      case AS_DATE -> date(first);
      case YEAR -> dialect.part(DatePart.YEAR, days(first));
      case MONTH -> dialect.part(DatePart.MONTH, days(first));
      case QUARTER ->
          "floor((%s + 2e0) / 3e0)".formatted(dialect.part(DatePart.MONTH, days(first)));
      case MONTHS -> named(dialect.part(DatePart.MONTH, days(first)), 1, MONTHS);
      case DAY -> dialect.part(DatePart.DAY, days(first));
      case YDAY -> dialect.part(DatePart.DAY_OF_YEAR, days(first));
      case WDAY -> "(%s + 1e0)".formatted(weekday(first));
      case WEEKDAYS -> named(weekday(first), 0, WEEKDAYS);
      case HOUR -> cycle(() -> plain(first), "3600e0", "24e0");
      case MINUTE -> cycle(() -> plain(first), "60e0", "60e0");
      case SECOND -> "(%s - 60e0 * floor(%s / 60e0))".formatted(plain(first), plain(first));
    };
  }

  /** The function where its argument allows it, else NULL. */
  private String where(Expression argument, String allowed, String function) {
    String test = number(argument);
    return "CASE WHEN %s %s THEN %s END"
        .formatted(test, allowed, function.formatted(number(argument)));
  }

  /** One of two, missing where either is. */
  private String chosen(Expression.Call call, String sign) {
    Expression left = call.arguments().get(0);
    Expression right = call.arguments().get(1);
    return "CASE WHEN %s %s %s THEN %s WHEN %s IS NOT NULL AND %s IS NOT NULL THEN %s END"
        .formatted(
            number(left),
            sign,
            number(right),
            number(left),
            number(left),
            number(right),
            number(right));
  }

  private String ifelse(Expression.Call call) {
    Expression test = call.arguments().get(0);
    String yes = plain(test);
    String then = plain(call.arguments().get(1));
    String no = plain(test);
    return "CASE WHEN %s THEN %s WHEN NOT (%s) THEN %s END"
        .formatted(yes, then, no, plain(call.arguments().get(2)));
  }
}
