package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.Totals;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;

/** What the tables of a description come to, by totals of what each site tells of them. */
final class PooledTables {
  /** The numbers of one group in the first total: rows, sum, missing values. */
  private static final int FIRST = 3;

  private final Sites sites;
  private final Totals totals;
  private final TablesAsked asked;
  private final List<Column> columns;
  private final Map<String, List<String>> levels;
  private final int fewest;
  private final List<String> notes = new ArrayList<>();

  /** Which quantiles may be told of so many rows. */
  @FunctionalInterface
  interface Enough {
    List<Double> of(List<Double> quantiles, double n);
  }

  /**
   * @param levels that are told, by column
   * @param fewest the rows that a class must have where sites have rules; 0 where they have none
   */
  PooledTables(
      Sites sites,
      Totals totals,
      TablesAsked asked,
      List<Column> columns,
      Map<String, List<String>> levels,
      int fewest) {
    this.sites = sites;
    this.totals = totals;
    this.asked = asked;
    this.columns = columns;
    this.levels = levels;
    this.fewest = fewest;
  }

  /** What else a person should know, the same at every site. */
  List<String> notes() {
    return notes;
  }

  /** Refuses columns that cannot be in the tables that they are asked for. */
  static void requireTypes(TablesAsked asked, List<Column> columns, Map<String, String> differing) {
    List<String> names = columns.stream().map(Column::name).toList();
    requireColumns("by", asked.by().stream().toList(), names);
    requireColumns("cross", asked.asLevels(), names);
    requireColumns("histogram", asked.histograms(), names);
    requireColumns("correlation", asked.correlated(), names);
    for (Column column : columns) {
      String name = column.name();
      String holds = differing.getOrDefault(name, column.type().words());
      if (asked.asLevels().contains(name)
          && column.type() != ColumnType.TEXT
          && column.type() != ColumnType.BOOLEAN) {
        throw new InvalidInput(
            "%s: must be a column of text, of true and false, or of numbers that stand for levels; `%s` holds %s"
                .formatted(asked.by().equals(Optional.of(name)) ? "by" : "cross", name, holds));
      }
      if (asked.histograms().contains(name) && !column.type().isNumeric()) {
        throw new InvalidInput(
            "histogram: must be columns of numbers; `%s` holds %s".formatted(name, holds));
      }
      if (asked.correlated().contains(name) && column.type() != ColumnType.NUMBER) {
        throw new InvalidInput(
            "correlation: must be columns of numbers; `%s` holds %s".formatted(name, holds));
      }
    }
  }

  private static void requireColumns(String key, Collection<String> asked, List<String> names) {
    for (String name : asked) {
      if (!names.contains(name)) {
        throw new InvalidInput(
            "%s: must be of the columns %s; got `%s`"
                .formatted(key, String.join(", ", names), name));
      }
    }
  }

  /** Refuses columns of so many levels that these are not listed. */
  private void requireLevels() {
    for (String name : asked.asLevels()) {
      if (!levels.containsKey(name)) {
        throw new InvalidInput(
            "%s: must be a column whose levels are listed; `%s` has too many at some site. Put levels together, or cut numbers into classes"
                .formatted(asked.by().equals(Optional.of(name)) ? "by" : "cross", name));
      }
    }
  }

  /**
   * The tables.
   *
   * @param own what each site here tells
   * @param sums the same of columns by themselves
   * @param grids of all columns
   * @param counted the pooled counts of columns of numbers in their bins
   */
  TablesFound found(
      List<SiteTables> own,
      List<TableSums> sums,
      List<QuantileGrid> grids,
      Map<String, double[]> counted,
      Enough enough) {
    if (asked.equals(TablesAsked.NONE)) {
      return TablesFound.NONE;
    }
    requireLevels();
    List<TablesFound.Histogram> histograms = new ArrayList<>();
    asked
        .histograms()
        .forEach(
            name ->
                histograms.add(
                    bins(name, grids, counted).of(name, Optional.empty(), counted.get(name))));
    List<TablesFound.ByGroup> numbers = new ArrayList<>();
    if (asked.by().isPresent()) {
      numbers.addAll(byGroup(own, sums, grids, counted, enough, histograms));
    }
    return new TablesFound(asked, numbers, crosses(own), histograms, correlations(own));
  }

  private int at(String column) {
    return columns.stream().map(Column::name).toList().indexOf(column);
  }

  private CoarseBins bins(String name, List<QuantileGrid> grids, Map<String, double[]> counted) {
    return new CoarseBins(grids.get(at(name)), counted.get(name));
  }

