package ngd.core.data;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.formula.Column;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;

/**
 * A table that is another one in all that it does not say itself. Whatever stands over a table
 * extends this, so that nothing a table promises is lost on the way.
 */
public abstract class TableOver implements SiteTable {
  protected final SiteTable table;

  protected TableOver(SiteTable table) {
    this.table = table;
  }

  @Override
  public String site() {
    return table.site();
  }

  @Override
  public String source() {
    return table.source();
  }

  @Override
  public List<Column> columns() {
    return table.columns();
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    table.scan(expressions, sink);
  }

  @Override
  public List<String> levels(String column) {
    return table.levels(column);
  }

  @Override
  public void requireFit(Collection<String> columns) {
    table.requireFit(columns);
  }

  @Override
  public void close() {
    table.close();
  }
}
