package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import ngd.core.data.NumericText;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Function;
import ngd.core.formula.Levels;

/**
 * What one site counts and sums of its own rows for a description. Under its rules every count is 0
 * or at least the fewest rows of a class, so that no sum over sites and no difference of sums is
 * below it.
 */
final class TableSums {
  private final SiteTable table;
  private final Optional<DisclosureRules> rules;
  private final Withholding told;
  private final SiteTables tables;
  private final List<Map<Double, Long>> few = new ArrayList<>();
  private final long[] zero;
  private final List<Column> columns;
  final long[] n;
  final long[] missing;
  final double[] sum;
  final long[] fractional;
  final double[] least;
  final double[] most;
  final List<TreeMap<String, Long>> levels = new ArrayList<>();
  private final List<NumericText> numeric = new ArrayList<>();

  /** The rows of levels that have too few, and of what would give their number away. */
  final long[] merged;

  /** Columns of which this site says nothing at all. */
  final boolean[] withheld;

  /** Columns of whose quantiles this site says nothing. */
  final boolean[] uncounted;

  /** Columns of too many levels. */
  final boolean[] tooMany;

  /**
   * The first pass.
   *
   * @param told what the site says nothing of, besides what its rules withhold
   * @param tables what it tells of columns by group
   */
  TableSums(
      SiteTable table,
      List<Column> columns,
      Optional<DisclosureRules> rules,
      Withholding told,
      SiteTables tables) {
    this.table = table;
    this.tables = tables;
    this.rules = rules;
    this.told = told;
    zero = new long[columns.size()];
    merged = new long[columns.size()];
    withheld = new boolean[columns.size()];
    tooMany = new boolean[columns.size()];
    uncounted = new boolean[columns.size()];
    columns.forEach(_ -> few.add(new TreeMap<>()));
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
    for (int c = 0; c < n.length; c++) {
      int column = c;
      tooMany[c] =
          columns.get(c).type() == ColumnType.TEXT
              && rules
                  .map(own -> tooMany(own, levels.get(column).size(), n[column]))
                  .orElse(levels.get(c).size() > Description.MOST_LEVELS);
      String name = columns.get(c).name();
      uncounted[c] = columns.get(c).type().isNumeric() && told.quantiles().contains(name);
      rules.ifPresent(own -> protect(own, column, told.columns().contains(name)));
    }
  }

  /** Takes back what the site's rules do not let out of a column. */
  private void protect(DisclosureRules own, int column, boolean silent) {
    boolean number = columns.get(column).type().isNumeric();
    if (silent
        || withholds(
            own,
            n[column],
            n[column] + missing[column],
            number ? few.get(column) : Map.of(),
            number ? n[column] - zero[column] : 0)) {
      withheld[column] = true;
      n[column] = 0;
      missing[column] = 0;
      sum[column] = 0;
      fractional[column] = 0;
      levels.get(column).clear();
    } else if (!tooMany[column]) {
      merge(own, levels.get(column), column);
    }
  }

  /**
   * Whether a site says nothing of a column.
   *
   * @param n the rows in which it has a value
   * @param few how many rows have each of its numbers, as long as these are few
   * @param notZero the rows whose number is not zero
   */
  static boolean withholds(
      DisclosureRules own, long n, long rows, Map<Double, Long> few, long notZero) {
    return !own.allows(n)
        || (rows > 0 && rows < own.subset())
        || small(own, few)
        || !own.allows(notZero);
  }

  private void merge(DisclosureRules own, Map<String, Long> counts, int column) {
    for (String level : together(own, counts)) {
      merged[column] += counts.get(level);
      counts.remove(level);
    }
  }

  /**
   * The levels that are told as one, without their names: those of too few rows, with the next
   * larger until there are enough of them. Of levels that are as large the first by name, so that
   * whatever looks at the same rows comes to the same.
   */
  static Set<String> together(DisclosureRules own, Map<String, Long> counts) {
    Set<String> together = new LinkedHashSet<>();
    long rows = 0;
    for (String level :
        counts.keySet().stream()
            .sorted(Comparator.<String, Long>comparing(counts::get).thenComparing(name -> name))
            .toList()) {
      boolean small = counts.get(level) < own.namedLevel();
      if (small || !own.allows(rows) || rows == 1) {
        together.add(level);
        rows += counts.get(level);
      }
    }
    return together;
  }

  /** Whether a column of text has so many levels that they are not listed. */
  static boolean tooMany(DisclosureRules own, int levels, long rows) {
    return levels > own.levelsMax() || levels > own.levelsDensity() * rows;
  }

