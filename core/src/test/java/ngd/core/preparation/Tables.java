package ngd.core.preparation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** Small tables in memory that know plain columns only, for tests. */
final class Tables {
  private Tables() {}

  /** A table; a column whose first value that is there is a text holds text. */
  static SiteTable of(String site, List<String> names, @Nullable Object[]... rows) {
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < names.size(); c++) {
      boolean text = false;
      for (Object[] row : rows) {
        text |= row[c] instanceof String;
      }
      columns.add(new Column(names.get(c), text ? ColumnType.TEXT : ColumnType.NUMBER));
    }
    return new SiteTable() {
      @Override
      public String site() {
        return site;
      }

      @Override
      public String source() {
        return site + ".csv";
      }

      @Override
      public List<Column> columns() {
        return columns;
      }

      @Override
      public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
        for (@Nullable Object[] row : rows) {
          sink.accept(
              new RowValues() {
                private @Nullable Object value(int expression) {
                  if (expressions.get(expression) instanceof Expression.Call call) {
                    // is.na, the only function that a description asks for
                    String column = ((Expression.Name) call.arguments().getFirst()).column();
                    return row[names.indexOf(column)] == null ? 1 : 0;
                  }
                  Expression.Name name = (Expression.Name) expressions.get(expression);
                  return row[names.indexOf(name.column())];
                }

                @Override
                public double number(int expression) {
                  return value(expression) instanceof Number n ? n.doubleValue() : Double.NaN;
                }

                @Override
                public @Nullable String text(int expression) {
                  return (String) value(expression);
                }
              });
        }
      }

      @Override
      public void close() {}
    };
  }
}
