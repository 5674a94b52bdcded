package ngd.core.preparation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import ngd.core.data.SiteTable;
import ngd.core.formula.ColumnType;

/**
 * What one site tells of its rows for the tables of a description: numbers by group, cross tables,
 * correlations. Judged from its own rows alone, in the order in which its columns stand.
 *
 * <p>A table is told as far as everything that is told together, added and subtracted, shows no
 * class of too few rows: groups and levels of few rows are left out with the next larger ones;
 * cells of few rows with others of their row and column, until what totals leave over is enough.
 * Where no part of it can be told so, the site says nothing of the table.
 */
public final class SiteTables {
  /**
   * A column by group.
   *
   * @param told the rows of each group that is told
   * @param rest the rows with a value that are in none of these
   */
  record Groups(
      TableRows.OfColumn column, SequencedMap<String, BitSet> told, BitSet rest, BitSet both) {
    /** All rows with a value, in parts that are told or follow from these. */
    List<BitSet> parts() {
      List<BitSet> parts = new ArrayList<>(told.values());
      parts.add(rest);
      return parts;
    }

    long inGroups() {
      return told.values().stream().mapToLong(BitSet::cardinality).sum();
    }
  }

  /**
   * A cross table.
   *
   * @param shown the rows of each cell that is told, by the levels of both columns
   * @param all the rows in which both columns have a value
   */
  record Cells(SequencedMap<List<String>, BitSet> shown, BitSet all) {}

  private final TablesAsked asked;
  private final Optional<DisclosureRules> rules;
  private final TableRows rows;
  private final ToldSets told;
  private final Set<String> silent = new HashSet<>();
  private final Map<String, Set<String>> leftOut = new LinkedHashMap<>();
  private final SequencedMap<String, Groups> groups = new LinkedHashMap<>();
  private final SequencedMap<String, Cells> crosses = new LinkedHashMap<>();
  private final SequencedSet<String> withheld = new LinkedHashSet<>();
  private final SequencedMap<String, UsedRows> used = new LinkedHashMap<>();
  private final boolean digested;
  private BitSet correlated = new BitSet();

  private SiteTables(
      Description.Settings settings,
      Optional<DisclosureRules> rules,
      TableRows rows,
      boolean digested) {
    asked = settings.tables();
    this.rules = rules;
    this.rows = rows;
    this.digested = digested;
    told = new ToldSets(rows.count(), rules.map(DisclosureRules::tab).orElse(1));
  }

  /**
   * Reads the table, once or, for correlations, three times.
   *
   * @param silent columns of which the site says nothing anyway
   * @param digest by which rows are known again; nothing where nobody has to
   */
  public static SiteTables of(
      SiteTable table,
      Description.Settings settings,
      Optional<DisclosureRules> rules,
      Collection<String> silent,
      Optional<SiteDisclosure.RowDigest> digest) {
    boolean any = settings.tables().crossed();
    SiteTables tables =
        new SiteTables(
            settings,
            rules,
            TableRows.of(
                table,
                any ? settings : Description.Settings.NOTHING,
                any ? digest : Optional.empty()),
            digest.isPresent());
    tables.silent.addAll(silent);
    if (any) {
      tables.describeColumns();
      tables.judgeByGroup();
      tables.judgeCorrelation(table, digest);
    }
    return tables;
  }

  /** The tables of which the site says nothing. */
  public Set<String> withheld() {
    return Set.copyOf(withheld);
  }

  /** The rows of each table that is told, as they are remembered. */
  public SequencedMap<String, UsedRows> used() {
    return new LinkedHashMap<>(used);
  }

  /** Leaves out some more. */
  void withhold(Collection<String> names) {
    withheld.addAll(names);
    asked.by().ifPresent(_ -> groups.keySet().removeIf(c -> names.contains(asked.nameByGroup(c))));
    crosses.keySet().removeAll(names);
    if (!asked.correlated().isEmpty() && names.contains(asked.nameOfCorrelation())) {
      correlated = new BitSet();
    }
  }

  boolean withholds(String name) {
    return withheld.contains(name);
  }

  /** A column by group, where it is told. */
  Optional<Groups> groups(String column) {
    return Optional.ofNullable(groups.get(column));
  }

  /** What distinguishes the bins of a column that is counted by group. */
  String groupsInWords(String column) {
    return groups.containsKey(column) ? " by " + asked.by().orElseThrow() : "";
  }

  /** A cross table, where it is told. */
  Optional<Cells> cells(TablesAsked.Cross cross) {
    return Optional.ofNullable(crosses.get(cross.name()));
  }

  /** The rows over which products of columns are summed. */
  BitSet correlated() {
    return correlated;
  }

  TableRows.OfColumn column(String name) {
    return rows.column(name).orElseThrow();
  }

  /** Whether a column is asked for as levels, whatever it holds. */
  boolean takesAsLevels(String name) {
    return asked.asLevels().contains(name);
  }

