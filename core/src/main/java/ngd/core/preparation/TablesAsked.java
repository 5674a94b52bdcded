package ngd.core.preparation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;

/**
 * The tables that a description has besides one line for each column.
 *
 * @param by the column whose levels are the groups of the first table of a paper
 * @param crosses the pairs of columns that are cross-tabulated
 * @param histograms the columns whose histograms are told
 * @param correlated the columns whose correlations are told
 * @param complete whether only rows count in which every described column has a value
 */
public record TablesAsked(
    Optional<String> by,
    List<Cross> crosses,
    List<String> histograms,
    List<String> correlated,
    boolean complete) {
  /** No table. */
  public static final TablesAsked NONE =
      new TablesAsked(Optional.empty(), List.of(), List.of(), List.of(), false);

  /**
   * Two columns whose levels are counted together.
   *
   * @param rows the column whose levels are the rows of the table
   */
  public record Cross(String rows, String columns) {
    /** What the table is known by. */
    public String name() {
      return "%s × %s".formatted(rows, columns);
    }

    Set<String> both() {
      return Set.of(rows, columns);
    }
  }

  public TablesAsked {
    crosses = List.copyOf(crosses);
    histograms = List.copyOf(histograms);
    correlated = List.copyOf(correlated);
  }

  /** What the table of a column by group is known by. */
  String nameByGroup(String column) {
    return "%s by %s".formatted(column, by.orElseThrow());
  }

  /** What the correlations are known by. */
  String nameOfCorrelation() {
    return "correlation of " + String.join(", ", correlated);
  }

  /** The linear model that says what the correlations say: second moments over the same rows. */
  Formula model() {
    List<String> quoted =
        correlated.stream().map(name -> new Expression.Name(name).text()).toList();
    return Formula.parse(
        "%s ~ %s"
            .formatted(quoted.getFirst(), String.join(" + ", quoted.subList(1, quoted.size()))));
  }

  /** The columns that are taken as levels, also where they hold numbers. */
  public Set<String> asLevels() {
    SequencedSet<String> names = new LinkedHashSet<>();
    by.ifPresent(names::add);
    crosses.forEach(cross -> names.addAll(List.of(cross.rows(), cross.columns())));
    return names;
  }

  /** The columns that are named here. */
  SequencedSet<String> columns() {
    SequencedSet<String> names = new LinkedHashSet<>(asLevels());
    names.addAll(histograms);
    names.addAll(correlated);
    return names;
  }

  /** The cross tables, with that of each of these columns by group first. */
  List<Cross> crosses(List<String> categorical) {
    List<Cross> all = new ArrayList<>();
    by.ifPresent(
        group ->
            categorical.stream()
                .filter(column -> !column.equals(group))
                .forEach(column -> all.add(new Cross(group, column))));
    for (Cross cross : crosses) {
      if (all.stream().noneMatch(one -> one.both().equals(cross.both()))) {
        all.add(cross);
      }
    }
    return all;
  }

  /** Whether rows are put into classes of two columns, or summed over two of them. */
  boolean crossed() {
    return by.isPresent() || !crosses.isEmpty() || !correlated.isEmpty();
  }
}
