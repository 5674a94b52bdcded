package ngd.core.data;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.formula.Column;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;

/**
 * One site's table, wherever it lives: a file, a database, memory. The engine that holds it
 * evaluates expressions over its columns; rows stream out and are never all in memory.
 */
public interface SiteTable extends AutoCloseable {
  /** The name of the site. */
  String site();

  /** Where the rows are, as messages and manifests may say it: without secrets. */
  String source();

  /** The columns in their order. */
  List<Column> columns();

  /**
   * Evaluates the expressions in every row and hands over the values, row after row, in the same
   * order each time as far as the source keeps one. An expression that comes to no finite number
   * though none of its columns is missing is refused.
   */
  void scan(List<Expression> expressions, Consumer<RowValues> sink);

  /** The levels that were agreed on for a column, in their order; none where none were. */
  default List<String> levels(String column) {
    return List.of();
  }

  /**
   * Refuses columns that do not hold what was agreed on.
   *
   * @param columns those that matter; all where none is named
   * @throws DictionaryMismatch where they do not
   */
  default void requireFit(Collection<String> columns) {}

  @Override
  void close();
}
