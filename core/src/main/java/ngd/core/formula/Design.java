package ngd.core.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * The design matrix in the making: a frame and the levels of its factors, the same at every site,
 * say which coefficients there are and how a row of values becomes a row of numbers.
 *
 * <p>Factors are coded as R codes them: by contrasts, with the first level unless the formula says
 * otherwise, where the term without the factor is in the model, else by an indicator for every
 * level ({@link Frame#hasContrasts}). Within an interaction the first variable's levels vary
 * fastest.
 */
public final class Design {
  /** The name of the coefficient that is there in every row. */
  public static final String INTERCEPT = "(Intercept)";

  private static final double[][] NO_FUNCTIONS = {};

  private final Frame frame;
  private final Map<Variable, List<String>> levels = new HashMap<>();
  private final List<String> columns = new ArrayList<>();
  private final Optional<FactorCodes> classes;
  private final List<TermColumns> terms = new ArrayList<>();
  private final List<Term> expanded = new ArrayList<>();
  private final List<FactorCodes> factors = new ArrayList<>();
  private final List<Variable> stratified;
  private final List<FactorCodes> strata = new ArrayList<>();
  private final List<Varying> random = new ArrayList<>();
  private final Map<Variable, Basis> bases = new LinkedHashMap<>();

  private Design(
      Frame frame,
      Map<Variable, List<String>> agreed,
      Map<Variable, Basis> agreedBases,
      List<String> sites) {
    this.frame = frame;
    Map<Variable, Integer> places = new HashMap<>();
    List<Variable> all = new ArrayList<>(frame.variables());
    all.addAll(frame.varying());
    for (Variable variable : all) {
      if (variable.basis().isPresent()) {
        places.put(variable, bases.size());
        Basis known = agreedBases.get(variable);
        bases.put(
            variable, known == null ? Basis.given(variable.basis().get(), variable.text()) : known);
      }
      if (frame.isFactor(variable)) {
        List<String> own = frame.isSite(variable) ? sites : agreed.get(variable);
        if (own == null) {
          throw new IllegalArgumentException(variable.text() + ": its levels must be given");
        }
        levels.put(variable, referenceFirst(variable, own));
        places.put(variable, factors.size());
        factors.add(new FactorCodes(frame, variable, levels.get(variable)).withSites(sites));
      }
    }
    // Sites that each compare their own rows need no numbers; sites that have curves each do.
    stratified =
        frame.formula().asksForCurves()
            ? frame.formula().strata().stream().distinct().toList()
            : frame.strata();
    for (Variable stratum : stratified) {
      List<String> own = frame.isSite(stratum) ? sites : agreed.get(stratum);
      if (own == null) {
        throw new IllegalArgumentException(stratum.text() + ": its levels must be given");
      }
      strata.add(new FactorCodes(frame, stratum, own).withSites(sites));
      levels.putIfAbsent(stratum, List.copyOf(own));
    }
    classes = frame.formula().classes().map(response -> classes(response.variable(), agreed));
    boolean baseline = frame.formula().survival().isPresent();
    for (Term term : frame.terms()) {
      if (baseline && term.equals(Term.INTERCEPT)) {
        continue;
      }
      TermColumns own = TermColumns.of(frame, frame.terms(), term, levels, places, columns.size());
      expanded.add(term);
      terms.add(own);
      columns.addAll(own.names());
    }
    for (RandomTerm term : frame.formula().random()) {
      random.add(Varying.of(frame, term, levels, places));
    }
  }

  private FactorCodes classes(Variable response, Map<Variable, List<String>> agreed) {
    List<String> own = agreed.get(response);
    if (own == null) {
      throw new IllegalArgumentException(response.text() + ": its levels must be given");
    }
    levels.put(response, referenceFirst(response, own));
    return new FactorCodes(frame, response, levels.get(response));
  }

  /** The columns of one random term. */
  private record Varying(RandomTerm term, List<String> names, List<TermColumns> columns) {
    static Varying of(
        Frame frame,
        RandomTerm term,
        Map<Variable, List<String>> levels,
        Map<Variable, Integer> places) {
      List<String> names = new ArrayList<>();
      List<TermColumns> columns = new ArrayList<>();
      for (Term effect : term.effects()) {
        TermColumns own =
            TermColumns.of(frame, term.effects(), effect, levels, places, names.size());
        columns.add(own);
        names.addAll(own.names());
      }
      return new Varying(term, List.copyOf(names), columns);
    }
  }

  /**
   * @param levels of every {@linkplain Frame#factors() factor}, in order
   * @param bases of every {@linkplain Frame#bases() variable that is several functions of a
   *     number}; those whose call says it all may be left out
   * @param sites the names of the sites in order, the levels of the built-in factor
   */
  public static Design of(
      Frame frame,
      Map<Variable, List<String>> levels,
      Map<Variable, Basis> bases,
      List<String> sites) {
    return new Design(frame, levels, bases, sites);
  }

  private static List<String> referenceFirst(Variable variable, List<String> levels) {
    if (variable.reference().isEmpty()) {
      return List.copyOf(levels);
    }
    String reference = variable.reference().get();
    if (!levels.contains(reference)) {
      throw new InvalidInput(
          "formula: the reference of %s must be one of its levels, %s; got `%s`%s"
              .formatted(
                  variable.text(),
                  String.join(", ", levels),
                  reference,
                  NearestName.hint(reference, levels)));
    }
    List<String> reordered = new ArrayList<>(levels);
    reordered.remove(reference);
    reordered.addFirst(reference);
    return List.copyOf(reordered);
  }

  public Frame frame() {
    return frame;
  }

  /** The levels of a factor, the reference first. */
  public List<String> levels(Variable factor) {
    return List.copyOf(levels.getOrDefault(factor, List.of()));
  }

  /** The functions of numbers with their knots, centres and the like. */
  public Map<Variable, Basis> bases() {
    return Collections.unmodifiableMap(bases);
  }

  /** The names of the columns of the design matrix, as R writes them, in order. */
  public List<String> columns() {
    return List.copyOf(columns);
  }

  /**
   * The names of the coefficients, as R writes them, in order: one for each column, unless the
   * response says classes, which have some each.
   */
  public List<String> coefficients() {
    return frame
        .formula()
        .classes()
        .map(response -> response.coefficients(levels(response.variable()), columns))
        .orElseGet(() -> List.copyOf(columns));
  }

  /** For each coefficient, the term it belongs to. */
  public List<Term> termOfEach() {
    return frame
        .formula()
        .classes()
        .map(response -> response.ofEach(levels(response.variable()), termOfColumn()))
        .orElseGet(this::termOfColumn);
  }

  /** The classes that the response says, in order; none where it is a number. */
  public List<String> classes() {
    return frame
        .formula()
        .classes()
        .map(response -> levels(response.variable()))
        .orElseGet(List::of);
  }

  /** The response of a complete row; of a class, its number. */
  public double response(RowValues row) {
    return classes.isPresent() ? classes.get().code(row, 0) : frame.response(row);
  }

  private List<Term> termOfColumn() {
    List<Term> each = new ArrayList<>();
    for (int t = 0; t < terms.size(); t++) {
      Term term = expanded.get(t);
      terms.get(t).names().forEach(_ -> each.add(term));
    }
    return each;
  }

  /**
   * Turns a complete row of values into a row of the design matrix.
   *
   * @param site the number of the site that the row is at
   */
  public void expand(RowValues row, int site, double[] x) {
    Arrays.fill(x, 0);
    expand(row, site, terms, x);
  }

  /** The names of the effects of a random term, in order, as R writes them. */
  public List<String> effects(int randomTerm) {
    return random.get(randomTerm).names();
  }

  /** What the random terms say of a complete row. */
  public RandomRow random(RowValues row, int site) {
    String[] groups = new String[random.size()];
    double[][] numbers = new double[random.size()][];
    for (int k = 0; k < groups.length; k++) {
      groups[k] = frame.group(random.get(k).term(), row);
      numbers[k] = new double[random.get(k).names().size()];
      expand(row, site, random.get(k).columns(), numbers[k]);
    }
    return new RandomRow(groups, numbers);
  }

  private void expand(RowValues row, int site, List<TermColumns> columns, double[] x) {
    int[] codes = new int[factors.size()];
    for (int f = 0; f < codes.length; f++) {
      codes[f] = factors.get(f).code(row, site);
    }
    double[][] functions = bases.isEmpty() ? NO_FUNCTIONS : functions(row);
    for (int t = 0; t < columns.size(); t++) {
      columns.get(t).expand(row, codes, functions, x);
    }
  }

  /** The values of every basis in a row. */
  private double[][] functions(RowValues row) {
    double[][] functions = new double[bases.size()][];
    int place = 0;
    for (Map.Entry<Variable, Basis> basis : bases.entrySet()) {
      double[] values = new double[basis.getValue().columns()];
      basis.getValue().at(row.number(frame.at(basis.getKey())), values);
      functions[place++] = values;
    }
    return functions;
  }

  /**
   * The names of the strata within a site, in the order of their numbers: every combination of the
   * levels of {@code strata(…)}, the last varying fastest. Of survival curves the sites are levels
   * too, where the formula names them.
   */
  public List<String> strata() {
    List<String> names = List.of("");
    for (Variable variable : stratified) {
      List<String> longer = new ArrayList<>();
      for (String name : names) {
        for (String level : levels(variable)) {
          longer.add(
              (name.isEmpty() ? "" : name + ", ") + variable.expression().text() + "=" + level);
        }
      }
      names = longer;
    }
    return names;
  }

  /**
   * The number of the stratum that a complete row is in, within its site.
   *
   * @param site the number of the site that the row is at
   */
  public int stratum(RowValues row, int site) {
    int number = 0;
    for (int s = 0; s < strata.size(); s++) {
      number = number * levels(stratified.get(s)).size() + strata.get(s).code(row, site);
    }
    return number;
  }
}
