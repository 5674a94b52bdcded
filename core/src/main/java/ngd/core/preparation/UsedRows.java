package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The rows that a question uses of one site, and the classes of them whose sizes its answer may
 * say.
 *
 * <p>Rows that are of the same class in every variable make an atom. A row is known by a digest
 * alone.
 */
public final class UsedRows {
  private final long[] digests;
  private final int[] atoms;
  private final long[] sizes;
  private final List<List<Integer>> codes;
  private final List<RowClasses.OfVariable> variables;
  private final List<Set<Integer>> crossed;
  private final Set<String> columns;
  private final List<ClassRows> cuts;

  /**
   * Rows of which it is known what atom each is of.
   *
   * @param digests of the rows, all different
   * @param atoms the number of each row's atom
   * @param codes for each atom, the number of its class in each variable
   * @param crossed the sets of variables whose cross tables an answer may say
   * @param columns whose values are summed over the rows
   */
  UsedRows(
      long[] digests,
      int[] atoms,
      List<List<Integer>> codes,
      List<RowClasses.OfVariable> variables,
      List<Set<Integer>> crossed,
      Set<String> columns) {
    this(digests, atoms, sizes(atoms, codes.size()), codes, variables, crossed, columns, List.of());
  }

  /**
   * Rows that nobody asks for one by one, however many.
   *
   * @param sizes the rows of each atom
   */
  static UsedRows counted(
      long[] sizes,
      List<List<Integer>> codes,
      List<RowClasses.OfVariable> variables,
      List<Set<Integer>> crossed,
      Set<String> columns) {
    return new UsedRows(
        new long[0], new int[0], sizes, codes, variables, crossed, columns, List.of());
  }

  private static long[] sizes(int[] atoms, int count) {
    long[] sizes = new long[count];
    Arrays.stream(atoms).forEach(atom -> sizes[atom]++);
    return sizes;
  }

  private UsedRows(
      long[] digests,
      int[] atoms,
      long[] sizes,
      List<List<Integer>> codes,
      List<RowClasses.OfVariable> variables,
      List<Set<Integer>> crossed,
      Set<String> columns,
      List<ClassRows> cuts) {
    this.cuts = List.copyOf(cuts);
    this.columns = Set.copyOf(columns);
    this.digests = digests;
    this.atoms = atoms;
    this.sizes = sizes;
    this.codes = codes;
    this.variables = variables;
    this.crossed = crossed;
  }

  /** The columns whose values are summed over the rows. */
  public Set<String> columns() {
    return columns;
  }

  public int count() {
    return (int) Arrays.stream(sizes).sum();
  }

  /** Whether its rows can be known again, by their digests. */
  public boolean areKnown() {
    return digests.length == count();
  }

  /** The digest of a row. */
  public long digest(int row) {
    return digests[row];
  }

  /** The atom that a row belongs to. */
  public int atom(int row) {
    return atoms[row];
  }

  public int atoms() {
    return codes.size();
  }

  /**
   * The same rows, over sets of which there are sums too.
   *
   * @param named sets of rows, by the numbers of these, under a name for those of one way to cut
   */
  UsedRows cut(SequencedMap<String, List<RowSet>> named) {
    List<RowSet> all = named.values().stream().flatMap(List::stream).distinct().toList();
    int[] finer = atoms.clone();
    int count = all.isEmpty() ? codes.size() : inOrder(finer, parted(finer, all));
    List<List<Integer>> finerCodes = new ArrayList<>(Collections.nCopies(count, List.of()));
    for (int row = 0; row < finer.length; row++) {
      finerCodes.set(finer[row], codes.get(atoms[row]));
    }
    List<ClassRows> sets = new ArrayList<>();
    named.forEach(
        (name, rows) ->
            rows.forEach(
                set -> {
                  BitSet own = new BitSet();
                  set.forEach(row -> own.set(finer[row]));
                  sets.add(new ClassRows(name, Set.of(), own));
                }));
    return new UsedRows(
        digests, finer, sizes(finer, count), finerCodes, variables, crossed, columns, sets);
  }

  /** Gives the rows of every set atoms of their own; returns how many numbers there are. */
  private int parted(int[] finer, List<RowSet> sets) {
    int[] count = {codes.size()};
    for (RowSet set : sets) {
      Map<Integer, Integer> inside = new HashMap<>();
      set.forEach(row -> finer[row] = inside.computeIfAbsent(finer[row], _ -> count[0]++));
    }
    return count[0];
  }

