package ngd.core.data;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import ngd.core.NumberText;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Dictionary;
import ngd.core.formula.Expression;
import ngd.core.formula.Function;
import ngd.core.formula.Levels;
import ngd.core.formula.Operator;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/**
 * A table as a dictionary reads it. A column of another type stands in every expression as one of
 * the agreed type, made from it by expressions that the table itself evaluates: so it comes to the
 * same, wherever the rows are.
 */
public final class DictionaryTable extends TableOver {
  /** The most values that do not fit which the site's own people are shown. */
  private static final int SHOWN = 3;

  private final Dictionary dictionary;
  private final Map<String, ColumnType> found = new LinkedHashMap<>();

  private DictionaryTable(SiteTable table, Dictionary dictionary) {
    super(table);
    this.dictionary = dictionary;
    table.columns().forEach(column -> found.put(column.name(), column.type()));
  }

  /** A table as a dictionary reads it; as it is where that says nothing. */
  public static SiteTable over(SiteTable table, Dictionary dictionary) {
    return dictionary.isEmpty() ? table : new DictionaryTable(table, dictionary);
  }

  @Override
  public List<Column> columns() {
    return table.columns().stream()
        .map(
            column ->
                converted(column.name())
                    .map(
                        _ ->
                            new Column(
                                column.name(),
                                dictionary.find(column.name()).orElseThrow().type().column()))
                    .orElse(column))
        .toList();
  }

  @Override
  public List<String> levels(String column) {
    return dictionary.find(column).map(Dictionary.Entry::levels).orElse(List.of());
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    table.scan(expressions.stream().map(this::rewritten).toList(), sink);
  }

  /** The expression over what the table has. */
  private Expression rewritten(Expression expression) {
    return switch (expression) {
      case Expression.Name name -> converted(name.column()).orElse(name);
      case Expression.Literal number -> number;
      case Expression.Text text -> text;
      case Expression.Unary unary ->
          new Expression.Unary(unary.operator(), rewritten(unary.operand()));
      case Expression.Binary binary ->
          new Expression.Binary(
              binary.operator(), rewritten(binary.left()), rewritten(binary.right()));
      // Whether a value is there can be asked of whatever a column holds.
      case Expression.Call call when call.function() == Function.IS_NA -> call;
      case Expression.Call call ->
          new Expression.Call(
              call.function(), call.arguments().stream().map(this::rewritten).toList());
    };
  }

  /** A column as the dictionary wants it; nothing where that cannot be made of what it holds. */
  private Optional<Expression> converted(String column) {
    Optional<Dictionary.Entry> entry = dictionary.find(column);
    ColumnType from = found.get(column);
    if (entry.isEmpty() || from == null) {
      return Optional.empty();
    }
    Expression name = new Expression.Name(column);
    ColumnType to = entry.get().type().column();
    if (from == to && to != ColumnType.TEXT) {
      return Optional.of(name);
    }
    return switch (to) {
      case NUMBER ->
          from == ColumnType.BOOLEAN
              ? Optional.of(new Expression.Binary(Operator.PLUS, name, new Expression.Literal(0)))
              : Optional.empty();
      case BOOLEAN ->
          switch (from) {
            case NUMBER ->
                Optional.of(
                    new Expression.Binary(Operator.UNEQUAL, name, new Expression.Literal(0)));
            case TEXT ->
                Optional.of(
                    new Expression.Binary(
                        Operator.EQUAL,
                        new Expression.Call(Function.LOWER, List.of(name)),
                        new Expression.Text("true")));
            default -> Optional.empty();
          };
      case DATE ->
          from == ColumnType.TIME
              ? Optional.of(new Expression.Call(Function.AS_DATE, List.of(name)))
              : Optional.empty();
      case TEXT -> text(name, from, entry.get());
      default -> Optional.empty();
    };
  }

  private static Optional<Expression> text(
      Expression name, ColumnType from, Dictionary.Entry entry) {
    if (from == ColumnType.TEXT) {
      return Optional.of(name);
    }
    if (from == ColumnType.BOOLEAN) {
      return Optional.of(
          new Expression.Call(
              Function.IFELSE,
              List.of(
                  name,
                  new Expression.Text(truth(entry, true)),
                  new Expression.Text(truth(entry, false)))));
    }
    if (from != ColumnType.NUMBER || entry.levels().isEmpty()) {
      return Optional.empty();
    }
    // Of numbers only those that are levels; others are found before anything is read so.
    Expression chosen = new Expression.Text(entry.levels().getLast());
    for (int l = entry.levels().size() - 2; l >= 0; l--) {
      String level = entry.levels().get(l);
      Optional<Double> number = number(level);
      if (number.isPresent()) {
        chosen =
            new Expression.Call(
                Function.IFELSE,
                List.of(
                    new Expression.Binary(
                        Operator.EQUAL, name, new Expression.Literal(number.get())),
                    new Expression.Text(level),
                    chosen));
      }
    }
    return Optional.of(chosen);
  }

