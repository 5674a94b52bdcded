package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Function;
import ngd.core.formula.RowValues;

/** The rows of a table in which some columns all have a value. */
final class CompleteRows extends TableOver {
  private final List<String> needed;

  CompleteRows(SiteTable table, Collection<String> needed) {
    super(table);
    this.needed = List.copyOf(needed);
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    List<Expression> asked = new ArrayList<>(expressions);
    List<Predicate<RowValues>> has = new ArrayList<>();
    for (String name : needed) {
      Optional<Column> column =
          table.columns().stream()
              .filter(own -> own.name().equals(name) && own.type() != ColumnType.EMPTY)
              .findFirst();
      if (column.isEmpty()) {
        return;
      }
      int at = asked.size();
      Expression value = new Expression.Name(name);
      switch (column.get().type()) {
        case TEXT -> has.add(row -> row.text(at) != null);
        case OTHER -> has.add(row -> row.number(at) == 0);
        default -> has.add(row -> !Double.isNaN(row.number(at)));
      }
      asked.add(
          column.get().type() == ColumnType.OTHER
              ? new Expression.Call(Function.IS_NA, List.of(value))
              : value);
    }
    table.scan(
        asked,
        row -> {
          if (has.stream().allMatch(one -> one.test(row))) {
            sink.accept(row);
          }
        });
  }
}