  /** Whether the site has no such column, or no value in it. */
  boolean lacks(String name) {
    return rows.column(name).isEmpty();
  }

  /** The rows of a level of the column of groups, where the site tells of it. */
  BitSet toldGroup(String level) {
    return asked
        .by()
        .filter(by -> !silent.contains(by) && !leftOut.getOrDefault(by, Set.of()).contains(level))
        .flatMap(rows::column)
        .map(column -> column.having(level))
        .orElseGet(BitSet::new);
  }

  /** What the description of each column by itself says of rows. */
  private void describeColumns() {
    for (TableRows.OfColumn column : rows.columns()) {
      String name = column.of.name();
      List<BitSet> sets = new ArrayList<>(List.of(column.present));
      if (column.isNumber()) {
        rules.filter(own -> keepsSilent(own, column)).ifPresent(_ -> silent.add(name));
        sets.addAll(column.few(column.present).values());
      } else {
        SequencedMap<String, BitSet> classes = column.classes(column.present);
        Set<String> together =
            rules.map(own -> TableSums.together(own, counts(classes))).orElse(Set.of());
        boolean listed =
            rules
                .map(
                    own ->
                        !TableSums.tooMany(own, classes.size(), column.present.cardinality())
                            && own.allows(column.present.cardinality()))
                .orElse(classes.size() <= Description.MOST_LEVELS);
        if (!listed) {
          silent.add(name);
        }
        leftOut.put(name, together);
        sets.add(union(classes, together));
        classes.forEach(
            (level, own) -> {
              if (!together.contains(level)) {
                sets.add(own);
              }
            });
      }
      told.describe(name, sets);
    }
  }

  private boolean keepsSilent(DisclosureRules own, TableRows.OfColumn column) {
    Map<Double, Long> few = new TreeMap<>();
    column
        .few(column.present)
        .forEach((value, rowsOf) -> few.put(value, (long) rowsOf.cardinality()));
    return TableSums.withholds(
        own, column.present.cardinality(), rows.count(), few, column.notZero(column.present));
  }

  private static BitSet union(Map<String, BitSet> classes, Set<String> names) {
    BitSet all = new BitSet();
    names.forEach(name -> all.or(classes.get(name)));
    return all;
  }

  private static Map<String, Long> counts(Map<String, BitSet> classes) {
    Map<String, Long> counts = new LinkedHashMap<>();
    classes.forEach((level, own) -> counts.put(level, (long) own.cardinality()));
    return counts;
  }

  /** Columns by group in their order, then the other cross tables. */
  private void judgeByGroup() {
    List<String> categorical = new ArrayList<>();
    for (TableRows.OfColumn column : rows.columns()) {
      boolean grouped = asked.by().isPresent() && !asked.by().get().equals(column.of.name());
      if (column.isNumber() && grouped) {
        judgeNumbers(column);
      } else if (!column.isNumber()) {
        categorical.add(column.of.name());
      }
    }
    for (TablesAsked.Cross cross : asked.crosses(categorical)) {
      Optional<TableRows.OfColumn> one = rows.column(cross.rows());
      Optional<TableRows.OfColumn> two = rows.column(cross.columns());
      if (one.isPresent() && two.isPresent() && !one.get().isNumber() && !two.get().isNumber()) {
        judgeCells(cross, one.get(), two.get());
      }
    }
  }

  private void judgeNumbers(TableRows.OfColumn column) {
    String by = asked.by().orElseThrow();
    String name = asked.nameByGroup(column.of.name());
    Optional<TableRows.OfColumn> grouping = rows.column(by);
    if (grouping.isEmpty() || grouping.get().isNumber()) {
      return;
    }
    BitSet both = TableRows.common(column.present, grouping.get().present);
    SequencedMap<String, BitSet> classes = grouping.get().classes(both);
    classes.keySet().removeAll(leftOut.getOrDefault(by, Set.of()));
    rules.ifPresent(own -> classes.keySet().removeAll(TableSums.together(own, counts(classes))));
    BitSet rest = (BitSet) column.present.clone();
    classes.values().forEach(rest::andNot);
    List<BitSet> parts = new ArrayList<>(classes.values());
    parts.add(rest);
    List<BitSet> sets = new ArrayList<>(List.of(both));
    sets.addAll(classes.values());
    for (BitSet few : column.few(column.present).values()) {
      classes.values().forEach(one -> sets.add(TableRows.common(few, one)));
    }
    Set<String> columns = Set.of(column.of.name(), by);
    boolean refused =
        rules.isPresent()
            && (silent.contains(column.of.name())
                || silent.contains(by)
                || parts.stream().anyMatch(part -> isSmall(column, part))
                || told.isolates(columns, sets));
    if (refused || (classes.isEmpty() && !both.isEmpty())) {
      withheld.add(name);
      return;
    }
    told.add(columns, sets);
    remember(name, both, sets, columns);
    groups.put(column.of.name(), new Groups(column, classes, rest, both));
  }

