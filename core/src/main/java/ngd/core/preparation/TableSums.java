package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import ngd.core.data.NumericText;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Function;
import ngd.core.formula.Levels;

/** What one site counts and sums of its own rows for a description. */
final class TableSums {
  private final SiteTable table;
  private final List<Column> columns;
  final long[] n;
  final long[] missing;
  final double[] sum;
  final long[] fractional;
  final double[] least;
  final double[] most;
  final List<TreeMap<String, Long>> levels = new ArrayList<>();
  private final List<NumericText> numeric = new ArrayList<>();

  /** The first pass. */
  TableSums(SiteTable table, List<Column> columns) {
    this.table = table;
    this.columns = columns;
    n = new long[columns.size()];
    missing = new long[columns.size()];
    sum = new double[columns.size()];
    fractional = new long[columns.size()];
    least = new double[columns.size()];
    most = new double[columns.size()];
    Arrays.fill(least, Double.MAX_VALUE);
    Arrays.fill(most, -Double.MAX_VALUE);
    for (Column column : columns) {
      levels.add(new TreeMap<>());
      numeric.add(new NumericText(table.site(), column.name()));
    }
    scan(this::addNumber, this::addLevel, c -> n[c]++, c -> missing[c]++);
  }

  /** Columns of text most of whose values are numbers, in words. */
  List<String> notes() {
    return numeric.stream().flatMap(text -> text.warning().stream()).toList();
  }

  /** Takes a column's value. */
  interface OfNumber {
    void take(int column, double value);
  }

  interface OfText {
    void take(int column, String value);
  }

  private void scan(OfNumber numbers, OfText texts, IntConsumer others, IntConsumer without) {
    boolean[] here = new boolean[columns.size()];
    int[] at = new int[columns.size()];
    List<Expression> asked = new ArrayList<>();
    for (int c = 0; c < here.length; c++) {
      Column column = columns.get(c);
      // A column without any value here may be of any type elsewhere.
      here[c] =
          column.type() == ColumnType.OTHER
              ? table.columns().stream().anyMatch(own -> own.name().equals(column.name()))
              : table.columns().contains(column) && column.type() != ColumnType.EMPTY;
      at[c] = asked.size();
      if (here[c]) {
        Expression value = new Expression.Name(column.name());
        asked.add(
            column.type() == ColumnType.OTHER
                ? new Expression.Call(Function.IS_NA, List.of(value))
                : value);
      }
    }
    table.scan(
        asked,
        row -> {
          for (int c = 0; c < here.length; c++) {
            ColumnType type = columns.get(c).type();
            if (here[c] && type == ColumnType.OTHER) {
              if (row.number(at[c]) == 0) {
                others.accept(c);
              } else {
                without.accept(c);
              }
              continue;
            }
            String text = here[c] && type == ColumnType.TEXT ? row.text(at[c]) : null;
            double number = here[c] && type != ColumnType.TEXT ? row.number(at[c]) : Double.NaN;
            if (text != null) {
              texts.take(c, text);
            } else if (!Double.isNaN(number)) {
              numbers.take(c, number);
            } else {
              without.accept(c);
            }
          }
        });
  }

  private void addNumber(int column, double value) {
    if (columns.get(column).type() == ColumnType.BOOLEAN) {
      addLevel(column, Levels.text(value != 0));
      return;
    }
    n[column]++;
    sum[column] += value;
    fractional[column] += value == Math.rint(value) ? 0 : 1;
    least[column] = Math.min(least[column], value);
    most[column] = Math.max(most[column], value);
  }

  private void addLevel(int column, String level) {
    n[column]++;
    numeric.get(column).add(level);
    TreeMap<String, Long> own = levels.get(column);
    if (own.size() <= Description.MOST_LEVELS || own.containsKey(level)) {
      own.merge(level, 1L, Long::sum);
    }
  }

  /** The second pass: for each column the sum of squared distances from a mean. */
  double[] squares(double[] mean) {
    double[] squares = new double[columns.size()];
    scan((c, value) -> squares[c] += square(value - mean[c]), (_, _) -> {}, _ -> {}, _ -> {});
    return squares;
  }

  private static double square(double value) {
    return value * value;
  }

  /** The third pass: all columns' histograms, one after another. */
  double[] histograms(List<QuantileGrid> grids, int[] from, int length) {
    double[] counts = new double[length];
    scan(
        (c, value) -> {
          if (columns.get(c).type().isNumeric()) {
            counts[from[c] + grids.get(c).bin(value)]++;
          }
        },
        (_, _) -> {},
        _ -> {},
        _ -> {});
    return counts;
  }
}
