package ngd.core.formula;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import ngd.core.InvalidInput;

/**
 * What is explained by what: {@code visits ~ age + factor(health) + log(income) + age:chronic}, in
 * R's notation.
 */
public final class Formula {
  private final String text;
  private final FormulaParser.Response response;
  private final TermSum sum;
  private final boolean dot;
  private final List<Expression> offsets;
  private final Optional<Expression> weights;
  private final Optional<Survival> survival;
  private final List<Variable> strata;
  private final List<RandomTerm> random;
  private final Map<String, Integer> places;
  private final Optional<ResponseClasses> classes;
  private final boolean imputed;

  Formula(
      String text,
      FormulaParser.Response response,
      TermSum sum,
      boolean dot,
      List<Expression> offsets,
      Optional<Expression> weights,
      Optional<Survival> survival,
      List<Variable> strata,
      List<RandomTerm> random,
      Map<String, Integer> places) {
    this(
        text,
        response,
        sum,
        dot,
        offsets,
        weights,
        survival,
        strata,
        random,
        places,
        Optional.empty(),
        false);
  }

  private Formula(
      String text,
      FormulaParser.Response response,
      TermSum sum,
      boolean dot,
      List<Expression> offsets,
      Optional<Expression> weights,
      Optional<Survival> survival,
      List<Variable> strata,
      List<RandomTerm> random,
      Map<String, Integer> places,
      Optional<ResponseClasses> classes,
      boolean imputed) {
    this.text = text;
    this.response = response;
    this.sum = sum;
    this.dot = dot;
    this.offsets = List.copyOf(offsets);
    this.weights = weights;
    this.survival = survival;
    this.strata = List.copyOf(strata);
    this.random = List.copyOf(random);
    this.places = Map.copyOf(places);
    this.classes = classes;
    this.imputed = imputed;
  }

  /** Reads a formula; an error shows a caret under its place. */
  public static Formula parse(String text) {
    return new FormulaParser(text).formula();
  }

  /** The formula of a response and the columns that explain it; all others where none is named. */
  public static Formula of(String response, List<String> features, boolean intercept) {
    List<String> terms = new ArrayList<>(features.stream().map(Formula::backquoted).toList());
    if (terms.isEmpty()) {
      terms.add(".");
    }
    if (!intercept) {
      terms.add("0");
    }
    return parse(backquoted(response) + " ~ " + String.join(" + ", terms));
  }

  private static String backquoted(String column) {
    return FormulaTokens.isPlainName(column) ? column : "`" + column.replace("`", "``") + "`";
  }

  /** The formula as it was given. */
  public String text() {
    return text;
  }

  /**
   * What is explained; of {@code cbind(successes, failures)} the share of successes, of {@code
   * Surv(…)} the event, true or false.
   */
  public Expression response() {
    return response.expression();
  }

  /** The response as the formula writes it. */
  public String responseText() {
    return survival.map(Survival::text).orElseGet(() -> countedText());
  }

  private String countedText() {
    return response
        .trials()
        .map(t -> "cbind(%s, %s)".formatted(t.successes().text(), t.failures().text()))
        .orElseGet(() -> response.factor().map(Variable::text).orElseGet(() -> response().text()));
  }

  /** Whether the response counts successes among trials, which only labels can be. */
  public boolean countsTrials() {
    return response.trials().isPresent();
  }

  /** The times of a {@code Surv(…)} response, where it is one. */
  public Optional<Survival> survival() {
    return survival;
  }

  /**
   * Whether it asks for survival curves: a {@code Surv(…)} response by {@code strata(…)} alone, or
   * by nothing.
   */
  public boolean asksForCurves() {
    return survival.isPresent()
        && !dot
        && terms(List.of()).stream().allMatch(Term.INTERCEPT::equals);
  }

  /** What {@code strata(…)} names: rows are compared only with those alike in all of it. */
  public List<Variable> strata() {
    return strata;
  }

  /** Whether {@code strata(…)} names {@code site}, be it the site of a row or a column. */
  public boolean stratifiedBySite() {
    return strata.stream()
        .anyMatch(
            stratum ->
                stratum.expression() instanceof Expression.Name name
                    && name.column().equals(Frame.SITE));
  }

  /** Effects that groups of rows have of their own: {@code (1 + x | ward)}. */
  public List<RandomTerm> random() {
    return random;
  }

  /** The same without effects of groups, which are unknown of rows that are yet to come. */
  public Formula withoutRandom() {
    return new Formula(
        text, response, sum, dot, offsets, weights, survival, strata, List.of(), places, classes,
        imputed);
  }

