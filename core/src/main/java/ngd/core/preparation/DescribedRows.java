package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Levels;
import ngd.core.formula.RowValues;

/**
 * The rows that a description sums over, column by column: those in which the column has a value,
 * and those of each level that it counts, or of each number where these are few. Nothing is
 * crossed, so columns show each other's rows only together with other questions.
 */
public final class DescribedRows {
  /** Stands for the levels that are told as one; no value of a column has this name. */
  private static final String TOGETHER = "";

  private DescribedRows() {}

  /**
   * Reads the table once.
   *
   * @param settings which columns are described, and which of them as levels
   * @param rules by which levels are put together, and columns left out
   * @param digest by which rows are known again
   */
  public static SequencedMap<String, UsedRows> of(
      SiteTable table,
      Description.Settings settings,
      DisclosureRules rules,
      SiteDisclosure.RowDigest digest) {
    List<Column> all = SiteDisclosure.known(table);
    List<Expression> asked = new ArrayList<>();
    all.forEach(column -> asked.add(new Expression.Name(column.name())));
    String head = SiteDisclosure.head(all);
    Map<Long, Long> seen = new HashMap<>();
    List<OfColumn> columns = new ArrayList<>();
    for (int c = 0; c < all.size(); c++) {
      if (settings.describes(all.get(c).name())) {
        columns.add(
            new OfColumn(
                c,
                all.get(c).type(),
                LevelColumns.taken(all.get(c), settings.tables().asLevels())));
      }
    }
    table.scan(
        asked,
        row -> {
          long known =
              SiteDisclosure.unlike(digest, SiteDisclosure.values(head, all, row, 0), seen);
          for (OfColumn column : columns) {
            column.add(known, row);
          }
        });
    SequencedMap<String, UsedRows> found = new LinkedHashMap<>();
    columns.forEach(column -> found.put(column.of.name(), column.used(rules)));
    return found;
  }

  /** The rows in which one column has a value, and what value where there are few. */
  private static final class OfColumn {
    private final int at;
    private final ColumnType held;
    private final Column of;
    private final SiteDisclosure.Growing digests = new SiteDisclosure.Growing();
    private final SiteDisclosure.Growing codes = new SiteDisclosure.Growing();
    private final SequencedMap<String, Integer> values = new LinkedHashMap<>();
    private final Map<Double, Long> numbers = new TreeMap<>();

    OfColumn(int at, ColumnType held, Column of) {
      this.at = at;
      this.held = held;
      this.of = of;
    }

    void add(long digest, RowValues row) {
      String text = held == ColumnType.TEXT ? row.text(at) : null;
      double number = held == ColumnType.TEXT ? Double.NaN : row.number(at) + 0.0;
      if (text == null && Double.isNaN(number)) {
        return;
      }
      if (of.type() == ColumnType.NUMBER && numbers.size() <= RowClasses.FEW_VALUES) {
        numbers.merge(number, 1L, Long::sum);
      }
      String value = text == null ? String.valueOf(Levels.of(held, number, null)) : text;
      boolean few = values.size() <= most();
      digests.add(digest);
      codes.add(few ? values.computeIfAbsent(value, _ -> values.size()) : 0);
    }

    private int most() {
      return of.type() == ColumnType.NUMBER ? RowClasses.FEW_VALUES : Description.MOST_LEVELS;
    }

    UsedRows used(DisclosureRules rules) {
      long[] rows = digests.longs();
      int[] own = Arrays.stream(codes.longs()).mapToInt(code -> (int) code).toArray();
      SequencedMap<String, Long> told = told(rules, own);
      if (told.isEmpty()) {
        return new UsedRows(
            rows,
            new int[rows.length],
            List.of(List.of()),
            List.of(),
            List.of(),
            Set.of(of.name()));
      }
      List<String> names = List.copyOf(told.keySet());
      int[] classes =
          values.keySet().stream().mapToInt(value -> Math.max(0, names.indexOf(value))).toArray();
      return new UsedRows(
          rows,
          Arrays.stream(own).map(code -> classes[code]).toArray(),
          IntStream.range(0, names.size()).mapToObj(List::of).toList(),
          List.of(new RowClasses.OfVariable(of.name(), Set.of(of.name()), 0, false, false, told)),
          List.of(),
          Set.of(of.name()));
    }

    /** The classes whose rows are counted, those that are told as one first; none where none is. */
    private SequencedMap<String, Long> told(DisclosureRules rules, int[] own) {
      long[] rows = new long[values.size()];
      Arrays.stream(own).forEach(code -> rows[code]++);
      SequencedMap<String, Long> counts = new LinkedHashMap<>();
      values.forEach((value, code) -> counts.put(value, rows[code]));
      SequencedMap<String, Long> told = new LinkedHashMap<>();
      if (of.type() == ColumnType.NUMBER
          ? values.size() > most() || TableSums.small(rules, numbers)
          : values.size() > most()
              || (of.type() == ColumnType.TEXT
                  && TableSums.tooMany(rules, values.size(), own.length))) {
        return told;
      }
      Set<String> together =
          of.type() == ColumnType.NUMBER ? Set.of() : TableSums.together(rules, counts);
      together.forEach(level -> told.merge(TOGETHER, counts.get(level), Long::sum));
      counts.keySet().removeAll(together);
      told.putAll(counts);
      return told;
    }
  }
}
