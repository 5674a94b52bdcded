package ngd.core.formula;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.core.InvalidInput;

/**
 * A formula over columns whose types are known: which expressions a table has to evaluate, and
 * which variables are factors. R calls the evaluated table a model frame.
 *
 * <p>The expressions to evaluate stand in a fixed order: those of the variables, the offsets, the
 * response, the weights, the times of a {@code Surv} response, the strata, what random terms have
 * besides, and their groups.
 */
public final class Frame {
  /** The factor that every formula may use: the site a row is at. */
  public static final String SITE = "site";

  private final Formula formula;
  private final List<Column> columns;
  private final Map<String, ColumnType> types;
  private final List<Term> terms;
  private final List<Variable> variables;
  private final List<Variable> strata;
  private final List<Variable> varying;
  private final int groupsAt;
  private final int responseAt;
  private final List<Expression> scanned;
  private final List<ColumnType> scannedTypes;
  private final boolean[] isText;

  private Frame(Formula formula, List<Column> columns) {
    this.formula = formula;
    this.columns = List.copyOf(columns);
    types = new LinkedHashMap<>();
    columns.forEach(column -> types.put(column.name(), column.type()));
    terms = formula.terms(List.copyOf(types.keySet()));
    SequencedSet<Variable> distinct = new LinkedHashSet<>();
    terms.forEach(term -> distinct.addAll(term.variables()));
    variables = List.copyOf(distinct);
    SequencedSet<Expression> asked = new LinkedHashSet<>();
    variables.stream()
        .filter(variable -> !isSite(variable))
        .forEach(v -> asked.add(v.expression()));
    List<Expression> all = new ArrayList<>(asked);
    all.addAll(formula.offsets());
    responseAt = all.size();
    all.add(formula.response());
    formula.weights().ifPresent(all::add);
    formula.survival().ifPresent(survival -> all.addAll(survival.times()));
    strata = formula.strata().stream().filter(variable -> !isSite(variable)).distinct().toList();
    strata.forEach(variable -> all.add(variable.expression()));
    varying =
        formula.random().stream()
            .flatMap(term -> term.effects().stream())
            .flatMap(term -> term.variables().stream())
            .filter(variable -> !distinct.contains(variable))
            .distinct()
            .toList();
    varying.stream().filter(v -> !isSite(v)).forEach(v -> all.add(v.expression()));
    groupsAt = all.size();
    formula.random().stream()
        .flatMap(term -> term.factors().stream())
        .filter(factor -> !isSite(factor))
        .map(Variable::expression)
        .distinct()
        .forEach(all::add);
    scanned = List.copyOf(all);
    scannedTypes = scanned.stream().map(expression -> expression.type(types)).toList();
    isText = new boolean[scanned.size()];
    for (int i = 0; i < isText.length; i++) {
      isText[i] = scannedTypes.get(i) == ColumnType.TEXT;
    }
    bases().forEach(this::requireNumeric);
    varying.stream().filter(variable -> variable.basis().isPresent()).forEach(Frame::refuseBasis);
    formula.random().forEach(this::requireNoFixed);
  }

  /** A fixed effect of every group leaves nothing to the variance between groups. */
  private void requireNoFixed(RandomTerm random) {
    Set<Expression> groups =
        random.factors().stream().map(Variable::expression).collect(Collectors.toSet());
    for (Term term : terms) {
      if (random.varyingLevel()
          && term.order() > 0
          && term.variables().stream().allMatch(this::isFactor)
          && groups.equals(
              term.variables().stream().map(Variable::expression).collect(Collectors.toSet()))) {
        throw new InvalidInput(
            "formula: %s must not be a fixed factor and the groups of %s at once, as nothing is left to vary; leave one out"
                .formatted(term, random.text()));
      }
    }
  }

  private static void refuseBasis(Variable variable) {
    throw new InvalidInput(
        "formula: `%s` in a random term must be among the fixed effects too, whose knots or centre it then has; it is not"
            .formatted(variable.text()));
  }

  private void requireNumeric(Variable basis) {
    ColumnType type = basis.expression().type(types);
    if (!type.isNumeric()) {
      throw new InvalidInput(
          "formula: in `%s`, %s must hold numbers; it holds %s"
              .formatted(basis.text(), basis.expression().text(), type.words()));
    }
  }

  /** The variables that are several functions of a number. */
  public List<Variable> bases() {
    return variables.stream().filter(variable -> variable.basis().isPresent()).toList();
  }

