package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows that a question uses of one site, and the classes of them whose sizes its answer may
 * say.
 *
 * <p>Rows that are of the same class in every variable make an atom. A row is known by a digest
 * alone.
 */
public final class UsedRows {
  /** Cross tables of more cells than this are not followed: it would take too long. */
  private static final int MOST_CELLS = 400;

  private final long[] digests;
  private final int[] atoms;
  private final List<List<Integer>> codes;
  private final List<RowClasses.OfVariable> variables;
  private final List<Set<Integer>> crossed;
  private final Set<String> columns;

  /**
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
    this.columns = Set.copyOf(columns);
    this.digests = digests;
    this.atoms = atoms;
    this.codes = codes;
    this.variables = variables;
    this.crossed = crossed;
  }

  /** The columns whose values are summed over the rows. */
  public Set<String> columns() {
    return columns;
  }

  public int count() {
    return atoms.length;
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

  /** How many rows each cell of a cross table has. */
  Map<List<Integer>, Long> table(Set<Integer> variables) {
    long[] rows = new long[codes.size()];
    Arrays.stream(atoms).forEach(atom -> rows[atom]++);
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
  public record ClassRows(String variable, Set<String> columns, Set<Integer> atoms) {}

  /**
   * All rows, those of each class, and those of each cell of the cross tables that an answer may
   * say, as long as these are not very many; of numbers told from zero alone, where these are not
   * few.
   */
  public List<ClassRows> classes(int fewest) {
    List<ClassRows> found = new ArrayList<>();
    Set<Integer> all = new TreeSet<>();
    for (int atom = 0; atom < codes.size(); atom++) {
      all.add(atom);
    }
    found.add(new ClassRows("", Set.of(), all));
    Set<Integer> kept = new TreeSet<>();
    for (int v = 0; v < variables.size(); v++) {
      RowClasses.OfVariable variable = variables.get(v);
      // A few rows that happen to be zero select nothing.
      if (!variable.support() || variable.classes().firstEntry().getValue() >= fewest) {
        kept.add(v);
        cells(Set.of(v))
            .forEach(cell -> found.add(new ClassRows(variable.name(), variable.columns(), cell)));
      }
    }
    for (Set<Integer> group : crossed) {
      if (group.size() > 1 && kept.containsAll(group)) {
        List<Set<Integer>> cells = cells(group);
        if (found.size() + cells.size() > MOST_CELLS) {
          break;
        }
        String name = String.join(" : ", group.stream().map(v -> variables.get(v).name()).toList());
        cells.forEach(cell -> found.add(new ClassRows(name, Set.of(), cell)));
      }
    }
    return found;
  }

  /** The atoms of each cell of a cross table, without those that sums say nothing of. */
  private List<Set<Integer>> cells(Set<Integer> group) {
    Map<List<Integer>, Set<Integer>> cells = new LinkedHashMap<>();
    for (int atom = 0; atom < codes.size(); atom++) {
      cells.computeIfAbsent(cell(atom, group), _ -> new TreeSet<>()).add(atom);
    }
    cells.keySet().removeIf(cell -> !RowClasses.says(variables, group, cell));
    return List.copyOf(cells.values());
  }

  /**
   * How few rows adding and subtracting the sums over these cells would show, if fewer than these.
   */
  OptionalLong isolated(int fewest) {
    List<BitSet> sets = new ArrayList<>();
    for (ClassRows one : classes(fewest)) {
      BitSet set = new BitSet();
      one.atoms().forEach(set::set);
      sets.add(set);
    }
    long[] rows = new long[codes.size()];
    Arrays.stream(atoms).forEach(atom -> rows[atom]++);
    return new RowSpace(sets.stream().distinct().toList(), rows).isolated(fewest);
  }
}