  private static Optional<Double> number(String level) {
    try {
      return Optional.of(Double.valueOf(level));
    } catch (NumberFormatException words) {
      return Optional.empty();
    }
  }

  /** The level that stands for a truth value: one written so, or 1 and 0. */
  private static String truth(Dictionary.Entry entry, boolean value) {
    return entry.levels().stream()
        .filter(
            level ->
                level.equalsIgnoreCase(Boolean.toString(value)) || level.equals(value ? "1" : "0"))
        .findFirst()
        .orElse(Levels.text(value));
  }

  // ---- Whether it fits

  @Override
  public void requireFit(Collection<String> columns) {
    List<String> problems = new ArrayList<>();
    List<String> known = new ArrayList<>();
    List<Dictionary.Entry> looked = new ArrayList<>();
    for (Dictionary.Entry entry : dictionary.entries()) {
      if (!columns.isEmpty() && !columns.contains(entry.name())) {
        continue;
      }
      ColumnType from = found.get(entry.name());
      String subject = "column %s".formatted(Expression.quoted(entry.name()));
      if (from == null) {
        problems.add("%s: must be there, %s; it is not".formatted(subject, entry.words()));
        known.add("it has no %s, which the dictionary has".formatted(subject));
      } else if (from == ColumnType.EMPTY) {
        problems.add(
            "%s: must be %s; it holds only missing values".formatted(subject, entry.words()));
        known.add("its %s holds only missing values".formatted(subject));
      } else if (converted(entry.name()).isEmpty()) {
        problems.add("%s: must be %s; it holds %s".formatted(subject, entry.words(), from.words()));
        known.add(
            "its %s holds %s, and the dictionary says %s"
                .formatted(subject, from.words(), entry.type().word()));
      } else {
        looked.add(entry);
      }
    }
    look(looked, problems, known);
    if (!problems.isEmpty()) {
      throw new DictionaryMismatch(site(), problems, known);
    }
  }

  /** Reads the columns once. */
  private void look(List<Dictionary.Entry> entries, List<String> problems, List<String> known) {
    List<Values> values = entries.stream().map(Values::new).toList();
    if (values.stream().noneMatch(Values::decides)) {
      return;
    }
    List<Expression> asked = new ArrayList<>();
    entries.forEach(entry -> asked.add(new Expression.Name(entry.name())));
    table.scan(
        asked,
        row -> {
          for (int c = 0; c < values.size(); c++) {
            boolean text = found.get(entries.get(c).name()) == ColumnType.TEXT;
            values.get(c).add(text ? row.text(c) : null, text ? Double.NaN : row.number(c));
          }
        });
    values.forEach(
        one -> {
          if (one.wrong > 0) {
            String subject = "column %s".formatted(Expression.quoted(one.entry.name()));
            problems.add(
                "%s: must be %s; %s other values, such as %s"
                    .formatted(
                        subject,
                        one.entry.words(),
                        one.wrong == 1 ? "1 row holds" : one.wrong + " rows hold",
                        String.join(", ", one.examples.keySet())));
            known.add("its %s holds values that the dictionary does not know".formatted(subject));
          }
        });
  }

  /** The values of one column that the dictionary does not know. */
  private final class Values {
    private final Dictionary.Entry entry;
    private final ColumnType from;
    private final Map<String, Long> examples = new TreeMap<>();
    private long wrong;

    Values(Dictionary.Entry entry) {
      this.entry = entry;
      from = found.getOrDefault(entry.name(), ColumnType.EMPTY);
    }

    /** Whether its values matter beyond their type. */
    boolean decides() {
      return !entry.levels().isEmpty()
          || entry.type() == Dictionary.Type.INTEGER
          || (entry.type() == Dictionary.Type.BOOLEAN && from != ColumnType.BOOLEAN);
    }

    void add(@Nullable String text, double number) {
      if ((text == null && Double.isNaN(number)) || !decides() || fits(text, number)) {
        return;
      }
      wrong++;
      if (examples.size() < SHOWN) {
        examples.merge(
            "`%s`".formatted(text == null ? NumberText.text(number) : text), 1L, Long::sum);
      }
    }

    private boolean fits(@Nullable String text, double number) {
      return switch (entry.type()) {
        case INTEGER -> number == Math.rint(number);
        case BOOLEAN ->
            text == null
                ? number == 0 || number == 1
                : text.toLowerCase(Locale.ROOT).matches("true|false");
        case TEXT ->
            from == ColumnType.BOOLEAN
                ? entry.levels().contains(truth(entry, number != 0))
                : text == null
                    ? entry.levels().stream()
                        .anyMatch(level -> number(level).filter(n -> n == number).isPresent())
                    : entry.levels().contains(text);
        case NUMBER, DATE, TIME -> true;
      };
    }
  }
}
