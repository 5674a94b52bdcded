package ngd.core.preparation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Levels;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** A table some of whose numbers are taken as levels, as {@code factor()} does in a formula. */
final class LevelColumns extends TableOver {
  private final Set<String> asLevels;

  LevelColumns(SiteTable table, Set<String> asLevels) {
    super(table);
    this.asLevels = Set.copyOf(asLevels);
  }

  /** The type that a column is taken as. */
  static Column taken(Column column, Set<String> asLevels) {
    return column.type() == ColumnType.NUMBER && asLevels.contains(column.name())
        ? new Column(column.name(), ColumnType.TEXT)
        : column;
  }

  @Override
  public List<Column> columns() {
    return table.columns().stream().map(column -> taken(column, asLevels)).toList();
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    Map<Integer, ColumnType> turned = new HashMap<>();
    for (int i = 0; i < expressions.size(); i++) {
      for (Column column : table.columns()) {
        if (expressions.get(i).equals(new Expression.Name(column.name()))
            && !taken(column, asLevels).equals(column)) {
          turned.put(i, column.type());
        }
      }
    }
    table.scan(expressions, row -> sink.accept(turned.isEmpty() ? row : new InLevels(row, turned)));
  }

  /** A row whose numbers are read as levels where they are taken so. */
  private record InLevels(RowValues row, Map<Integer, ColumnType> turned) implements RowValues {
    @Override
    public double number(int expression) {
      return row.number(expression);
    }

    @Override
    public @Nullable String text(int expression) {
      ColumnType type = turned.get(expression);
      return type == null ? row.text(expression) : Levels.of(type, row.number(expression), null);
    }
  }
}
