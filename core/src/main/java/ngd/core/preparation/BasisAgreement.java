package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.Totals;
import ngd.core.formula.Basis;
import ngd.core.formula.BasisCall;
import ngd.core.formula.Variable;

/**
 * The numbers of {@code ns}, {@code bs}, {@code poly} and {@code scale} that a formula leaves to
 * the data, by totals alone: centres, scales and recurrences by sums, knots by counts of rows on
 * either side of agreed values.
 *
 * <p>Knots are quantiles. Each lies in an interval that is halved, from eight standard deviations
 * around the mean on, as long as it holds twice the fewest rows that a site's rules allow in a
 * class and is wider than a 64th of a standard deviation. So no count of fewer rows decides
 * anything, and no knot is a row's value.
 */
final class BasisAgreement {
  private static final int HALVINGS = 10;
  private static final int HALF_WIDTH_IN_DEVIATIONS = 8;

  /** The shares of rows beyond the boundary knots: R's would be the smallest and largest value. */
  private static final double BEYOND = 0.05;

  private final Sites sites;
  private final Totals totals;
  private final int fewest;

  BasisAgreement(Sites sites, Totals totals, int fewest) {
    this.sites = sites;
    this.totals = totals;
    this.fewest = fewest;
  }

  /**
   * The bases of all variables.
   *
   * @param values for each variable, of each table here its values in complete rows
   */
  Map<Variable, Basis> of(List<Variable> variables, List<List<double[]>> values) {
    Map<Variable, Basis> found = new LinkedHashMap<>();
    for (int v = 0; v < variables.size(); v++) {
      Variable variable = variables.get(v);
      List<double[]> own = values.get(v);
      BasisCall call = variable.basis().orElseThrow();
      Basis basis =
          switch (call) {
            case BasisCall.Spline spline -> spline(variable.text(), spline, own);
            case BasisCall.Polynomial polynomial -> polynomial(variable.text(), polynomial, own);
            case BasisCall.Scaled scaled -> scaled(variable.text(), scaled, own);
          };
      found.put(variable, basis);
    }
    return found;
  }

  /** Sums over all rows of all sites. */
  private double[] sums(List<double[]> values, DoubleUnaryOperator... terms) {
    return totals.total(
        sites.each(
            t -> {
              double[] sums = new double[terms.length];
              for (double x : values.get(t)) {
                for (int k = 0; k < terms.length; k++) {
                  sums[k] += terms[k].applyAsDouble(x);
                }
              }
              return sums;
            }));
  }

  private Basis scaled(String name, BasisCall.Scaled call, List<double[]> values) {
    if (call.given()) {
      return Basis.given(call, name);
    }
    double[] first = sums(values, x -> 1, x -> x);
    double centre = call.ofData() ? first[1] / first[0] : call.centre().orElse(0);
    double scale = call.scale().orElse(1);
    if (call.byData()) {
      scale = Math.sqrt(sums(values, x -> (x - centre) * (x - centre))[0] / (first[0] - 1));
      requireVaries(name, scale);
    }
    return new Basis.Standardised(centre, scale);
  }

  private static void requireVaries(String name, double deviation) {
    if (!(deviation > 0) || Double.isInfinite(deviation)) {
      throw new InvalidInput(
          "%s: must vary over the rows of all sites; its standard deviation is %s"
              .formatted(name, NumberText.text(deviation)));
    }
  }

