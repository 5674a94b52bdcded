package ngd.core.data;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.core.formula.WordTally;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a column of text is one of numbers that something else has strayed into: a word for
 * a missing value, decimal commas, a unit.
 */
public final class NumericText {
  /** Other texts that are told apart; more would be no column of numbers anyway. */
  private static final int MOST_OTHERS = 1000;

  private static final int SHOWN = 3;
  private static final int LONGEST = 40;

  private final String site;
  private final String column;
  private long values;
  private long numbers;
  private long commas;
  private final Map<String, Long> others = new LinkedHashMap<>();

  private final WordTally tally = new WordTally();

  /** Whether the first different texts are numbers. */
  private final Map<String, Kind> known = new HashMap<>();

  private enum Kind {
    NUMBER,
    WITH_COMMA,
    OTHER
  }

  public NumericText(String site, String column) {
    this.site = site;
    this.column = column;
  }

  /** Reads some columns of text of a table, and says of which most values are numbers. */
  public static List<String> warnings(SiteTable table, List<String> columns) {
    if (columns.isEmpty()) {
      return List.of();
    }
    List<NumericText> texts =
        columns.stream().map(column -> new NumericText(table.site(), column)).toList();
    table.scan(
        columns.stream().<Expression>map(Expression.Name::new).toList(),
        row -> {
          for (int i = 0; i < texts.size(); i++) {
            texts.get(i).add(row, i);
          }
        });
    return texts.stream().flatMap(text -> text.warning().stream()).toList();
  }

  /** Takes a row's value. */
  public void add(RowValues row, int expression) {
    if (tally.add(row, expression)) {
      return;
    }
    add(row.text(expression));
  }

  /** Takes a row's text. */
  public void add(@Nullable String text) {
    if (text != null) {
      add(text, 1);
    }
  }

  private void add(String text, long rows) {
    values += rows;
    Kind kind = known.get(text);
    if (kind == null) {
      kind = kind(text);
      if (known.size() < MOST_OTHERS) {
        known.put(text, kind);
      }
    }
    switch (kind) {
      case NUMBER -> numbers += rows;
      case WITH_COMMA -> commas += rows;
      case OTHER -> {
        if (others.size() < MOST_OTHERS || others.containsKey(text)) {
          others.merge(text, rows, Long::sum);
        }
      }
    }
  }

  private static Kind kind(String text) {
    return !Double.isNaN(NumberParser.parseOrNaN(text))
        ? Kind.NUMBER
        : !Double.isNaN(NumberParser.parseOrNaN(text, ',')) ? Kind.WITH_COMMA : Kind.OTHER;
  }

  /** What to say where most values are numbers, once all rows have been taken. */
  public Optional<String> warning() {
    tally.drain(this::add);
    long numeric = numbers + commas;
    if (2 * numeric <= values) {
      return Optional.empty();
    }
    String count =
        numeric == values ? "all %d".formatted(values) : "%d of %d".formatted(numeric, values);
    StringBuilder text =
        new StringBuilder(
            "site %s: column `%s` is text, but %s values are numbers"
                .formatted(site, column, count));
    if (commas > 0) {
      text.append(", %d of them with a decimal comma (--decimal ,)".formatted(commas));
    }
    if (numeric < values) {
      text.append("; the others: ").append(shown()).append(" (--na names missing values)");
    } else if (commas == 0) {
      text.append("; convert it with --query where it should be one");
    }
    return Optional.of(text.toString());
  }

  /** The most frequent of the others, with how often each is there. */
  private String shown() {
    String most =
        others.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(SHOWN)
            .map(e -> "`%s` (%d)".formatted(cut(e.getKey()), e.getValue()))
            .collect(Collectors.joining(", "));
    return others.size() > SHOWN ? most + ", …" : most;
  }

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
