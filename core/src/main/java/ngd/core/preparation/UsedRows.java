package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
  private final List<List<Integer>> codes;
  private final List<RowClasses.OfVariable> variables;
  private final Set<String> columns;

  /**
   * @param digests of the rows, all different
   * @param atoms the number of each row's atom
   * @param codes for each atom, the number of its class in each variable
   * @param columns whose values are summed over the rows
   */
  UsedRows(
      long[] digests,
      int[] atoms,
      List<List<Integer>> codes,
      List<RowClasses.OfVariable> variables,
      Set<String> columns) {
    this.columns = Set.copyOf(columns);
    this.digests = digests;
    this.atoms = atoms;
    this.codes = codes;
    this.variables = variables;
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
   * @param columns that the expression is made of
   * @param atoms that the rows make up
   */
  public record ClassRows(String variable, Set<String> columns, Set<Integer> atoms) {}

  /**
   * All rows, and those of each class; of numbers told from zero alone, where these are not few.
   */
  public List<ClassRows> classes(int fewest) {
    List<ClassRows> found = new ArrayList<>();
    Set<Integer> all = new TreeSet<>();
    for (int atom = 0; atom < codes.size(); atom++) {
      all.add(atom);
    }
    found.add(new ClassRows("", Set.of(), all));
    for (int v = 0; v < variables.size(); v++) {
      RowClasses.OfVariable variable = variables.get(v);
      Map<List<Integer>, Set<Integer>> cells = new TreeMap<>(Comparator.comparing(List::getFirst));
      for (int atom = 0; atom < codes.size(); atom++) {
        cells.computeIfAbsent(cell(atom, Set.of(v)), _ -> new TreeSet<>()).add(atom);
      }
      if (variable.support()) {
        // A few rows that happen to be zero select nothing.
        if (variable.classes().firstEntry().getValue() < fewest) {
          continue;
        }
        cells.remove(List.of(0));
      }
      cells
          .values()
          .forEach(atom -> found.add(new ClassRows(variable.name(), variable.columns(), atom)));
    }
    return found;
  }
}