  /** Whether the moments of a column over some rows would show a class of too few of them. */
  private boolean isSmall(TableRows.OfColumn column, BitSet part) {
    DisclosureRules own = rules.orElseThrow();
    return !own.allows(column.notZero(part))
        || column.few(part).values().stream().anyMatch(few -> !own.allows(few.cardinality()));
  }

  private void judgeCells(TablesAsked.Cross cross, TableRows.OfColumn one, TableRows.OfColumn two) {
    if (rules.isPresent() && (silent.contains(cross.rows()) || silent.contains(cross.columns()))) {
      withheld.add(cross.name());
      return;
    }
    BitSet all = TableRows.common(one.present, two.present);
    SequencedMap<List<String>, BitSet> cells = new LinkedHashMap<>();
    one.classes(all)
        .forEach(
            (row, own) ->
                two.classes(own).forEach((column, cell) -> cells.put(List.of(row, column), cell)));
    SequencedMap<List<String>, BitSet> shown = new LinkedHashMap<>(cells);
    if (rules.isPresent() && !protects(cross, cells, shown, margins(all, one, two))) {
      withheld.add(cross.name());
      return;
    }
    List<BitSet> sets = sets(margins(all, one, two), shown);
    told.add(cross.both(), sets);
    remember(cross.name(), all, sets, cross.both());
    crosses.put(cross.name(), new Cells(shown, all));
  }

  /**
   * All rows of a cross table, and those of each level that is told: whoever knows how many rows of
   * a level lack the other column, or that none do, knows these.
   */
  private List<BitSet> margins(BitSet all, TableRows.OfColumn... columns) {
    List<BitSet> margins = new ArrayList<>(List.of(all));
    for (TableRows.OfColumn column : columns) {
      SequencedMap<String, BitSet> classes = column.classes(all);
      classes.keySet().removeAll(leftOut.get(column.of.name()));
      classes.values().stream()
          .filter(own -> rules.map(rule -> rule.allows(own.cardinality())).orElse(true))
          .forEach(margins::add);
    }
    return margins;
  }

  private static List<BitSet> sets(List<BitSet> margins, Map<List<String>, BitSet> shown) {
    List<BitSet> sets = new ArrayList<>(margins);
    sets.addAll(shown.values());
    return sets;
  }

  /** Takes cells out of those shown until nothing small follows from these; whether any is left. */
  private boolean protects(
      TablesAsked.Cross cross,
      Map<List<String>, BitSet> cells,
      SequencedMap<List<String>, BitSet> shown,
      List<BitSet> margins) {
    DisclosureRules own = rules.orElseThrow();
    shown
        .entrySet()
        .removeIf(
            cell ->
                cell.getValue().cardinality() < own.namedLevel()
                    || leftOut.get(cross.rows()).contains(cell.getKey().getFirst())
                    || leftOut.get(cross.columns()).contains(cell.getKey().getLast()));
    CellChoice choice = new CellChoice(cells, own.tab());
    boolean looked = false;
    while (!shown.isEmpty() && told.isolates(cross.both(), sets(margins, shown))) {
      // Where it is not for the cells, leaving out more of them does not help.
      if (!looked && told.isolates(cross.both(), margins)) {
        return false;
      }
      looked = true;
      shown.remove(choice.next(shown));
    }
    return cells.isEmpty() || !shown.isEmpty();
  }

  private void remember(String name, BitSet all, List<BitSet> sets, Set<String> columns) {
    if (digested) {
      used.put(name, rows.used(all, name, sets, columns));
    }
  }

  /**
   * Correlations say what a linear model says of its columns: second moments over the same rows.
   */
  private void judgeCorrelation(SiteTable table, Optional<SiteDisclosure.RowDigest> digest) {
    if (asked.correlated().isEmpty()) {
      return;
    }
    List<TableRows.OfColumn> columns = new ArrayList<>();
    for (String name : asked.correlated()) {
      Optional<TableRows.OfColumn> column = rows.column(name);
      if (column.isEmpty() || column.get().of.type() != ColumnType.NUMBER) {
        return;
      }
      columns.add(column.get());
    }
    BitSet all = TableRows.common(columns.stream().map(one -> one.present).toArray(BitSet[]::new));
    Set<String> names = Set.copyOf(asked.correlated());
    List<BitSet> sets = TableRows.classesOfTwo(columns, all);
    if (rules.isPresent()) {
      SiteDisclosure judged = SiteDisclosure.of(asked.model(), table, rules.get(), digest);
      judged.requireChecked();
      if (names.stream().anyMatch(silent::contains)
          || !judged.objections().isEmpty()
          || told.isolates(names, sets)) {
        withheld.add(asked.nameOfCorrelation());
        return;
      }
      if (digested) {
        used.put(asked.nameOfCorrelation(), judged.used().orElseThrow());
      }
    }
    told.add(names, sets);
    correlated = all;
  }
}
