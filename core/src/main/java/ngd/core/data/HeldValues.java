package ngd.core.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Levels;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** The values of one expression: numbers, or texts as numbers of a list of distinct ones. */
final class HeldValues {
  private final ColumnType type;
  private final boolean isText;
  private double[] numbers;
  private int[] codes;
  private final List<String> texts;
  private final Map<String, Integer> codeOf = new HashMap<>();
  private int size;

  /** So many of the first rows are known to have a value. */
  private int whole;

  /** None yet. */
  HeldValues(ColumnType type) {
    this(type, new double[0], new int[0], new ArrayList<>(), 0);
  }

  private HeldValues(ColumnType type, double[] numbers, int[] codes, List<String> texts, int size) {
    this.type = type;
    isText = type == ColumnType.TEXT;
    this.numbers = numbers;
    this.codes = codes;
    this.texts = texts;
    this.size = size;
  }

  /** Numbers, or truth values as 1 and 0; NaN where one is missing. */
  static HeldValues ofNumbers(ColumnType type, double[] numbers) {
    return new HeldValues(type, numbers, new int[0], List.of(), numbers.length);
  }

  /** Texts by their places in a list; −1 where one is missing. */
  static HeldValues ofTexts(int[] codes, List<String> texts) {
    return new HeldValues(ColumnType.TEXT, new double[0], codes, texts, codes.length);
  }

  /** Hands over some rows of several expressions, each in its own place. */
  static void scan(List<HeldValues> expressions, int[] rows, Consumer<RowValues> sink) {
    HeldValues[] asked = expressions.toArray(HeldValues[]::new);
    boolean whole = expressions.stream().noneMatch(HeldValues::hasMissing);
    int[] at = new int[1];
    RowValues view =
        new RowValues() {
          @Override
          public double number(int expression) {
            return asked[expression].numbers[at[0]];
          }

          @Override
          public @Nullable String text(int expression) {
            return asked[expression].text(at[0]);
          }

          @Override
          public int word(int expression) {
            return asked[expression].codes[at[0]];
          }

          @Override
          public boolean isWhole() {
            return whole;
          }
        };
    for (int row : rows) {
      at[0] = row;
      sink.accept(view);
    }
  }

  private boolean hasMissing() {
    // Rows that were looked at do not change.
    while (whole < size && !(isText ? codes[whole] < 0 : Double.isNaN(numbers[whole]))) {
      whole++;
    }
    return whole < size;
  }

  /** Takes the value of a row more. */
  void add(RowValues row, int expression) {
    int capacity = isText ? codes.length : numbers.length;
    if (size == capacity) {
      int larger = Math.max(1024, capacity + (capacity >> 1));
      if (isText) {
        codes = Arrays.copyOf(codes, larger);
      } else {
        numbers = Arrays.copyOf(numbers, larger);
      }
    }
    if (isText) {
      codes[size++] = code(row.text(expression));
    } else {
      numbers[size++] = row.number(expression);
    }
  }

  private int code(@Nullable String text) {
    if (text == null) {
      return -1;
    }
    Integer known = codeOf.get(text);
    if (known == null) {
      known = texts.size();
      codeOf.put(text, known);
      texts.add(text);
    }
    return known;
  }

  ColumnType type() {
    return type;
  }

  int size() {
    return size;
  }

  /** All numbers, in the order of the rows; more may follow them. */
  double[] numbers() {
    return numbers;
  }

  /** What orders the rows: numbers, or the place of each row's text among all in their order. */
  double[] ranks() {
    if (!isText) {
      return numbers;
    }
    List<String> sorted = Levels.sorted(type, texts);
    double[] ranks = new double[size];
    Arrays.setAll(ranks, row -> codes[row] < 0 ? -1 : sorted.indexOf(texts.get(codes[row])));
    return ranks;
  }

  @Nullable String text(int row) {
    return codes[row] < 0 ? null : texts.get(codes[row]);
  }

  @Nullable String label(int row) {
    if (isText) {
      return text(row);
    }
    double number = numbers[row];
    return type.isMoment()
        ? Levels.of(type, number, null)
        : Double.isNaN(number) ? null : Levels.text(number);
  }
}
