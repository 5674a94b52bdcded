package ngd.core.data;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;
import ngd.core.Memory;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/**
 * A table that keeps what was asked of it, so that asking again reads nothing, as long as that fits
 * memory; a larger one is read in passes.
 */
public final class HeldTable extends TableOver {
  private final SequencedSet<Expression> asked = new LinkedHashSet<>();
  private final Memory memory;
  private @Nullable MemoryTable held;
  private @Nullable SteadyTable passing;

  HeldTable(SiteTable table, Memory memory) {
    super(table);
    this.memory = memory;
  }

  /** A table as one that is held; itself where it is in memory already. */
  public static SiteTable over(SiteTable table, Memory memory) {
    return table instanceof PlainTable ? table : new HeldTable(table, memory);
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    boolean more = asked.addAll(expressions);
    MemoryTable here = held;
    if (passing == null && (more || here == null)) {
      Optional<MemoryTable> read = MemoryTable.within(memory, table, List.copyOf(asked));
      here = read.orElse(null);
      held = here;
      passing = read.isPresent() ? null : new SteadyTable(table);
    }
    SteadyTable anew = passing;
    if (anew != null) {
      anew.scan(expressions, sink);
    } else if (here != null) {
      here.scan(expressions, sink);
    }
  }
}
