package ngd.core.formula;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;

/**
 * A response that says which of several classes a row is of.
 *
 * @param variable the response as a factor: its levels are the classes
 * @param ordered whether one class is less than the next
 */
public record ResponseClasses(Variable variable, boolean ordered) {
  public ResponseClasses {
    if (ordered && variable.reference().isPresent()) {
      throw new InvalidInput(
          "formula: `%s` has no reference level where its levels are in order; state the order (--order), not a reference"
              .formatted(variable.text()));
    }
  }

  /** Stands between a class and a column in a coefficient's name, and between two classes. */
  public static final String OF = ":";

  private static final String BELOW = "|";

  /**
   * The names of the coefficients, in the order in which an answer has them: for each class but the
   * first those of all columns; or, of ordered classes, those of all columns but the intercept and
   * then the thresholds between neighbours.
   *
   * @param levels the classes, in order
   */
  List<String> coefficients(List<String> levels, List<String> columns) {
    return coefficients(ordered, levels, columns);
  }

  /** The same of classes that are in order, or not. */
  public static List<String> coefficients(
      boolean ordered, List<String> levels, List<String> columns) {
    List<String> names = new ArrayList<>();
    if (!ordered) {
      levels.stream()
          .skip(1)
          .forEach(level -> columns.forEach(column -> names.add(level + OF + column)));
      return names;
    }
    columns.stream().skip(1).forEach(names::add);
    for (int k = 1; k < levels.size(); k++) {
      names.add(levels.get(k - 1) + BELOW + levels.get(k));
    }
    return names;
  }

  /** What belongs to each coefficient, from what belongs to each column, in the same order. */
  <T> List<T> ofEach(List<String> levels, List<T> ofColumns) {
    List<T> each = new ArrayList<>();
    if (!ordered) {
      levels.stream().skip(1).forEach(_ -> each.addAll(ofColumns));
      return each;
    }
    each.addAll(ofColumns.subList(1, ofColumns.size()));
    levels.stream().skip(1).forEach(_ -> each.add(ofColumns.getFirst()));
    return each;
  }
}