  /** The levels of a factor in their order, of those that some row has. */
  public List<String> sorted(Variable factor, Collection<String> seen) {
    return factor.levels().isEmpty()
        ? Levels.sorted(type(factor), seen)
        : factor.levels().stream().filter(seen::contains).toList();
  }

  /**
   * @param columns every column of the tables where the formula has a dot, else at least those it
   *     names
   */
  public static Frame of(Formula formula, List<Column> columns) {
    Frame frame = ofClasses(formula, columns);
    if (formula.classes().isPresent()) {
      return frame;
    }
    formula
        .factorResponse()
        .ifPresent(
            factor -> {
              throw new InvalidInput(
                  "formula: `%s` on the left of `~` works only with the families multinomial and ordered"
                      .formatted(factor.text()));
            });
    frame.requireNumber(formula.response(), "the response", "write `%s = 'a level'` instead");
    return frame;
  }

  /** The same where the response says which class a row is of, and may be text. */
  public static Frame ofClasses(Formula formula, List<Column> columns) {
    Frame frame = new Frame(formula, columns);
    if (frame.terms.isEmpty()) {
      throw new InvalidInput(
          "formula: must have at least one term or the intercept; `%s` has neither"
              .formatted(formula));
    }
    formula.offsets().forEach(offset -> frame.requireNumber(offset, "an offset", ""));
    formula.weights().ifPresent(weight -> frame.requireNumber(weight, "the weights", ""));
    formula
        .survival()
        .ifPresent(
            survival -> survival.times().forEach(time -> frame.requireNumber(time, "a time", "")));
    return frame;
  }

  private void requireNumber(Expression expression, String what, String advice) {
    if (expression.type(types) == ColumnType.TEXT) {
      throw new InvalidInput(
          "formula: %s must be a number or true and false; %s holds text%s"
              .formatted(
                  what,
                  expression.text(),
                  advice.isEmpty() ? "" : "; " + advice.formatted(expression.text())));
    }
  }

  public Formula formula() {
    return formula;
  }

  /** The columns this frame was made for. */
  public List<Column> columns() {
    return columns;
  }

  /** The terms by rising order, the intercept first, where it is. */
  public List<Term> terms() {
    return terms;
  }

  /** The variables of all terms, each once. */
  public List<Variable> variables() {
    return variables;
  }

  /** Whether a variable is the built-in factor; a column of that name takes its place. */
  public boolean isSite(Variable variable) {
    return variable.expression() instanceof Expression.Name name
        && name.column().equals(SITE)
        && !types.containsKey(SITE);
  }

  public boolean isFactor(Variable variable) {
    return variable.basis().isEmpty()
        && (isSite(variable)
            || variable.factor()
            || !variable.expression().type(types).isNumeric());
  }

  /**
   * Whether a factor is coded in a term by contrasts with its first level, as R decides it: where
   * the term without it is in the model. A lone factor counts as one of these, but for the first of
   * a model without intercept, which takes its place.
   *
   * @param among the terms of the model, or those of a random term
   */
  boolean hasContrasts(List<Term> among, Term term, Variable factor) {
    if (term.order() > 1 || among.contains(Term.INTERCEPT)) {
      return among.contains(term.without(factor));
    }
    return among.stream()
        .filter(other -> other.order() == 1 && isFactor(other.variables().getFirst()))
        .findFirst()
        .filter(first -> !first.equals(term))
        .isPresent();
  }

  /** What a variable's expression holds; text for the built-in factor. */
  public ColumnType type(Variable variable) {
    return isSite(variable) ? ColumnType.TEXT : variable.expression().type(types);
  }

  /** The factors whose levels only the tables know, the strata and the response's classes last. */
  public List<Variable> factors() {
    return Stream.of(
            Stream.concat(variables.stream(), varying.stream())
                .filter(v -> isFactor(v) && !isSite(v)),
            strata.stream(),
            formula.classes().stream().map(ResponseClasses::variable))
        .flatMap(all -> all)
        .distinct()
        .toList();
  }

  /** The variables that random terms alone have. */
  List<Variable> varying() {
    return varying;
  }

  /**
   * Where the groups of random terms begin among what is scanned: their levels stay at the site.
   */
  public int groupsAt() {
    return groupsAt;
  }

  /** Whether the groups of a random term are the sites. */
  public boolean groupedBySite(RandomTerm term) {
    return term.factors().stream().allMatch(this::isSite);
  }