  /** Numbers atoms as they first come among the rows; returns how many there are. */
  private static int inOrder(int[] finer, int numbers) {
    int[] places = new int[numbers];
    int found = 0;
    for (int row = 0; row < finer.length; row++) {
      int atom = finer[row];
      places[atom] = places[atom] == 0 ? ++found : places[atom];
      finer[row] = places[atom] - 1;
    }
    return found;
  }

  /** The names of the ways in which the rows are cut. */
  public Set<String> cuts() {
    return cuts.stream().map(ClassRows::variable).collect(Collectors.toCollection(TreeSet::new));
  }

  /** How many rows each cell of a cross table has. */
  Map<List<Integer>, Long> table(Set<Integer> variables) {
    long[] rows = rows();
    Map<List<Integer>, Long> cells = new LinkedHashMap<>();
    for (int atom = 0; atom < rows.length; atom++) {
      cells.merge(cell(atom, variables), rows[atom], Long::sum);
    }
    return cells;
  }

  private List<Integer> cell(int atom, Set<Integer> variables) {
    return variables.stream().map(codes.get(atom)::get).toList();
  }

  /**
   * Rows of one class of a variable.
   *
   * @param variable its expression; empty for all rows that the question uses
   * @param columns that the expression is made of; of several variables together none are named
   * @param atoms that the rows make up
   */
  public record ClassRows(String variable, Set<String> columns, BitSet atoms) {}

  /**
   * All rows, those of each class, and those of the cells of the cross tables that an answer may
   * say; of numbers told from zero alone, where these are not few; and the sets of every cut. Cells
   * that are what classes leave over of the others are left out.
   */
  public List<ClassRows> classes(int fewest) {
    List<ClassRows> found = new ArrayList<>();
    BitSet all = new BitSet();
    all.set(0, codes.size());
    found.add(new ClassRows("", Set.of(), all));
    Set<Integer> kept = new TreeSet<>();
    for (int v = 0; v < variables.size(); v++) {
      RowClasses.OfVariable variable = variables.get(v);
      // A few rows that happen to be zero select nothing.
      if (!variable.support() || variable.classes().firstEntry().getValue() >= fewest) {
        kept.add(v);
        cells(Set.of(v))
            .values()
            .forEach(cell -> found.add(new ClassRows(variable.name(), variable.columns(), cell)));
      }
    }
    for (Set<Integer> group : crossed) {
      if (group.size() > 1 && kept.containsAll(group)) {
        String name = String.join(" : ", group.stream().map(v -> variables.get(v).name()).toList());
        cells(group)
            .forEach(
                (cell, atomsOf) -> {
                  if (group.size() > 2 || !leftOver(group, cell)) {
                    found.add(new ClassRows(name, Set.of(), atomsOf));
                  }
                });
      }
    }
    found.addAll(cuts);
    return found;
  }

  /** Whether a cell of two variables is in the last class of one of them. */
  private boolean leftOver(Set<Integer> group, List<Integer> cell) {
    int place = 0;
    for (int v : group) {
      RowClasses.OfVariable variable = variables.get(v);
      if (!variable.support() && cell.get(place) == variable.classes().size() - 1) {
        return true;
      }
      place++;
    }
    return false;
  }

  /** The atoms of each cell of a cross table, without those that sums say nothing of. */
  private Map<List<Integer>, BitSet> cells(Set<Integer> group) {
    Map<List<Integer>, BitSet> cells = new LinkedHashMap<>();
    for (int atom = 0; atom < codes.size(); atom++) {
      cells.computeIfAbsent(cell(atom, group), _ -> new BitSet()).set(atom);
    }
    cells.keySet().removeIf(cell -> !RowClasses.says(variables, group, cell));
    return cells;
  }

  /**
   * How few rows adding and subtracting the sums over these cells would show, if fewer than these.
   */
  OptionalLong isolated(int fewest) {
    return new IsolatedRows(sets(fewest), rows()).below(fewest);
  }

  /** How many classes and cells these are, where they are too many to be looked at together. */
  OptionalInt tooMany(int fewest) {
    int sets = sets(fewest).size();
    // What consists of large atoms is large.
    return sets <= IsolatedRows.MOST_SETS || Arrays.stream(rows()).allMatch(n -> n >= fewest)
        ? OptionalInt.empty()
        : OptionalInt.of(sets);
  }

  private List<BitSet> sets(int fewest) {
    return classes(fewest).stream().map(ClassRows::atoms).distinct().toList();
  }

  /** How many rows each atom has. */
  private long[] rows() {
    return sizes.clone();
  }
}
