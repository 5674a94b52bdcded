package ngd.core.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Frame;
import ngd.core.formula.RowValues;

/**
 * Some expressions of a table, evaluated once and held in memory, so that one table can be cut
 * among many sites of a rehearsal.
 */
public final class MemoryTable implements SiteTable {
  private final String site;
  private final String source;
  private final List<Column> columns;
  private final Map<Expression, Integer> held;
  private final List<HeldValues> values;
  private final int[] rows;
  private final Map<String, List<String>> stated;

  private MemoryTable(
      String site,
      String source,
      List<Column> columns,
      Map<String, List<String>> stated,
      Map<Expression, Integer> held,
      List<HeldValues> values,
      int[] rows) {
    this.site = site;
    this.source = source;
    this.columns = columns;
    this.stated = stated;
    this.held = held;
    this.values = values;
    this.rows = rows;
  }

  /** Reads the given expressions of all rows of a table. */
  public static MemoryTable of(SiteTable table, List<Expression> expressions) {
    return read(table, expressions, _ -> true);
  }

  /** The same as long as they fit memory; nothing where they do not. */
  static Optional<MemoryTable> within(
      Memory memory, SiteTable table, List<Expression> expressions) {
    try {
      return Optional.of(
          read(table, expressions, rows -> memory.holds((long) rows * expressions.size())));
    } catch (TooLarge _) {
      return Optional.empty();
    }
  }

  /** Ends a pass over a table that is too large. */
  private static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLarge() {
      super("too large", null, false, false);
    }
  }

  private static MemoryTable read(
      SiteTable table, List<Expression> expressions, IntPredicate fits) {
    Map<String, ColumnType> types = new LinkedHashMap<>();
    table.columns().forEach(column -> types.put(column.name(), column.type()));
    List<Expression> distinct = expressions.stream().distinct().toList();
    Map<Expression, Integer> held = new HashMap<>();
    List<HeldValues> values = new ArrayList<>();
    for (Expression expression : distinct) {
      held.put(expression, values.size());
      values.add(new HeldValues(expression.type(types)));
    }
    table.scan(
        distinct,
        row -> {
          for (int i = 0; i < values.size(); i++) {
            values.get(i).add(row, i);
          }
          if (!values.isEmpty() && !fits.test(values.getFirst().size())) {
            throw new TooLarge();
          }
        });
    int count = values.isEmpty() ? 0 : values.getFirst().size();
    int[] all = new int[count];
    Arrays.setAll(all, i -> i);
    Map<String, List<String>> stated = new HashMap<>();
    table.columns().forEach(column -> stated.put(column.name(), table.levels(column.name())));
    return new MemoryTable(
        table.site(), table.source(), table.columns(), stated, held, List.copyOf(values), all);
  }

  public int rows() {
    return rows.length;
  }

  /** Some of the rows, in the given order, as a site of its own. */
  public MemoryTable part(String name, int[] some) {
    int[] chosen = Arrays.stream(some).map(i -> rows[i]).toArray();
    return new MemoryTable(name, source, columns, stated, held, values, chosen);
  }

  /** The rows in which nothing of a frame is missing. */
  public MemoryTable complete(Frame frame) {
    int[] kept = new int[rows.length];
    int[] counts = new int[2];
    scan(
        frame.scanned(),
        row -> {
          if (frame.isComplete(row, frame.scanned().size())) {
            kept[counts[1]++] = counts[0];
          }
          counts[0]++;
        });
    return part(site, Arrays.copyOf(kept, counts[1]));
  }

  /**
   * What a partition needs to see.
   *
   * @param response the expression that orders the rows
   * @param label the column that names each row's client, where the partition asks for one
   */
  public Cases cases(Expression response, Optional<String> label) {
    double[] y = held(response).ranks();
    Optional<Labels> labels = label.map(this::labels);
    return new Cases() {
      @Override
      public String source() {
        return source;
      }

      @Override
      public int rows() {
        return rows.length;
      }

      @Override
      public double y(int row) {
        return y[rows[row]];
      }

      @Override
      public Optional<Labels> labels() {
        return labels;
      }
    };
  }

  private Labels labels(String column) {
    HeldValues found = held(new Expression.Name(column));
    List<String> texts = new ArrayList<>();
    int without = 0;
    for (int row : rows) {
      String text = found.label(row);
      without += text == null ? 1 : 0;
      texts.add(String.valueOf(text));
    }
    if (without > 0) {
      throw new InvalidInput(
          "partition column:%s: every row needs a value; %d of %d complete rows of %s have none; exclude them with --query"
              .formatted(column, without, rows.length, source));
    }
    return Labels.of(column, texts);
  }

  private HeldValues held(Expression expression) {
    Integer at = held.get(expression);
    if (at == null) {
      throw new IllegalArgumentException("%s was not read".formatted(expression.text()));
    }
    return values.get(at);
  }

  @Override
  public String site() {
    return site;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public List<String> levels(String column) {
    return stated.getOrDefault(column, List.of());
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    HeldValues.scan(expressions.stream().map(this::held).toList(), rows, sink);
  }

  /** Nothing to close: the rows were read. */
  @Override
  public void close() {}
}