  /** The group of a random term that a complete row is in, by its name within the site. */
  public String group(RandomTerm term, RowValues row) {
    return term.factors().stream()
        .filter(factor -> !isSite(factor))
        .map(factor -> level(factor, row))
        .collect(Collectors.joining(":"));
  }

  /** The variables of {@code strata(…)}, but for the built-in factor. */
  public List<Variable> strata() {
    return strata;
  }

  /**
   * Whether sites compare their own rows alone, so that they need no common times; survival curves
   * have these, of each site too.
   */
  public boolean stratifiedBySite() {
    return !formula.asksForCurves() && formula.strata().stream().anyMatch(this::isSite);
  }

  /** What a table has to evaluate. */
  public List<Expression> scanned() {
    return scanned;
  }

  /** What a table has to evaluate where no response is known: a prefix of {@link #scanned}. */
  public List<Expression> predictors() {
    return scanned.subList(0, responseAt());
  }

  /** What each scanned expression holds. */
  public List<ColumnType> scannedTypes() {
    return scannedTypes;
  }

  /** Where a variable's expression stands among those scanned. */
  public int at(Variable variable) {
    return scanned.indexOf(variable.expression());
  }

  /** Where the response stands among what is scanned; the offsets stand before it. */
  public int responseAt() {
    return responseAt;
  }

  /** Where the weights stand among what is scanned, where the formula has some. */
  public int weightsAt() {
    return responseAt + 1;
  }

  /** Whether a scanned expression is missing in a row. */
  public boolean isMissing(RowValues row, int expression) {
    return isText[expression] ? row.text(expression) == null : Double.isNaN(row.number(expression));
  }

  /**
   * Whether none of the first {@code expressions} scanned expressions is missing, or gaps are to be
   * imputed.
   */
  public boolean isComplete(RowValues row, int expressions) {
    if (formula.isImputed() || row.isWhole()) {
      return true;
    }
    for (int i = 0; i < expressions; i++) {
      if (isMissing(row, i)) {
        return false;
      }
    }
    return true;
  }

  public double response(RowValues row) {
    return row.number(responseAt());
  }

  /** What the response holds. */
  public ColumnType responseType() {
    return scannedTypes.get(responseAt());
  }

  /** The response as a class: the level it has in a complete row. */
  public String responseLevel(RowValues row) {
    return level(row, responseAt());
  }

  /** The level of a factor in a complete row. */
  public String level(Variable factor, RowValues row) {
    return level(row, at(factor));
  }

  /** The level that a scanned expression, which is not missing, has in a row. */
  public String levelAt(RowValues row, int expression) {
    return level(row, expression);
  }

  /**
   * The frame by which a site judges what is said of its rows: where gaps are imputed, what is
   * missing is a class of rows too.
   */
  public Frame judged() {
    return formula.isImputed()
        ? new Frame(formula.withGaps(scanned.stream().distinct().toList()), columns)
        : this;
  }

  private String level(RowValues row, int expression) {
    ColumnType type = scannedTypes.get(expression);
    return String.valueOf(
        type == ColumnType.TEXT
            ? row.text(expression)
            : Levels.of(type, row.number(expression), null));
  }

  /** The sum of the offsets. */
  public double offset(RowValues row) {
    double sum = 0;
    int first = responseAt - formula.offsets().size();
    for (int i = first; i < responseAt; i++) {
      sum += row.number(i);
    }
    return sum;
  }

  public double weight(RowValues row) {
    if (formula.weights().isEmpty()) {
      return 1;
    }
    double weight = row.number(weightsAt());
    if (!(weight >= 0)) {
      throw new InvalidInput(
          "formula: weights must not be negative, as each says how much its row counts; %s is %s in a"
                  .formatted(formula.weights().get().text(), weight)
              + " row");
    }
    return weight;
  }

  /** When a row of a {@code Surv} response begins to be at risk; −∞ where no start is given. */
  public double start(RowValues row) {
    return formula.survival().orElseThrow().start().isEmpty()
        ? Double.NEGATIVE_INFINITY
        : row.number(timesAt());
  }

  /** When a row of a {@code Surv} response ceases to be at risk. */
  public double stop(RowValues row) {
    return row.number(timesAt() + formula.survival().orElseThrow().times().size() - 1);
  }

  private int timesAt() {
    return responseAt + 1 + (formula.weights().isPresent() ? 1 : 0);
  }
}
