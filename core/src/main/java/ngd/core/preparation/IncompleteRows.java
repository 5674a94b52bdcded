package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Design;
import ngd.core.formula.Expression;
import ngd.core.formula.Frame;
import ngd.core.formula.RowValues;
import ngd.core.formula.Variable;
import org.jspecify.annotations.Nullable;

/**
 * All that a formula reads of one site's rows, gaps included: every expression that its terms and
 * response are made of is a variable, so that what is imputed of {@code log(income)} is the
 * logarithm.
 */
public final class IncompleteRows {
  /** What a variable holds. */
  public enum Kind {
    /** Numbers, dates and times among them. */
    NUMBER,
    /** One of several levels, by its number. */
    LEVEL,
    /** What must be there: offsets, weights, dates and times. */
    GIVEN
  }

  /**
   * One variable.
   *
   * @param expression nothing for the built-in factor of the sites
   * @param predicts whether it stands in the models of the other variables
   * @param levels in order, of a factor
   */
  public record OfFrame(
      String name,
      Optional<Expression> expression,
      Kind kind,
      boolean predicts,
      List<String> levels) {
    public OfFrame {
      levels = List.copyOf(levels);
    }
  }

  private final int site;
  private final List<OfFrame> variables;
  private final double[][] values;
  private final BitSet[] missing;

  private IncompleteRows(int site, List<OfFrame> variables, double[][] values, BitSet[] missing) {
    this.site = site;
    this.variables = List.copyOf(variables);
    this.values = values;
    this.missing = missing;
  }

  /**
   * Reads a table.
   *
   * @param design with the levels that all sites agreed on
   * @param site the number of the table's site
   * @param count how many rows it has
   */
  static IncompleteRows of(Design design, SiteTable table, int site, int count) {
    Frame frame = design.frame();
    List<OfFrame> variables = variables(design);
    double[][] values = new double[variables.size()][count];
    BitSet[] missing = new BitSet[values.length];
    Arrays.setAll(missing, _ -> new BitSet());
    List<Map<String, Integer>> codes = variables.stream().map(IncompleteRows::codes).toList();
    int[] next = new int[1];
    table.scan(
        frame.scanned(),
        row -> {
          int at = next[0]++;
          if (at >= count) {
            return;
          }
          for (int v = 0; v < values.length; v++) {
            Optional<Expression> expression = variables.get(v).expression();
            if (expression.isEmpty()) {
              values[v][at] = site;
              continue;
            }
            int place = frame.scanned().indexOf(expression.get());
            if (frame.isMissing(row, place)) {
              missing[v].set(at);
            } else {
              values[v][at] =
                  variables.get(v).kind() == Kind.LEVEL
                      ? codes.get(v).get(frame.levelAt(row, place))
                      : row.number(place);
            }
          }
        });
    if (next[0] != count) {
      throw new InvalidInput(
          "site %s: must not change while it is read; %s had %d rows at first and then %d"
              .formatted(table.site(), table.source(), count, next[0]));
    }
    return new IncompleteRows(site, variables, values, missing);
  }

  private static Map<String, Integer> codes(OfFrame variable) {
    Map<String, Integer> codes = new HashMap<>();
    variable.levels().forEach(level -> codes.put(level, codes.size()));
    return codes;
  }

  /** The variables of a frame: distinct expressions in the order in which they are scanned. */
  private static List<OfFrame> variables(Design design) {
    Frame frame = design.frame();
    List<OfFrame> found = new ArrayList<>();
    int ofOffsets = frame.responseAt() - frame.formula().offsets().size();
    for (Expression expression : frame.scanned().stream().distinct().toList()) {
      int at = frame.scanned().indexOf(expression);
      List<Variable> uses =
          frame.variables().stream().filter(v -> v.expression().equals(expression)).toList();
      Optional<Variable> factor = uses.stream().filter(frame::isFactor).findFirst();
      boolean response = at == frame.responseAt();
      if (factor.isPresent() && uses.stream().anyMatch(v -> !frame.isFactor(v))) {
        throw new InvalidInput(
            "impute: `%s` must be a number or a factor in the formula; it is both"
                .formatted(expression.text()));
      }
      boolean extra = at >= ofOffsets && !response && uses.isEmpty();
      boolean moment = frame.scannedTypes().get(at).isMoment();
      found.add(
          new OfFrame(
              expression.text(),
              Optional.of(expression),
              factor.isPresent() && !moment
                  ? Kind.LEVEL
                  : extra || moment ? Kind.GIVEN : Kind.NUMBER,
              !extra && !(factor.isPresent() && moment),
              factor.map(design::levels).orElse(List.of())));
    }
    frame.variables().stream()
        .filter(frame::isSite)
        .findFirst()
        .ifPresent(
            of ->
                found.add(
                    new OfFrame(
                        Frame.SITE, Optional.empty(), Kind.LEVEL, true, design.levels(of))));
    return found;
  }

  public List<OfFrame> variables() {
    return variables;
  }

  public int rows() {
    return values[0].length;
  }

  /** Whether a variable is missing in a row. */
  public boolean isMissing(int variable, int row) {
    return missing[variable].get(row);
  }

  /** In how many rows a variable is missing. */
  public int missing(int variable) {
    return missing[variable].cardinality();
  }

  /** A copy of a variable's values, levels by their numbers; 0 where they are missing. */
  public double[] values(int variable) {
    return values[variable].clone();
  }

  /** Something in the place of what is missing: 0, or the first level. */
  double[][] standIns() {
    return values;
  }

  /**
   * The rows of a design over the same columns, the gaps filled.
   *
   * @param own the rows of each client here
   * @param filled for each of them, each variable's values
   */
  public static Shards shards(Design design, List<IncompleteRows> own, List<double[][]> filled) {
    Shards.Filler filler =
        Shards.sized(
            design.columns().size(), own.stream().mapToInt(IncompleteRows::rows).toArray());
    double[] x = new double[design.columns().size()];
    for (int m = 0; m < own.size(); m++) {
      Filled row = new Filled(design.frame(), own.get(m).variables, filled.get(m));
      for (int i = 0; i < own.get(m).rows(); i++) {
        row.at = i;
        design.expand(row, own.get(m).site, x);
        filler.put(
            m, i, x, design.response(row), design.frame().offset(row), design.frame().weight(row));
      }
    }
    return filler.done();
  }

  /** The values of one row, as a table would say them. */
  private static final class Filled implements RowValues {
    private final Frame frame;
    private final List<OfFrame> variables;
    private final int[] places;
    private final double[][] values;
    private int at;

    Filled(Frame frame, List<OfFrame> variables, double[][] values) {
      this.frame = frame;
      this.variables = variables;
      this.values = values;
      List<Optional<Expression>> known = variables.stream().map(OfFrame::expression).toList();
      places = frame.scanned().stream().mapToInt(one -> known.indexOf(Optional.of(one))).toArray();
    }

    @Override
    public double number(int expression) {
      OfFrame variable = variables.get(places[expression]);
      double value = values[places[expression]][at];
      if (variable.kind() != Kind.LEVEL) {
        return value;
      }
      String level = variable.levels().get((int) value);
      return frame.scannedTypes().get(expression) == ColumnType.BOOLEAN
          ? (level.equals("TRUE") ? 1 : 0)
          : Double.parseDouble(level);
    }

    @Override
    public @Nullable String text(int expression) {
      OfFrame variable = variables.get(places[expression]);
      return variable.levels().get((int) values[places[expression]][at]);
    }
  }
}