  private List<TablesFound.ByGroup> byGroup(
      List<SiteTables> own,
      List<TableSums> sums,
      List<QuantileGrid> grids,
      Map<String, double[]> counted,
      Enough enough,
      List<TablesFound.Histogram> histograms) {
    List<String> groups = levels.get(asked.by().orElseThrow());
    List<TablesFound.ByGroup> found = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      if (!column.type().isNumeric() || groups.isEmpty()) {
        continue;
      }
      int numbered = c;
      double[] first = totals.total(sites.each(t -> first(own.get(t), column.name(), groups)));
      double[] mean = new double[groups.size()];
      Arrays.setAll(mean, g -> first[g * FIRST] == 0 ? 0 : first[g * FIRST + 1] / first[g * FIRST]);
      double[] squares =
          totals.total(sites.each(t -> squares(own.get(t), column.name(), groups, mean)));
      QuantileGrid grid = grids.get(c);
      double[] counts = totals.total(sites.each(t -> counts(sums.get(t), numbered, groups, grid)));
      List<TablesFound.OfGroup> ofGroups = new ArrayList<>();
      for (int g = 0; g < groups.size(); g++) {
        double n = first[g * FIRST];
        double[] inBins = Arrays.copyOfRange(counts, g * grid.bins(), (g + 1) * grid.bins());
        ofGroups.add(
            new TablesFound.OfGroup(
                groups.get(g),
                (long) n,
                (long) first[g * FIRST + 2],
                n == 0 ? Double.NaN : mean[g],
                n < 2 ? Double.NaN : Math.sqrt(squares[g] / (n - 1)),
                enough.of(
                    grid.quantiles(
                        inBins, 0, Description.SHARES.stream().mapToDouble(s -> s).toArray()),
                    n)));
        if (asked.histograms().contains(column.name())) {
          histograms.add(
              bins(column.name(), grids, counted)
                  .of(column.name(), Optional.of(groups.get(g)), inBins));
        }
      }
      long leftOut = (long) first[groups.size() * FIRST];
      int silent = (int) first[groups.size() * FIRST + 1];
      note(asked.nameByGroup(column.name()), silent, leftOut, "group", "");
      found.add(new TablesFound.ByGroup(column.name(), column.type(), ofGroups, leftOut, silent));
    }
    return found;
  }

  private double[] first(SiteTables own, String column, List<String> groups) {
    double[] block = new double[groups.size() * FIRST + 2];
    Optional<SiteTables.Groups> told = own.groups(column);
    for (int g = 0; g < groups.size(); g++) {
      BitSet all = own.toldGroup(groups.get(g));
      String group = groups.get(g);
      BitSet rows =
          told.map(one -> one.told().getOrDefault(group, new BitSet())).orElseGet(BitSet::new);
      block[g * FIRST] = rows.cardinality();
      for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
        block[g * FIRST + 1] += told.orElseThrow().column().number(row);
      }
      boolean says = told.isPresent() ? told.get().told().containsKey(group) : own.lacks(column);
      block[g * FIRST + 2] = says ? all.cardinality() - rows.cardinality() : 0;
    }
    block[groups.size() * FIRST] =
        told.map(one -> one.both().cardinality() - (double) one.inGroups()).orElse(0.0);
    block[groups.size() * FIRST + 1] = own.withholds(asked.nameByGroup(column)) ? 1 : 0;
    return block;
  }

  private static double[] squares(
      SiteTables own, String column, List<String> groups, double[] mean) {
    double[] squares = new double[groups.size()];
    own.groups(column)
        .ifPresent(
            told -> {
              for (int g = 0; g < squares.length; g++) {
                BitSet rows = told.told().getOrDefault(groups.get(g), new BitSet());
                for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
                  double away = told.column().number(row) - mean[g];
                  squares[g] += away * away;
                }
              }
            });
    return squares;
  }

  private static double[] counts(
      TableSums own, int column, List<String> groups, QuantileGrid grid) {
    double[] counts = new double[groups.size() * grid.bins()];
    for (int g = 0; g < groups.size(); g++) {
      System.arraycopy(
          own.histogram(column, groups.get(g), grid), 0, counts, g * grid.bins(), grid.bins());
    }
    return counts;
  }

  /** That a table is not of all rows, and what helps. */
  private void note(String name, int silent, long leftOut, String part, String more) {
    if (silent > 0) {
      notes.add(
          "%s: withheld by %d of %d sites: what is told together would show fewer than %d of their rows. Coarser groups help, or, where few values are missing, --complete. Its numbers and tests are of the other sites alone"
              .formatted(name, silent, sites.count(), fewest));
    }
    if (leftOut > 0) {
      notes.add(
          "%s: %s in no %s: sites with fewer than %d rows in a %s leave these out, with others that would show their number%s"
              .formatted(
                  name,
                  leftOut == 1 ? "1 row is" : NumberText.count(leftOut, "row") + " are",
                  part,
                  fewest,
                  part,
                  more));
    }
  }

  private List<TablesFound.CrossTable> crosses(List<SiteTables> own) {
    List<String> categorical =
        columns.stream().map(Column::name).filter(levels::containsKey).toList();
    List<TablesFound.CrossTable> found = new ArrayList<>();
    for (TablesAsked.Cross cross : asked.crosses(categorical)) {
      List<String> rows = levels.get(cross.rows());
      List<String> across = levels.get(cross.columns());
      int cells = rows.size() * across.size();
      double[] total = totals.total(sites.each(t -> cells(own.get(t), cross, rows, across)));
      List<List<Long>> counts = new ArrayList<>();
      for (int r = 0; r < rows.size(); r++) {
        counts.add(
            Arrays.stream(total, r * across.size(), (r + 1) * across.size())
                .mapToObj(count -> (long) count)
                .toList());
      }
      long leftOut = (long) total[cells];
      int silent = (int) total[cells + 1];
      note(
          cross.name(),
          silent,
          leftOut,
          "cell",
          ". Counts are lower bounds, without percentages and tests; put levels together for"
              + " these");
      found.add(
          new TablesFound.CrossTable(
              cross.rows(), cross.columns(), rows, across, counts, leftOut, silent));
    }
    return found;
  }

  private static double[] cells(
      SiteTables own, TablesAsked.Cross cross, List<String> rows, List<String> across) {
    double[] block = new double[rows.size() * across.size() + 2];
    own.cells(cross)
        .ifPresent(
            told -> {
              double shown = 0;
              for (int r = 0; r < rows.size(); r++) {
                for (int c = 0; c < across.size(); c++) {
                  BitSet cell = told.shown().get(List.of(rows.get(r), across.get(c)));
                  block[r * across.size() + c] = cell == null ? 0 : cell.cardinality();
                  shown += block[r * across.size() + c];
                }
              }
              block[block.length - 2] = told.all().cardinality() - shown;
            });
    block[block.length - 1] = own.withholds(cross.name()) ? 1 : 0;
    return block;
  }

  private Optional<TablesFound.Correlations> correlations(List<SiteTables> own) {
    List<String> names = asked.correlated();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    int p = names.size();
    double[] first =
        totals.total(
            sites.each(
                t -> {
                  double[] block = new double[p + 2];
                  BitSet rows = own.get(t).correlated();
                  block[p] = rows.cardinality();
                  block[p + 1] = own.get(t).withholds(asked.nameOfCorrelation()) ? 1 : 0;
                  for (int i = 0; i < p && !rows.isEmpty(); i++) {
                    TableRows.OfColumn column = own.get(t).column(names.get(i));
                    for (int r = rows.nextSetBit(0); r >= 0; r = rows.nextSetBit(r + 1)) {
                      block[i] += column.number(r);
                    }
                  }
                  return block;
                }));
    double n = first[p];
    double[] products =
        totals.total(
            sites.each(
                t ->
                    products(
                        own.get(t), names, Arrays.stream(first, 0, p).map(s -> s / n).toArray())));
    List<List<Double>> values = new ArrayList<>();
    for (int i = 0; i < p; i++) {
      List<Double> line = new ArrayList<>();
      for (int j = 0; j < p; j++) {
        double both = Math.sqrt(products[i * p + i]) * Math.sqrt(products[j * p + j]);
        line.add(i == j && both > 0 ? 1.0 : both > 0 ? products[i * p + j] / both : Double.NaN);
      }
      values.add(line);
    }
    note(asked.nameOfCorrelation(), (int) first[p + 1], 0, "", "");
    return Optional.of(new TablesFound.Correlations(names, (long) n, values, (int) first[p + 1]));
  }

  private static double[] products(SiteTables own, List<String> names, double[] mean) {
    int p = names.size();
    double[] products = new double[p * p];
    BitSet rows = own.correlated();
    if (rows.isEmpty()) {
      return products;
    }
    List<TableRows.OfColumn> columns = names.stream().map(own::column).toList();
    double[] away = new double[p];
    for (int r = rows.nextSetBit(0); r >= 0; r = rows.nextSetBit(r + 1)) {
      for (int i = 0; i < p; i++) {
        away[i] = columns.get(i).number(r) - mean[i];
      }
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          products[i * p + j] += away[i] * away[j];
        }
      }
    }
    return products;
  }
}