  /** Monic polynomials p_j by p_j+1 = (x − α_j+1) p_j − (norm²_j / norm²_j−1) p_j−1. */
  private Basis polynomial(String name, BasisCall.Polynomial call, List<double[]> values) {
    if (call.given()) {
      return Basis.given(call, name);
    }
    double[] first = sums(values, x -> 1, x -> x);
    double mean = first[1] / first[0];
    List<Double> alpha = new ArrayList<>();
    List<Double> norms = new ArrayList<>(List.of(1.0));
    for (int j = 0; j <= call.degree(); j++) {
      List<Double> shifts = alpha.stream().map(a -> a - mean).toList();
      List<Double> known = List.copyOf(norms);
      DoubleUnaryOperator at = x -> monic(x - mean, shifts, known);
      double[] next =
          sums(
              values,
              x -> at.applyAsDouble(x) * at.applyAsDouble(x),
              x -> (x - mean) * at.applyAsDouble(x) * at.applyAsDouble(x),
              x -> {
                double grown = (x - mean) * at.applyAsDouble(x);
                return grown * grown;
              });
      boolean last = j == call.degree();
      norms.add(next[0]);
      if (!last) {
        alpha.add(mean + next[1] / next[0]);
        double rest = next[2] - next[1] * next[1] / next[0];
        if (j > 0) {
          rest -= next[0] * next[0] / norms.get(j);
        }
        if (!(rest > 1e-12 * next[2])) {
          throw new InvalidInput(
              "%s: the degree must be less than the number of different values, %d over all sites; it is %d"
                  .formatted(name, j + 1, call.degree()));
        }
      }
    }
    return new Basis.Powers(call.degree(), alpha, norms);
  }

  private static double monic(double x, List<Double> alpha, List<Double> norms) {
    double before = 0;
    double here = 1;
    for (int j = 0; j < alpha.size(); j++) {
      double ratio = j == 0 ? 0 : norms.get(j + 1) / norms.get(j);
      double next = (x - alpha.get(j)) * here - ratio * before;
      before = here;
      here = next;
    }
    return here;
  }

  private Basis spline(String name, BasisCall.Spline call, List<double[]> values) {
    double[] first = sums(values, x -> 1, x -> x);
    double n = first[0];
    List<Double> knots = call.knots();
    List<Double> boundary = call.boundary();
    double within = 0;
    if (!call.given()) {
      double mean = first[1] / n;
      double deviation = Math.sqrt(sums(values, x -> (x - mean) * (x - mean))[0] / n);
      requireVaries(name, deviation);
      Search search = new Search(values, n, mean, deviation);
      double below = Math.max(BEYOND * n, fewest);
      double above = below;
      if (!boundary.isEmpty()) {
        double low = boundary.getFirst();
        double high = boundary.getLast();
        double[] outside = sums(values, x -> x < low ? 1 : 0, x -> x > high ? 1 : 0);
        below = outside[0];
        above = outside[1];
      }
      List<Double> ranks = new ArrayList<>();
      if (boundary.isEmpty()) {
        ranks.add(below);
      }
      for (int i = 1; i <= call.toFind(); i++) {
        ranks.add(below + (n - below - above) * i / (call.toFind() + 1));
      }
      if (boundary.isEmpty()) {
        ranks.add(n - above);
      }
      requireRows(name, ranks, n);
      List<Double> found = search.at(ranks);
      if (boundary.isEmpty()) {
        boundary = List.of(found.getFirst(), found.getLast());
        found = found.subList(1, found.size() - 1);
      }
      knots = call.toFind() > 0 ? found : knots;
      within = search.within();
    }
    requireBetween(name, knots, values);
    requireRise(name, knots, boundary);
    Map<String, List<Double>> numbers = new LinkedHashMap<>();
    numbers.put("knots", knots);
    numbers.put("boundaryKnots", boundary);
    if (within > 0) {
      numbers.put("within", List.of(within));
    }
    return Basis.of(call, numbers);
  }

  private static String listed(List<Double> numbers) {
    return numbers.stream()
        .map(number -> NumberText.text(number, 6))
        .collect(Collectors.joining(", "));
  }

  /** Quantiles need enough rows on both sides, and between two of them. */
  private void requireRows(String name, List<Double> ranks, double n) {
    double before = 0;
    List<Double> all = new ArrayList<>(ranks);
    all.add(n);
    for (double rank : all) {
      if (rank - before < fewest) {
        throw new InvalidInput(
            "%s: asks for a finer grid than the rows allow: on either side of every knot, and between two of them, there must be at least %d rows of all sites; %s rows are too few"
                .formatted(name, fewest, NumberText.text(n, 9)));
      }
      before = rank;
    }
  }

