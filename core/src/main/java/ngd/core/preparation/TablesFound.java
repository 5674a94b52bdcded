package ngd.core.preparation;

import java.util.List;
import java.util.Optional;
import ngd.core.formula.ColumnType;

/**
 * The tables of a description, of all sites together.
 *
 * @param asked what was asked for
 * @param numbers the columns of numbers by group
 * @param crosses the cross tables; those of the column of groups first
 */
public record TablesFound(
    TablesAsked asked,
    List<ByGroup> numbers,
    List<CrossTable> crosses,
    List<Histogram> histograms,
    Optional<Correlations> correlations) {
  /** No table. */
  public static final TablesFound NONE =
      new TablesFound(TablesAsked.NONE, List.of(), List.of(), List.of(), Optional.empty());

  public TablesFound {
    numbers = List.copyOf(numbers);
    crosses = List.copyOf(crosses);
    histograms = List.copyOf(histograms);
  }

  /** The cross tables of the column of groups with the other columns. */
  public List<CrossTable> byGroup() {
    return asked.by().isEmpty()
        ? List.of()
        : crosses.stream().filter(one -> one.rows().equals(asked.by().get())).toList();
  }

  /**
   * A column of numbers by group.
   *
   * @param leftOut the rows of groups of which a site has too few, and of those that would give
   *     their number away
   * @param silent how many sites say nothing of it
   */
  public record ByGroup(
      String column, ColumnType type, List<OfGroup> groups, long leftOut, int silent) {
    public ByGroup {
      groups = List.copyOf(groups);
    }
  }

  /**
   * One group's numbers.
   *
   * @param mean and standard deviation; NaN where there are too few values
   * @param quantiles at {@link Description#SHARES}; NaN where they are not told
   */
  public record OfGroup(
      String group,
      long n,
      long missing,
      double mean,
      double standardDeviation,
      List<Double> quantiles) {
    public OfGroup {
      quantiles = List.copyOf(quantiles);
    }
  }

  /**
   * How many rows have each two levels of two columns.
   *
   * @param counts for each level of the rows, in each of the columns; lower bounds where some are
   *     left out
   * @param leftOut the rows of cells of which a site has too few, and of those that would give
   *     their number away
   * @param silent how many sites say nothing of it
   */
  public record CrossTable(
      String rows,
      String columns,
      List<String> rowLevels,
      List<String> columnLevels,
      List<List<Long>> counts,
      long leftOut,
      int silent) {
    public CrossTable {
      rowLevels = List.copyOf(rowLevels);
      columnLevels = List.copyOf(columnLevels);
      counts = counts.stream().map(List::copyOf).toList();
    }

    public long inRow(int row) {
      return counts.get(row).stream().mapToLong(n -> n).sum();
    }

    public long inColumn(int column) {
      return counts.stream().mapToLong(row -> row.get(column)).sum();
    }

    /** The rows that are counted. */
    public long n() {
      return counts.stream().flatMap(List::stream).mapToLong(n -> n).sum();
    }
  }

  /**
   * How many rows have values between edges.
   *
   * @param group nothing for all rows
   * @param edges one more than there are counts; each bin holds its lower edge
   */
  public record Histogram(
      String column, Optional<String> group, List<Double> edges, List<Long> counts) {
    public Histogram {
      edges = List.copyOf(edges);
      counts = List.copyOf(counts);
    }
  }

  /**
   * Pearson's correlations over the rows in which all columns have a value.
   *
   * @param values row by row; NaN where a column does not vary
   * @param silent how many sites say nothing of them
   */
  public record Correlations(List<String> columns, long n, List<List<Double>> values, int silent) {
    public Correlations {
      columns = List.copyOf(columns);
      values = values.stream().map(List::copyOf).toList();
    }
  }
}