  /** Whether the rows of a class of a few numbers are too few to tell of the column. */
  static boolean small(DisclosureRules own, Map<Double, Long> values) {
    return values.size() <= RowClasses.FEW_VALUES
        && values.values().stream().anyMatch(count -> !own.allows(count));
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
    zero[column] += value == 0 ? 1 : 0;
    Map<Double, Long> values = few.get(column);
    if (values.size() <= RowClasses.FEW_VALUES) {
      values.merge(value + 0.0, 1L, Long::sum);
    }
    sum[column] += value;
    fractional[column] += value == Math.rint(value) ? 0 : 1;
    least[column] = Math.min(least[column], value);
    most[column] = Math.max(most[column], value);
  }

  private void addLevel(int column, String level) {
    n[column]++;
    if (!tables.takesAsLevels(columns.get(column).name())) {
      numeric.get(column).add(level);
    }
    TreeMap<String, Long> own = levels.get(column);
    if (own.size() <= Description.MOST_LEVELS || own.containsKey(level)) {
      own.merge(level, 1L, Long::sum);
    }
  }

  /** The second pass: for each column the sum of squared distances from a mean. */
  double[] squares(double[] mean) {
    double[] squares = new double[columns.size()];
    scan(
        (c, value) -> squares[c] += withheld[c] ? 0 : square(value - mean[c]),
        (_, _) -> {},
        _ -> {},
        _ -> {});
    return squares;
  }

  private static double square(double value) {
    return value * value;
  }

  /** Leaves out the quantiles of columns that the site counted in other bins before. */
  void countIn(List<QuantileGrid> grids) {
    Map<String, String> layouts = new TreeMap<>();
    for (int c = 0; c < n.length; c++) {
      if (columns.get(c).type().isNumeric() && n[c] > 0 && !uncounted[c]) {
        String name = columns.get(c).name();
        layouts.put(name, grids.get(c).layout() + tables.groupsInWords(name));
      }
    }
    Set<String> otherwise = told.bins().otherwise(layouts);
    for (int c = 0; c < n.length; c++) {
      uncounted[c] |= otherwise.contains(columns.get(c).name());
    }
  }

  /**
   * The third pass: all columns' histograms, one after another. That of a column by group is the
   * sum of its groups', so that nothing follows from subtracting these.
   */
  double[] histograms(List<QuantileGrid> grids, int[] from, int length) {
    double[] counts = new double[length];
    scan(
        (c, value) -> {
          if (columns.get(c).type().isNumeric() && !withheld[c] && !uncounted[c]) {
            counts[from[c] + grids.get(c).bin(value)]++;
          }
        },
        (_, _) -> {},
        _ -> {},
        _ -> {});
    for (int c = 0; c < from.length; c++) {
      int column = c;
      if (columns.get(c).type().isNumeric() && !withheld[c] && !uncounted[c]) {
        QuantileGrid grid = grids.get(c);
        double[] gathered =
            tables
                .groups(columns.get(c).name())
                .map(groups -> ofGroups(groups, grid))
                .orElseGet(
                    () ->
                        gathered(
                            Arrays.copyOfRange(counts, from[column], from[column] + grid.bins())));
        System.arraycopy(gathered, 0, counts, from[c], grid.bins());
      }
    }
    return counts;
  }

  private double[] ofGroups(SiteTables.Groups groups, QuantileGrid grid) {
    double[] counts = new double[grid.bins()];
    for (BitSet part : groups.parts()) {
      double[] own = gathered(groups.column().histogram(part, grid));
      Arrays.setAll(counts, bin -> counts[bin] + own[bin]);
    }
    return counts;
  }

  /** A group's histogram; of nothing where the site leaves it out. */
  double[] histogram(int column, String group, QuantileGrid grid) {
    return uncounted[column]
        ? new double[grid.bins()]
        : tables
            .groups(columns.get(column).name())
            .flatMap(
                groups ->
                    Optional.ofNullable(groups.told().get(group))
                        .map(rows -> gathered(groups.column().histogram(rows, grid))))
            .orElseGet(() -> new double[grid.bins()]);
  }

  private double[] gathered(double[] counts) {
    rules.ifPresent(own -> gather(counts, 0, counts.length, own.tab()));
    return counts;
  }

  /**
   * Moves rows to neighbouring bins until each has none or enough: along the bins, as soon as there
   * are enough, all go where the middle one of them is. So at every place fewer than twice the rows
   * that a class must have change sides.
   */
  static void gather(double[] counts, int from, int bins, int fewest) {
    int last = -1;
    int begin = from;
    double held = 0;
    for (int bin = from; bin < from + bins; bin++) {
      held += counts[bin];
      if (held >= fewest) {
        last = middle(counts, begin, bin, held);
        Arrays.fill(counts, begin, bin + 1, 0);
        counts[last] = held;
        begin = bin + 1;
        held = 0;
      }
    }
    if (held > 0 && last >= 0) {
      Arrays.fill(counts, begin, from + bins, 0);
      counts[last] += held;
    }
  }

  private static int middle(double[] counts, int begin, int end, double held) {
    double below = 0;
    int bin = begin;
    while (bin < end && below + counts[bin] < held / 2) {
      below += counts[bin++];
    }
    return bin;
  }
}
