package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Levels;
import ngd.core.formula.RowValues;

/**
 * One site's rows as its tables need them: in which rows each column has a value, and which. Rows
 * are known by their numbers.
 */
final class TableRows {
  private final Map<String, OfColumn> columns = new LinkedHashMap<>();
  private final SiteDisclosure.Growing digests = new SiteDisclosure.Growing();
  private int count;

  private TableRows() {}

  /**
   * Reads the table once.
   *
   * @param settings which columns are described, and which of them as levels
   * @param digest by which rows are known again; nothing where nobody has to
   */
  static TableRows of(
      SiteTable table, Description.Settings settings, Optional<SiteDisclosure.RowDigest> digest) {
    TableRows rows = new TableRows();
    List<Column> all =
        SiteDisclosure.known(table).stream()
            .filter(column -> digest.isPresent() || settings.describes(column.name()))
            .toList();
    List<Expression> asked = new ArrayList<>();
    List<OfColumn> kept = new ArrayList<>();
    for (Column column : all) {
      asked.add(new Expression.Name(column.name()));
      if (settings.describes(column.name())) {
        kept.add(
            new OfColumn(
                asked.size() - 1,
                column.type(),
                LevelColumns.taken(column, settings.tables().asLevels())));
      }
    }
    String head = SiteDisclosure.head(all);
    Map<Long, Long> seen = new HashMap<>();
    table.scan(
        asked,
        row -> {
          digest.ifPresent(
              secret ->
                  rows.digests.add(
                      SiteDisclosure.unlike(
                          secret, SiteDisclosure.values(head, all, row, 0), seen)));
          for (OfColumn column : kept) {
            column.add(rows.count, row);
          }
          rows.count++;
        });
    kept.forEach(column -> rows.columns.put(column.of.name(), column.ended()));
    return rows;
  }

  /** The columns that the site has, as they are taken, in their order. */
  List<OfColumn> columns() {
    return List.copyOf(columns.values());
  }

  Optional<OfColumn> column(String name) {
    return Optional.ofNullable(columns.get(name));
  }

  int count() {
    return count;
  }

  /**
   * Some rows, and sets of them, as they are remembered.
   *
   * @param columns that are summed or counted over them
   */
  UsedRows used(BitSet some, String name, List<BitSet> sets, Set<String> columns) {
    int[] place = new int[count];
    int found = 0;
    long[] known = digests.longs();
    long[] own = new long[some.cardinality()];
    for (int row = some.nextSetBit(0); row >= 0; row = some.nextSetBit(row + 1)) {
      place[row] = found;
      own[found++] = known[row];
    }
    List<RowSet> moved = new ArrayList<>();
    for (BitSet set : sets) {
      RowSet.Filler numbers = new RowSet.Filler();
      set.stream().forEach(row -> numbers.add(place[row]));
      moved.add(numbers.done());
    }
    SequencedMap<String, List<RowSet>> named = new LinkedHashMap<>();
    named.put(name, moved);
    return new UsedRows(own, new int[own.length], List.of(List.of()), List.of(), List.of(), columns)
        .cut(named);
  }

  /** One column: in which rows it has a value, and which. */
  static final class OfColumn {
    final Column of;
    final BitSet present = new BitSet();
    private final int at;
    private final ColumnType held;
    private final SequencedMap<String, Integer> names = new LinkedHashMap<>();
    private final SiteDisclosure.Growing values = new SiteDisclosure.Growing();
    private final List<String> levels = new ArrayList<>();
    private long[] kept = {};

    /** Found when it is asked for first. */
    private final Map<String, BitSet> ofLevels = new HashMap<>();

    OfColumn(int at, ColumnType held, Column of) {
      this.at = at;
      this.held = held;
      this.of = of;
    }

    private void add(int number, RowValues row) {
      String text = held == ColumnType.TEXT ? row.text(at) : null;
      double value = held == ColumnType.TEXT ? Double.NaN : row.number(at) + 0.0;
      boolean here = text != null || !Double.isNaN(value);
      present.set(number, here);
      if (isNumber()) {
        values.add(Double.doubleToRawLongBits(value));
        return;
      }
      String level = here ? String.valueOf(Levels.of(held, value, text)) : "";
      boolean few = names.size() <= Description.MOST_LEVELS || names.containsKey(level);
      values.add(here && few ? names.computeIfAbsent(level, _ -> names.size()) : -1);
    }

    private OfColumn ended() {
      kept = values.longs();
      levels.addAll(names.keySet());
      return this;
    }

    boolean isNumber() {
      return of.type().isNumeric();
    }

    double number(int row) {
      return Double.longBitsToDouble(kept[row]);
    }

    /** The levels, in the order in which they came. */
    List<String> levels() {
      return levels;
    }

    /** Among some rows, those of each level that any of them has. */
    SequencedMap<String, BitSet> classes(BitSet among) {
      BitSet[] byCode = new BitSet[levels.size()];
      Arrays.setAll(byCode, _ -> new BitSet());
      for (int row = among.nextSetBit(0); row >= 0; row = among.nextSetBit(row + 1)) {
        int code = (int) kept[row];
        if (code >= 0) {
          byCode[code].set(row);
        }
      }
      SequencedMap<String, BitSet> found = new LinkedHashMap<>();
      for (int code = 0; code < byCode.length; code++) {
        if (!byCode[code].isEmpty()) {
          found.put(levels.get(code), byCode[code]);
        }
      }
      return found;
    }

    /** The rows of a level among all. */
    BitSet having(String level) {
      if (ofLevels.isEmpty()) {
        ofLevels.putAll(classes(present));
      }
      return ofLevels.getOrDefault(level, new BitSet());
    }

    /** Among some rows, those of each number, as long as these are few; else nothing. */
    SequencedMap<Double, BitSet> few(BitSet among) {
      Map<Double, BitSet> byValue = new TreeMap<>();
      for (int row = among.nextSetBit(0);
          row >= 0 && byValue.size() <= RowClasses.FEW_VALUES;
          row = among.nextSetBit(row + 1)) {
        byValue.computeIfAbsent(number(row), _ -> new BitSet()).set(row);
      }
      return byValue.size() <= RowClasses.FEW_VALUES
          ? new LinkedHashMap<>(byValue)
          : new LinkedHashMap<>();
    }

    /** How many of some rows are not zero. */
    long notZero(BitSet among) {
      return among.stream().filter(row -> number(row) != 0).count();
    }

    /** How many of some rows lie in each bin. */
    double[] histogram(BitSet among, QuantileGrid grid) {
      double[] counts = new double[grid.bins()];
      among.stream().forEach(row -> counts[grid.bin(number(row))]++);
      return counts;
    }
  }

  /** The rows that all of some sets have. */
  static BitSet common(BitSet... sets) {
    BitSet common = (BitSet) sets[0].clone();
    Arrays.stream(sets).forEach(common::and);
    return common;
  }

  /** Some rows, those of each of few values of each column, and those of every two of these. */
  static List<BitSet> classesOfTwo(List<OfColumn> columns, BitSet all) {
    List<BitSet> single = new ArrayList<>();
    columns.forEach(column -> single.addAll(column.few(all).values()));
    List<BitSet> sets = new ArrayList<>(List.of(all));
    for (BitSet one : single) {
      single.forEach(two -> sets.add(common(one, two)));
    }
    return sets;
  }
}
