package ngd.deep;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Table;

/** Rows of a table as flat samples: distinct responses, ascending, are the classes. */
final class TableSamples implements Samples {
  private static final int MOST_CLASSES = 1000;

  private final Table table;
  private final int[] rows;
  private final int[] columns;
  private final double[] classes;

  private TableSamples(Table table, int[] rows, double[] classes) {
    this.table = table;
    this.rows = rows;
    this.classes = classes;
    columns =
        IntStream.range(0, table.features().size())
            .filter(j -> !table.features().get(j).equals(Table.INTERCEPT))
            .toArray();
  }

  /** Every fifth row validates, the others are learned from. */
  static DataSet of(Table table) {
    double[] classes =
        IntStream.range(0, table.rows()).mapToDouble(table::y).sorted().distinct().toArray();
    if (classes.length < 2 || classes.length > MOST_CLASSES) {
      throw new InvalidInput(
          "%s: the response %s must have 2 to %d distinct values, one a class; got %d"
              .formatted(table.source(), table.responseName(), MOST_CLASSES, classes.length));
    }
    int[] learned = IntStream.range(0, table.rows()).filter(i -> i % 5 != 4).toArray();
    int[] tested = IntStream.range(0, table.rows()).filter(i -> i % 5 == 4).toArray();
    if (tested.length == 0) {
      throw new InvalidInput(
          "%s: must have at least 5 rows, of which every fifth validates; got %d"
              .formatted(table.source(), table.rows()));
    }
    return new DataSet(
        new TableSamples(table, learned, classes), new TableSamples(table, tested, classes));
  }

  @Override
  public String source() {
    return table.source();
  }

  @Override
  public Shape shape() {
    return Shape.row(columns.length);
  }

  @Override
  public int size() {
    return rows.length;
  }

  @Override
  public int classes() {
    return classes.length;
  }

  @Override
  public int label(int sample) {
    return Arrays.binarySearch(classes, table.y(rows[sample]));
  }

  @Override
  public void copy(int sample, float[] to, int at) {
    for (int j = 0; j < columns.length; j++) {
      to[at + j] = (float) table.x(rows[sample], columns[j]);
    }
  }

  @Override
  public String hash() {
    return table.hash();
  }
}