  /**
   * The same where the response says which class a row is of.
   *
   * @param order of the classes, where it is stated; else the values have one
   * @param ordered whether one class is less than the next, so that the order matters
   */
  public Formula ofClasses(List<String> order, boolean ordered) {
    Variable written =
        response
            .factor()
            .orElseGet(
                () ->
                    Variable.factor(
                        response(), true, Optional.empty(), Optional.of(response().text())));
    return new Formula(
        text,
        response,
        sum,
        dot,
        offsets,
        weights,
        survival,
        strata,
        random,
        places,
        Optional.of(new ResponseClasses(written.ofLevels(order), ordered)),
        imputed);
  }

  /**
   * The same with the terms, offsets and response of another formula beside its own, the response
   * as a term: what is read and judged where two models are fitted to the same rows.
   */
  public Formula with(Formula other) {
    List<Expression> both = new ArrayList<>(offsets);
    both.addAll(other.offsets);
    String joined = text + "; ";
    Map<String, Integer> all = new HashMap<>(places);
    other.places.forEach((column, at) -> all.putIfAbsent(column, joined.length() + at));
    return new Formula(
        joined + other.text,
        response,
        new TermSum.Plus(
            new TermSum.Plus(sum, other.sum),
            new TermSum.One(Term.of(Variable.of(other.response())))),
        dot || other.dot,
        both,
        weights,
        survival,
        strata,
        random,
        all,
        classes,
        imputed);
  }

  /** The same, where rows with gaps count too, since these are to be imputed. */
  public Formula imputed() {
    return new Formula(
        text, response, sum, dot, offsets, weights, survival, strata, random, places, classes,
        true);
  }

  /** Whether rows with gaps count too. */
  public boolean isImputed() {
    return imputed;
  }

  /** The same with terms that say of each of these expressions whether it is missing. */
  Formula withGaps(List<Expression> expressions) {
    TermSum both = sum;
    for (Expression expression : expressions) {
      both =
          new TermSum.Plus(
              both,
              new TermSum.One(
                  Term.of(Variable.of(new Expression.Call(Function.IS_NA, List.of(expression))))));
    }
    return new Formula(
        text, response, both, dot, offsets, weights, survival, strata, random, places, classes,
        imputed);
  }

  /** The classes that the response says, where it is one of a few and no number. */
  public Optional<ResponseClasses> classes() {
    return classes;
  }

  /** The response that is written as a factor, where it is. */
  Optional<Variable> factorResponse() {
    return response.factor();
  }

  /** Whether {@code .} stands in it, so that all columns of the tables matter. */
  public boolean takesAllOthers() {
    return dot;
  }

  /** What is added to the linear predictor with coefficient 1, one after another. */
  public List<Expression> offsets() {
    return offsets;
  }

  /** How often each row counts, where the formula says it. */
  public Optional<Expression> weights() {
    return weights;
  }

  /** The columns it names, in the order of their appearance, without those that a dot adds. */
  public SequencedSet<String> columns() {
    SequencedSet<String> named = new LinkedHashSet<>();
    places.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(place -> named.add(place.getKey()));
    return named;
  }

  /**
   * The terms by rising order, the intercept first, where it is.
   *
   * @param columns every column of the tables, from which a dot takes those that response, offsets
   *     and weights do not read
   */
  public List<Term> terms(List<String> columns) {
    SequencedSet<String> taken = new LinkedHashSet<>(response().columns());
    offsets.forEach(offset -> taken.addAll(offset.columns()));
    weights.ifPresent(weight -> taken.addAll(weight.columns()));
    survival.ifPresent(times -> times.times().forEach(time -> taken.addAll(time.columns())));
    strata.forEach(stratum -> taken.addAll(stratum.expression().columns()));
    random.forEach(
        term -> term.factors().forEach(factor -> taken.addAll(factor.expression().columns())));
    SequencedSet<Term> others = new LinkedHashSet<>();
    for (String column : dot ? columns : List.<String>of()) {
      if (!taken.contains(column)) {
        others.add(Term.of(Variable.of(new Expression.Name(column))));
      }
    }
    SequencedSet<Term> all = sum.terms(others);
    if (survival.isPresent() || classes.filter(ResponseClasses::ordered).isPresent()) {
      // No intercept can be told from a baseline or thresholds; factors are coded as beside one.
      all.add(Term.INTERCEPT);
    }
    return sorted(all);
  }

  /** By rising order, those of one order as they stand. */
  static List<Term> sorted(SequencedSet<Term> terms) {
    return terms.stream().sorted(Comparator.comparingInt(Term::order)).toList();
  }

  /** A refusal that has to do with a column, with a caret under its first place. */
  public InvalidInput refusal(String column, String message) {
    Integer at = places.get(column);
    return at == null
        ? new InvalidInput("formula: " + message)
        : FormulaTokens.refusal(text, at, message);
  }

  @Override
  public String toString() {
    return text;
  }
}
