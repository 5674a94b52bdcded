package ngd.core.data;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** A table that keeps what was asked of it, so that asking again reads nothing. */
public final class HeldTable extends TableOver {
  private final SequencedSet<Expression> asked = new LinkedHashSet<>();
  private @Nullable MemoryTable held;

  public HeldTable(SiteTable table) {
    super(table);
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
}
