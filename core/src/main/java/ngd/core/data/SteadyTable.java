package ngd.core.data;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/**
 * A table that is read anew in every pass and must not change between two: what an expression came
 * to in all rows, in their order, is compared with what it came to before.
 */
public final class SteadyTable extends TableOver {
  /** An odd number whose bits look random: 2^64 over the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final Map<Expression, Long> known = new HashMap<>();
  private long rows = -1;

  public SteadyTable(SiteTable table) {
    super(table);
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    Map<String, ColumnType> types = new HashMap<>();
    columns().forEach(column -> types.put(column.name(), column.type()));
    boolean[] text = new boolean[expressions.size()];
    for (int i = 0; i < text.length; i++) {
      text[i] = expressions.get(i).type(types) == ColumnType.TEXT;
    }
    long[] hashes = new long[text.length];
    long[] count = new long[1];
    table.scan(
        expressions,
        row -> {
          count[0]++;
          for (int i = 0; i < hashes.length; i++) {
            long value = text[i] ? hash(row.text(i)) : Double.doubleToLongBits(row.number(i));
            long mixed = (hashes[i] ^ value) * SPREAD;
            hashes[i] = mixed ^ (mixed >>> 32);
          }
          sink.accept(row);
        });
    compare(expressions, hashes, count[0]);
  }

  private static long hash(@Nullable String text) {
    if (text == null) {
      return -1;
    }
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * SPREAD;
    }
    return hash;
  }

  private void compare(List<Expression> expressions, long[] hashes, long count) {
    if (rows >= 0 && rows != count) {
      throw changed("it had %d rows in one pass and %d in the next".formatted(rows, count));
    }
    rows = count;
    for (int i = 0; i < hashes.length; i++) {
      Long before = known.putIfAbsent(expressions.get(i), hashes[i]);
      if (before != null && before != hashes[i]) {
        throw changed(
            "%s had other values, or its rows another order, in one pass than in the next"
                .formatted(expressions.get(i).text()));
      }
    }
  }

  private InvalidInput changed(String what) {
    return new InvalidInput(
        "site %s: its table must not change while it is read in passes; of %s, %s. Give a copy, or a query whose rows do not change and are ordered"
            .formatted(site(), source(), what));
  }
}
