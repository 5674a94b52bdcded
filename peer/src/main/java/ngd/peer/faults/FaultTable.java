package ngd.peer.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * A site's table in memory: a response and two numbers.
 *
 * @param rows a number for each of {@link #NAMES}
 */
record FaultTable(String site, List<List<Double>> rows) implements SiteTable {
  static final List<String> NAMES = List.of("y", "x", "z");
  private static final int ROWS = 12;

  static FaultTable of(String site, int number) {
    UniformRandomProvider draw = Streams.of(31).stream(Streams.Purpose.DATA, number);
    List<List<Double>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      double x = 2 * draw.nextDouble() - 1;
      double z = 2 * draw.nextDouble() - 1;
      rows.add(List.of(1 + 2 * x - z + draw.nextDouble(), x, z));
    }
    return new FaultTable(site, rows);
  }

  /** The coefficients on all rows of all tables, by the normal equations and elimination. */
  static double[] leastSquares(List<FaultTable> tables, List<Integer> predictors) {
    int p = predictors.size() + 1;
    double[][] a = new double[p][p + 1];
    for (FaultTable table : tables) {
      for (List<Double> row : table.rows) {
        double[] x = new double[p + 1];
        x[0] = 1;
        for (int j = 1; j < p; j++) {
          x[j] = row.get(predictors.get(j - 1));
        }
        x[p] = row.getFirst();
        for (int i = 0; i < p; i++) {
          for (int j = 0; j <= p; j++) {
            a[i][j] += x[i] * x[j];
          }
        }
      }
    }
    for (int i = 0; i < p; i++) {
      for (int r = 0; r < p; r++) {
        double factor = r == i ? 0 : a[r][i] / a[i][i];
        for (int j = i; j <= p && factor != 0; j++) {
          a[r][j] -= factor * a[i][j];
        }
      }
    }
    double[] found = new double[p];
    Arrays.setAll(found, i -> a[i][p] / a[i][i]);
    return found;
  }

  @Override
  public String source() {
    return site + ".csv";
  }

  @Override
  public List<Column> columns() {
    return NAMES.stream().map(name -> new Column(name, ColumnType.NUMBER)).toList();
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    int[] places =
        expressions.stream()
            .mapToInt(one -> NAMES.indexOf(((Expression.Name) one).column()))
            .toArray();
    for (List<Double> row : rows) {
      sink.accept(
          new RowValues() {
            @Override
            public double number(int expression) {
              return row.get(places[expression]);
            }

            @Override
            public @Nullable String text(int expression) {
              return String.valueOf(number(expression));
            }
          });
    }
  }

  @Override
  public void close() {}
}
