package ngd.core.data;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Operator;
import org.jspecify.annotations.Nullable;

/**
 * Expressions over columns in memory, as far as every engine comes to the same: arithmetic,
 * comparison and logic with missing values, and the common functions. Of all else, and wherever
 * something is not finite though nothing was missing, it says that it does not know; an engine
 * does, and its refusals name the row.
 *
 * <p>Logarithms, exponentials and powers are those of {@link StrictMath}, the same on every
 * machine.
 */
final class Evaluation {
  private final Map<String, HeldValues> columns;
  private final int rows;

  Evaluation(Map<String, HeldValues> columns, int rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /** The values of an expression of a type; null where an engine has to find them. */
  @Nullable HeldValues of(Expression expression, ColumnType type) {
    if (expression instanceof Expression.Name(String column)) {
      return columns.get(column);
    }
    if (type != ColumnType.NUMBER && type != ColumnType.BOOLEAN) {
      return null;
    }
    double[] numbers = numbers(expression);
    return numbers == null ? null : HeldValues.ofNumbers(type, numbers);
  }

  private double @Nullable [] numbers(Expression expression) {
    return switch (expression) {
      case Expression.Name(String column) -> {
        HeldValues held = columns.get(column);
        yield held == null || held.type() == ColumnType.TEXT ? null : held.numbers();
      }
      case Expression.Literal(double value) -> filled(_ -> value);
      case Expression.Text _ -> null;
      case Expression.Unary unary ->
          each(unary.operand(), unary.operator() == Operator.NOT ? x -> 1 - x : x -> -x);
      case Expression.Binary binary -> binary(binary);
      case Expression.Call call -> call(call);
    };
  }

  private double @Nullable [] binary(Expression.Binary binary) {
    return switch (binary.operator()) {
      case PLUS -> both(binary, (x, y) -> x + y);
      case MINUS -> both(binary, (x, y) -> x - y);
      case TIMES -> both(binary, (x, y) -> x * y);
      case DIVIDE -> both(binary, (x, y) -> x / y);
      case POWER -> both(binary, Evaluation::power);
      case LESS -> both(binary, (x, y) -> x < y ? 1 : 0);
      case AT_MOST -> both(binary, (x, y) -> x <= y ? 1 : 0);
      case GREATER -> both(binary, (x, y) -> x > y ? 1 : 0);
      case AT_LEAST -> both(binary, (x, y) -> x >= y ? 1 : 0);
      case EQUAL -> equality(binary, 1, 0);
      case UNEQUAL -> equality(binary, 0, 1);
      case AND -> decided(binary, 0);
      case OR -> decided(binary, 1);
      case NOT, NEGATE -> null;
    };
  }

  private double @Nullable [] call(Expression.Call call) {
    List<Expression> arguments = call.arguments();
    Expression first = arguments.getFirst();
    return switch (call.function()) {
      case LOG, LN -> each(first, StrictMath::log);
      case LOG2 -> each(first, x -> StrictMath.log(x) / StrictMath.log(2));
      case LOG10 -> each(first, StrictMath::log10);
      case LOG1P -> each(first, x -> StrictMath.log(1 + x));
      case EXP -> each(first, StrictMath::exp);
      case EXPM1 -> each(first, x -> StrictMath.exp(x) - 1);
      case SQRT -> each(first, Math::sqrt);
      case ABS -> each(first, Math::abs);
      case SIGN -> each(first, x -> Math.signum(x) + 0.0);
      case FLOOR -> each(first, Math::floor);
      case CEILING -> each(first, Math::ceil);
      case POWER -> both(first, arguments.getLast(), Evaluation::power);
      case PMIN -> both(first, arguments.getLast(), (x, y) -> x <= y ? x : y);
      case PMAX -> both(first, arguments.getLast(), (x, y) -> x >= y ? x : y);
      case IDENTITY, AS_NUMERIC -> numbers(first);
      case IS_NA -> isMissing(first);
      case COALESCE -> {
        double[] own = numbers(first);
        double[] other = numbers(arguments.getLast());
        yield own == null || other == null
            ? null
            : filled(i -> Double.isNaN(own[i]) ? other[i] : own[i]);
      }
      case IFELSE -> {
        double[] test = numbers(first);
        double[] yes = numbers(arguments.get(1));
        double[] no = numbers(arguments.get(2));
        yield test == null || yes == null || no == null
            ? null
            : filled(i -> Double.isNaN(test[i]) ? Double.NaN : test[i] != 0 ? yes[i] : no[i]);
      }
      default -> null;
    };
  }

  /** Squares are rounded once, whatever the machine makes of powers. */
  private static double power(double x, double y) {
    return y == 2 ? x * x : StrictMath.pow(x, y);
  }

  private double @Nullable [] isMissing(Expression of) {
    if (of instanceof Expression.Name(String column)) {
      HeldValues held = columns.get(column);
      return held == null ? null : filled(i -> held.label(i) == null ? 1 : 0);
    }
    double[] own = numbers(of);
    return own == null ? null : filled(i -> Double.isNaN(own[i]) ? 1 : 0);
  }

  /** Numbers or truth values that are equal, or a column of texts and a text. */
  private double @Nullable [] equality(Expression.Binary binary, double equal, double unequal) {
    if (binary.left() instanceof Expression.Name(String column)
        && binary.right() instanceof Expression.Text(String text)) {
      HeldValues held = columns.get(column);
      return held == null || held.type() != ColumnType.TEXT
          ? null
          : filled(
              i -> {
                String own = held.text(i);
                return own == null ? Double.NaN : own.equals(text) ? equal : unequal;
              });
    }
    return both(binary, (x, y) -> x == y ? equal : unequal);
  }

  /** Logic in which one side may decide alone, whatever is missing on the other. */
  private double @Nullable [] decided(Expression.Binary binary, double by) {
    double[] left = numbers(binary.left());
    double[] right = numbers(binary.right());
    return left == null || right == null
        ? null
        : filled(
            i ->
                left[i] == by || right[i] == by
                    ? by
                    : Double.isNaN(left[i]) || Double.isNaN(right[i]) ? Double.NaN : 1 - by);
  }

  private double[] filled(IntToDoubleFunction value) {
    double[] filled = new double[rows];
    Arrays.setAll(filled, value);
    return filled;
  }

  private double @Nullable [] each(Expression operand, DoubleUnaryOperator function) {
    double[] own = numbers(operand);
    return own == null ? null : known(i -> own[i], i -> function.applyAsDouble(own[i]));
  }

  private double @Nullable [] both(Expression.Binary binary, DoubleBinaryOperator function) {
    return both(binary.left(), binary.right(), function);
  }

  private double @Nullable [] both(
      Expression left, Expression right, DoubleBinaryOperator function) {
    double[] own = numbers(left);
    double[] other = numbers(right);
    return own == null || other == null
        ? null
        : known(i -> own[i] + other[i], i -> function.applyAsDouble(own[i], other[i]));
  }

  /**
   * Values where nothing is missing, which must be finite.
   *
   * @param missing NaN where something is
   */
  private double @Nullable [] known(IntToDoubleFunction missing, IntToDoubleFunction value) {
    double[] found = new double[rows];
    for (int i = 0; i < rows; i++) {
      if (Double.isNaN(missing.applyAsDouble(i))) {
        found[i] = Double.NaN;
        continue;
      }
      found[i] = value.applyAsDouble(i);
      if (!Double.isFinite(found[i])) {
        return null;
      }
    }
    return found;
  }
}
