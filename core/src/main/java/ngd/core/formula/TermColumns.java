package ngd.core.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;

/** The columns of the design matrix that belong to one term. */
final class TermColumns {
  private final int first;
  private final List<String> names;

  /** The scanned expressions that are multiplied. */
  private final int[] numbers;

  /** The factors by their place among the design's, whether contrasts, and their columns. */
  private final int[] factors;

  private final int[] skipped;
  private final int[] sizes;

  private TermColumns(
      int first, List<String> names, int[] numbers, int[] factors, int[] skipped, int[] sizes) {
    this.first = first;
    this.names = names;
    this.numbers = numbers;
    this.factors = factors;
    this.skipped = skipped;
    this.sizes = sizes;
  }

  static TermColumns of(
      Frame frame,
      Term term,
      Map<Variable, List<String>> levels,
      Map<Variable, Integer> places,
      int first) {
    List<String> names = List.of("");
    List<Integer> numbers = new ArrayList<>();
    List<Integer> factors = new ArrayList<>();
    List<Integer> skipped = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (Variable variable : term.variables()) {
      List<String> own = List.of(variable.text());
      if (places.containsKey(variable)) {
        boolean contrasts = frame.hasContrasts(term, variable);
        List<String> all = levels.getOrDefault(variable, List.of());
        if (contrasts && all.size() < 2) {
          throw new InvalidInput(
              "%s: must have at least two levels over all sites; all complete rows have `%s`"
                  .formatted(variable.text(), String.join("", all)));
        }
        int skip = contrasts ? 1 : 0;
        own = all.stream().skip(skip).map(level -> variable.text() + level).toList();
        factors.add(places.get(variable));
        skipped.add(skip);
        sizes.add(own.size());
      } else {
        numbers.add(frame.at(variable));
      }
      List<String> shorter = names;
      names =
          own.stream()
              .flatMap(last -> shorter.stream().map(n -> n.isEmpty() ? last : n + ":" + last))
              .toList();
    }
    if (term.variables().isEmpty()) {
      names = List.of(Design.INTERCEPT);
    }
    return new TermColumns(first, names, ints(numbers), ints(factors), ints(skipped), ints(sizes));
  }

  private static int[] ints(List<Integer> values) {
    return IntStream.range(0, values.size()).map(values::get).toArray();
  }

  List<String> names() {
    return names;
  }

  void expand(RowValues row, int[] codes, double[] x) {
    int column = 0;
    int stride = 1;
    for (int f = 0; f < factors.length; f++) {
      int code = codes[factors[f]] - skipped[f];
      if (code < 0) {
        return;
      }
      column += code * stride;
      stride *= sizes[f];
    }
    double product = 1;
    for (int number : numbers) {
      product *= row.number(number);
    }
    x[first + column] = product;
  }
}
