package ngd.peer;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** A table in memory that knows columns and {@code I(column < number)}, for tests. */
public record Cells(String site, List<String> names, List<List<Object>> rows) implements SiteTable {
  /** Stands for a missing value. */
  public static final String MISSING = "";

  public static Cells of(String site, String names, Object[]... rows) {
    return new Cells(
        site, List.of(names.split(",", -1)), Arrays.stream(rows).map(List::of).toList());
  }

  @Override
  public String source() {
    return site + ".csv";
  }

  @Override
  public List<Column> columns() {
    return names.stream()
        .map(
            name ->
                new Column(
                    name,
                    rows.stream()
                            .map(row -> row.get(names.indexOf(name)))
                            .anyMatch(v -> v instanceof String text && !text.isEmpty())
                        ? ColumnType.TEXT
                        : ColumnType.NUMBER))
        .toList();
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    for (List<Object> row : rows) {
      sink.accept(
          new RowValues() {
            @Override
            public double number(int expression) {
              return value(expressions.get(expression), row);
            }

            @Override
            public @Nullable String text(int expression) {
              String column = ((Expression.Name) expressions.get(expression)).column();
              String text = String.valueOf(row.get(names.indexOf(column)));
              return text.isEmpty() ? null : text;
            }
          });
    }
  }

  private double value(Expression expression, List<Object> row) {
    return switch (expression) {
      case Expression.Name(String column) ->
          row.get(names.indexOf(column)) instanceof Number number
              ? number.doubleValue()
              : Double.NaN;
      case Expression.Binary(_, Expression.Literal(double times), Expression right) ->
          times * value(right, row);
      case Expression.Binary(_, Expression left, Expression.Literal(double bound)) ->
          value(left, row) < bound ? 1 : 0;
      case Expression.Call(_, List<Expression> arguments) when arguments.size() == 1 ->
          value(arguments.getFirst(), row);
      default -> throw new AssertionError(expression.text());
    };
  }

  @Override
  public void close() {}
}
