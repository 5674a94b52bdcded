package ngd.core.data;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import ngd.core.formula.Column;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** A table that keeps what was asked of it, so that asking again reads nothing. */
public final class HeldTable implements SiteTable {
  private final SiteTable table;
  private final SequencedSet<Expression> asked = new LinkedHashSet<>();
  private @Nullable MemoryTable held;

  public HeldTable(SiteTable table) {
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
    boolean more = asked.addAll(expressions);
    MemoryTable here = held;
    if (more || here == null) {
      here = MemoryTable.of(table, List.copyOf(asked));
      held = here;
    }
    here.scan(expressions, sink);
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
