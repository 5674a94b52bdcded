package ngd.core.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/**
 * A text file in memory, read without an engine: a {@link PlainText} file, of which an engine would
 * make the same. What is asked that goes beyond {@link Evaluation} is asked of an engine, which is
 * started then.
 */
final class PlainTable implements SiteTable {
  private final TableAddress address;
  private final List<Column> columns;
  private final Map<String, ColumnType> types = new LinkedHashMap<>();
  private final Evaluation evaluation;
  private final Map<Expression, HeldValues> held = new HashMap<>();
  private final int[] rows;
  private final Supplier<SiteTable> engine;
  private @Nullable SiteTable opened;

  private PlainTable(TableAddress address, PlainText text, Supplier<SiteTable> engine) {
    this.address = address;
    this.engine = engine;
    columns = text.columns();
    columns.forEach(column -> types.put(column.name(), column.type()));
    evaluation = new Evaluation(text.values(), text.rows());
    rows = new int[text.rows()];
    Arrays.setAll(rows, i -> i);
  }

  /**
   * The table at an address; nothing where it is not plain text.
   *
   * @param engine opens it otherwise
   */
  static Optional<SiteTable> of(TableAddress address, Supplier<SiteTable> engine) {
    return PlainText.read(address).map(text -> new PlainTable(address, text, engine));
  }

  @Override
  public String site() {
    return address.site();
  }

  @Override
  public String source() {
    return address.location();
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    List<HeldValues> asked = new ArrayList<>();
    for (Expression expression : expressions) {
      HeldValues values = held.get(expression);
      if (values == null) {
        values = evaluation.of(expression, expression.type(types));
      }
      if (values == null) {
        engine().scan(expressions, sink);
        return;
      }
      held.put(expression, values);
      asked.add(values);
    }
    HeldValues.scan(asked, rows, sink);
  }

  private SiteTable engine() {
    SiteTable here = opened;
    if (here == null) {
      here = engine.get();
      opened = here;
      if (!here.columns().equals(columns)) {
        throw new InvalidInput(
            "site %s: must not change while it is read; %s has other columns than before"
                .formatted(site(), source()));
      }
    }
    return here;
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.close();
    }
  }
}
