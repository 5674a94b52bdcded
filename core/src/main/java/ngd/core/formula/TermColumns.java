package ngd.core.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;

/**
 * The columns of the design matrix that belong to one term: every product of a column of each of
 * its variables, those of the first variable varying fastest.
 */
final class TermColumns {
  /** What a variable contributes to a term. */
  private sealed interface Part {
    /** Its columns. */
    int size();

    /** A number: the scanned expression. */
    record Plain(int at) implements Part {
      @Override
      public int size() {
        return 1;
      }
    }

    /** A factor: one column for each level but those skipped. */
    record Indicators(int factor, int skipped, int size) implements Part {}

    /** A factor by other contrasts, level by level. */
    record Coded(int factor, List<List<Double>> rows) implements Part {
      @Override
      public int size() {
        return rows.size() - 1;
      }
    }

    /** Functions of a number, by their place among the design's. */
    record Functions(int place, int size) implements Part {}
  }

  private final int first;
  private final List<String> names;
  private final List<Part> parts;

  /** Whether at most one column is not zero, which is then found without trying all. */
  private final boolean sparse;

  /** Of such a term, each part's factor, or −1 where it is a number. */
  private final int[] factor;

  /** Where each number stands, or how many levels of a factor are skipped. */
  private final int[] place;

  /** The columns of each part. */
  private final int[] sizes;

  private TermColumns(int first, List<String> names, List<Part> parts) {
    this.first = first;
    this.names = names;
    this.parts = parts;
    sparse = parts.stream().allMatch(p -> p instanceof Part.Plain || p instanceof Part.Indicators);
    factor = new int[parts.size()];
    place = new int[parts.size()];
    sizes = new int[parts.size()];
    for (int i = 0; i < sizes.length; i++) {
      factor[i] = parts.get(i) instanceof Part.Indicators one ? one.factor() : -1;
      place[i] =
          switch (parts.get(i)) {
            case Part.Plain number -> number.at();
            case Part.Indicators one -> one.skipped();
            case Part.Coded _, Part.Functions _ -> 0;
          };
      sizes[i] = parts.get(i).size();
    }
  }

  /**
   * @param among the terms of the model, or those of a random term
   * @param places of the factors and of the bases, each among its own
   */
  static TermColumns of(
      Frame frame,
      List<Term> among,
      Term term,
      Map<Variable, List<String>> levels,
      Map<Variable, Integer> places,
      int first) {
    List<String> names = List.of("");
    List<Part> parts = new ArrayList<>();
    for (Variable variable : term.variables()) {
      List<String> own = new ArrayList<>();
      if (variable.basis().isPresent()) {
        int columns = variable.basis().get().columns();
        parts.add(new Part.Functions(places.getOrDefault(variable, 0), columns));
        if (columns == 1 && variable.basis().get() instanceof BasisCall.Scaled) {
          own.add(variable.text());
        } else {
          for (int c = 1; c <= columns; c++) {
            own.add(variable.text() + (columns == 1 ? lone(variable) : c));
          }
        }
      } else if (frame.isFactor(variable)) {
        own.addAll(
            coded(
                variable,
                frame.hasContrasts(among, term, variable),
                levels.getOrDefault(variable, List.of()),
                places.getOrDefault(variable, 0),
                parts));
      } else {
        own.add(variable.text());
        parts.add(new Part.Plain(frame.at(variable)));
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
    return new TermColumns(first, names, parts);
  }

  /** R numbers the one column of a spline, and leaves that of a polynomial without a number. */
  private static String lone(Variable variable) {
    return variable.basis().orElseThrow() instanceof BasisCall.Polynomial ? "" : "1";
  }

  private static List<String> coded(
      Variable variable, boolean contrasts, List<String> all, int place, List<Part> parts) {
    if (contrasts && all.size() < 2) {
      throw new InvalidInput(
          "%s: must have at least two levels over all sites; all complete rows have `%s`"
              .formatted(variable.text(), String.join("", all)));
    }
    if (!contrasts || variable.contrasts() == Contrasts.LEVELS) {
      int skip = contrasts ? 1 : 0;
      parts.add(new Part.Indicators(place, skip, all.size() - skip));
      return all.stream().skip(skip).map(level -> variable.text() + level).toList();
    }
    List<List<Double>> rows = new ArrayList<>();
    for (int level = 0; level < all.size(); level++) {
      List<Double> row = new ArrayList<>();
      for (int column = 0; column < all.size() - 1; column++) {
        row.add(variable.contrasts().entry(level, column, all.size()));
      }
      rows.add(row);
    }
    parts.add(new Part.Coded(place, rows));
    return variable.contrasts().names(all).stream().map(n -> variable.text() + n).toList();
  }

  List<String> names() {
    return names;
  }

  /**
   * Writes this term's columns, which are zero so far.
   *
   * @param codes the level of each factor
   * @param functions the values of each basis
   */
  void expand(RowValues row, int[] codes, double[][] functions, double[] x) {
    if (sparse) {
      expandOne(row, codes, x);
      return;
    }
    x[first] = 1;
    int filled = 1;
    for (Part part : parts) {
      int size = part.size();
      // From the last block on, so that the first, which the others are made of, is changed last.
      for (int c = size - 1; c >= 0; c--) {
        double value = value(part, c, row, codes, functions);
        for (int i = 0; i < filled; i++) {
          x[first + c * filled + i] = x[first + i] * value;
        }
      }
      filled *= size;
    }
  }

  private static double value(
      Part part, int column, RowValues row, int[] codes, double[][] functions) {
    return switch (part) {
      case Part.Plain number -> row.number(number.at());
      case Part.Indicators one -> codes[one.factor()] - one.skipped() == column ? 1 : 0;
      case Part.Coded coded -> coded.rows().get(codes[coded.factor()]).get(column);
      case Part.Functions of -> functions[of.place()][column];
    };
  }

  private void expandOne(RowValues row, int[] codes, double[] x) {
    int column = 0;
    int stride = 1;
    double product = 1;
    for (int i = 0; i < sizes.length; i++) {
      if (factor[i] < 0) {
        product *= row.number(place[i]);
        continue;
      }
      int code = codes[factor[i]] - place[i];
      if (code < 0) {
        return;
      }
      column += code * stride;
      stride *= sizes[i];
    }
    x[first + column] = product;
  }
}
