package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import ngd.core.NumberText;
import ngd.core.data.RandomFeatures;
import ngd.core.data.Table;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Design;
import ngd.core.formula.Formula;
import ngd.core.formula.ResponseClasses;
import ngd.core.formula.Term;
import ngd.core.formula.Variable;
import ngd.core.run.JsonObject;

/**
 * The model in words, as other tools and {@code ngd predict} read it.
 *
 * @param terms the coefficients' names, in order
 * @param termOfEach for each coefficient, the term of the formula that it belongs to
 * @param columns the columns of the tables that it was fitted to
 * @param levels each factor's levels, the reference first, by the factor's text
 * @param bases the knots, centres and the like of functions of numbers, by the variable's text
 * @param random the random features that stand in the place of the formula's, where they do
 * @param seed what these were drawn from
 */
public record ModelDescription(
    String response,
    List<String> terms,
    List<String> termOfEach,
    String formula,
    List<Column> columns,
    Map<String, List<String>> levels,
    Map<String, Map<String, List<Double>>> bases,
    Optional<RandomFeatures> random,
    long seed) {

  /** That of a formula's rows. */
  public static ModelDescription of(Design design) {
    Map<String, List<String>> levels = new LinkedHashMap<>();
    for (Variable factor : design.frame().variables()) {
      if (design.frame().isFactor(factor)) {
        levels.put(factor.text(), design.levels(factor));
      }
    }
    design
        .frame()
        .strata()
        .forEach(stratum -> levels.putIfAbsent(stratum.text(), design.levels(stratum)));
    design
        .frame()
        .formula()
        .classes()
        .map(ResponseClasses::variable)
        .ifPresent(response -> levels.putIfAbsent(response.text(), design.levels(response)));
    Map<String, Map<String, List<Double>>> bases = new LinkedHashMap<>();
    design.bases().forEach((variable, basis) -> bases.put(variable.text(), basis.numbers()));
    Formula formula = design.frame().formula();
    return new ModelDescription(
        formula.responseText(),
        design.coefficients(),
        design.termOfEach().stream().map(Term::toString).toList(),
        formula.text(),
        design.frame().columns(),
        levels,
        bases,
        Optional.empty(),
        0);
  }

  /**
   * That of a table of numbers.
   *
   * @param columns the features as they were read, an intercept among them where there is one
   * @param terms the coefficients: the same, or random features of them
   */
  public static ModelDescription of(
      String response,
      List<String> columns,
      List<String> terms,
      Optional<RandomFeatures> random,
      long seed) {
    boolean intercept = columns.contains(Table.INTERCEPT);
    List<String> features = columns.stream().filter(name -> !name.equals(Table.INTERCEPT)).toList();
    List<Column> typed = new ArrayList<>(List.of(new Column(response, ColumnType.NUMBER)));
    features.forEach(name -> typed.add(new Column(name, ColumnType.NUMBER)));
    return new ModelDescription(
        response,
        terms,
        terms,
        Formula.of(response, features, intercept).text(),
        typed,
        Map.of(),
        Map.of(),
        random,
        seed);
  }

  /** That of simulated events in time, which clients compare among their own rows. */
  public static ModelDescription ofTimes(
      List<String> features, List<String> terms, Optional<RandomFeatures> random, long seed) {
    Formula formula =
        Formula.parse(
            "Surv(time, event) ~ %s + strata(site)".formatted(String.join(" + ", features)));
    List<Column> typed = new ArrayList<>();
    typed.add(new Column("time", ColumnType.NUMBER));
    typed.add(new Column("event", ColumnType.NUMBER));
    features.forEach(name -> typed.add(new Column(name, ColumnType.NUMBER)));
    return new ModelDescription(
        formula.responseText(),
        terms,
        terms,
        formula.text(),
        typed,
        Map.of(),
        Map.of(),
        random,
        seed);
  }

  /** Which knots were found from the data, and how precisely, a sentence each. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    bases.forEach(
        (variable, numbers) -> {
          if (numbers.containsKey("within")) {
            notes.add(
                "%s: knots %s and boundary knots %s, from counts of all sites' rows, to within %s"
                    .formatted(
                        variable,
                        listed(numbers.getOrDefault("knots", List.of())),
                        listed(numbers.getOrDefault("boundaryKnots", List.of())),
                        NumberText.text(numbers.get("within").getFirst(), 2)));
          }
        });
    return notes;
  }

  private static String listed(List<Double> numbers) {
    return numbers.isEmpty()
        ? "none"
        : numbers.stream()
            .map(number -> NumberText.text(number, 6))
            .collect(Collectors.joining(", "));
  }

  /** The same where the first class of the response has coefficients too. */
  ModelDescription of(List<String> coefficients) {
    int columns = coefficients.size() - terms.size();
    List<String> each = new ArrayList<>(termOfEach.subList(0, columns));
    each.addAll(termOfEach);
    return new ModelDescription(
        response, coefficients, each, formula, this.columns, levels, bases, random, seed);
  }

  /** Adds what a reader of the model must know of the data to its description. */
  JsonObject describe(JsonObject model) {
    JsonObject types = new JsonObject();
    columns.forEach(c -> types.put(c.name(), c.type().name().toLowerCase(Locale.ROOT)));
    JsonObject factors = new JsonObject();
    levels.forEach(factors::put);
    model
        .put("response", response)
        .put("terms", terms)
        .put("formula", formula)
        .put("columns", types)
        .put("levels", factors);
    if (!bases.isEmpty()) {
      JsonObject known = new JsonObject();
      bases.forEach(
          (variable, numbers) -> {
            JsonObject one = new JsonObject();
            numbers.forEach(one::put);
            known.put(variable, one);
          });
      model.put("bases", known);
    }
    random.ifPresent(features -> model.put("randomFeatures", features.spec()).put("seed", seed));
    return model;
  }
}