  private static void requireRise(String name, List<Double> knots, List<Double> boundary) {
    double last = boundary.getFirst();
    for (double knot : knots) {
      if (!(knot > last && knot < boundary.getLast())) {
        throw new InvalidInput(
            "%s: its knots must rise between the boundary knots, %s; %s does not: ask for fewer, or give knots and Boundary.knots"
                .formatted(name, listed(boundary), NumberText.text(knot, 6)));
      }
      last = knot;
    }
    if (!(boundary.getFirst() < boundary.getLast())) {
      throw new InvalidInput(
          "%s: its boundary knots must differ; both are %s: give Boundary.knots"
              .formatted(name, NumberText.text(boundary.getFirst(), 6)));
    }
  }

  /** Counts between knots: a knot outside the data has none on one side. */
  private void requireBetween(String name, List<Double> knots, List<double[]> values) {
    if (knots.isEmpty()) {
      return;
    }
    DoubleUnaryOperator[] cells = new DoubleUnaryOperator[knots.size() + 1];
    for (int k = 0; k < cells.length; k++) {
      double low = k == 0 ? Double.NEGATIVE_INFINITY : knots.get(k - 1);
      double high = k == knots.size() ? Double.POSITIVE_INFINITY : knots.get(k);
      cells[k] = x -> x > low && x <= high ? 1 : 0;
    }
    double[] counts = sums(values, cells);
    for (int k = 0; k < counts.length; k++) {
      if (counts[k] < fewest) {
        throw new InvalidInput(
            "%s: on either side of every knot, and between two of them, there must be at least %d rows of all sites; %s are fewer"
                .formatted(
                    name,
                    fewest,
                    k == 0
                        ? "below " + NumberText.text(knots.getFirst(), 6)
                        : k == knots.size()
                            ? "above " + NumberText.text(knots.getLast(), 6)
                            : "between %s and %s"
                                .formatted(
                                    NumberText.text(knots.get(k - 1), 6),
                                    NumberText.text(knots.get(k), 6))));
      }
    }
  }

  /** Finds values by how many rows lie at or below them. */
  private final class Search {
    private final List<double[]> values;
    private final double n;
    private final double start;
    private final double width;
    private double within;

    Search(List<double[]> values, double n, double mean, double deviation) {
      this.values = values;
      this.n = n;
      start = mean - HALF_WIDTH_IN_DEVIATIONS * deviation;
      width = 2 * HALF_WIDTH_IN_DEVIATIONS * deviation;
    }

    /** How far a value may be from the true quantile. */
    double within() {
      return within;
    }

    List<Double> at(List<Double> ranks) {
      int count = ranks.size();
      double[] low = new double[count];
      double[] high = new double[count];
      double[] below = new double[count];
      double[] upTo = new double[count];
      Arrays.fill(low, start);
      Arrays.fill(high, start + width);
      Arrays.fill(upTo, n);
      for (int round = 0; round < HALVINGS; round++) {
        DoubleUnaryOperator[] asked = new DoubleUnaryOperator[count];
        double[] middle = new double[count];
        for (int i = 0; i < count; i++) {
          double at = 0.5 * (low[i] + high[i]);
          middle[i] = at;
          boolean wanted = upTo[i] - below[i] >= 2 * fewest;
          asked[i] = x -> wanted && x <= at ? 1 : 0;
        }
        double[] counts = sums(values, asked);
        for (int i = 0; i < count; i++) {
          if (upTo[i] - below[i] < 2 * fewest) {
            continue;
          }
          if (counts[i] < ranks.get(i)) {
            low[i] = middle[i];
            below[i] = counts[i];
          } else {
            high[i] = middle[i];
            upTo[i] = counts[i];
          }
        }
      }
      List<Double> found = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        double inside = upTo[i] - below[i];
        double share = inside > 0 ? Math.clamp((ranks.get(i) - below[i]) / inside, 0, 1) : 0.5;
        found.add(low[i] + share * (high[i] - low[i]));
        within = Math.max(within, high[i] - low[i]);
      }
      return found;
    }
  }
}
