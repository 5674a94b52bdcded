package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.inference.AnalysisOfDeviance;
import ngd.core.inference.Coefficient;
import ngd.core.inference.Covariance;
import ngd.core.inference.DevianceTest;
import ngd.core.inference.Diagnostics;
import ngd.core.inference.Discrimination;
import ngd.core.inference.GoodnessOfFit;
import ngd.core.inference.Heterogeneity;
import ngd.core.inference.Inference;
import ngd.core.inference.LinearTest;
import ngd.core.inference.MetaAnalysis;
import ngd.core.inference.PooledEstimate;
import ngd.core.inference.PredictionGroup;
import ngd.core.inference.ProportionalHazards;
import ngd.core.inference.RatioScale;
import ngd.core.inference.ResidualSummary;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Regression;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/**
 * What the pooled data would give, with standard errors; see docs/estimates.md.
 *
 * @param anova tests of the terms one after the other, where they were asked for
 * @param hazards what a Cox model has besides
 * @param tests of linear equations in the coefficients, those that were asked for
 * @param meta the sites' own estimates put together, where that was asked for
 * @param exponentiated whether coefficients are shown as ratios
 */
public record PooledAnswer(
    ModelDescription model,
    Inference inference,
    Diagnostics diagnostics,
    Optional<AnalysisOfDeviance> anova,
    Optional<ProportionalHazards> hazards,
    List<LinearTest> tests,
    Optional<MetaAnalysis> meta,
    boolean exponentiated,
    RowsUsed rowsUsed)
    implements Answer {
  /** The columns of {@code coefficients.csv}. */
  static final List<String> HEAD =
      List.of("term", "estimate", "std_error", "statistic", "p_value", "conf_low", "conf_high");

  public PooledAnswer {
    tests = List.copyOf(tests);
  }

  /**
   * All that is reported of an estimate, by totals in the world that it was found in.
   *
   * @param fewest rows that a site here may count of a class ({@code nfilter.tab}); 1 where clients
   *     are no sites
   * @param density the most coefficients for each row that a site here tells of itself ({@code
   *     nfilter.glm}); 1 where clients are no sites
   */
  public static PooledAnswer of(
      PooledEstimate estimate,
      Question question,
      ModelDescription model,
      RowsUsed rowsUsed,
      int fewest,
      double density) {
    Inference inference = Inference.of(estimate, PooledKeys.inference(question));
    return new PooledAnswer(
        model,
        inference,
        Diagnostics.of(inference, fewest),
        question.get(PooledKeys.ANOVA)
            ? Optional.of(AnalysisOfDeviance.of(inference, model.termOfEach()))
            : Optional.empty(),
        estimate.regression() instanceof Cox cox
            ? Optional.of(
                ProportionalHazards.of(
                    inference, cox, model.termOfEach(), question.find(PooledKeys.ZPH)))
            : Optional.empty(),
        LinearTest.of(inference, question.find(PooledKeys.TEST).orElse(List.of())),
        question.get(PooledKeys.META)
            ? Optional.of(MetaAnalysis.of(inference, density))
            : Optional.empty(),
        question.get(PooledKeys.EXPONENTIATE),
        rowsUsed);
  }

  /** What exponentiated coefficients are, where they are anything. */
  public Optional<RatioScale> ratio() {
    return RatioScale.of(estimate().regression());
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(model.notes());
    notes.addAll(inference.notes());
    if ((anova.isPresent() || tests.stream().anyMatch(t -> t.likelihoodRatio().isPresent()))
        && inference.options().covariance() != Covariance.MODEL) {
      notes.add(AnalysisOfDeviance.NOT_ROBUST);
    }
    return List.copyOf(notes);
  }

  public PooledEstimate estimate() {
    return inference.estimate();
  }

  @Override
  public JsonObject json() {
    GoodnessOfFit fit = inference.fit();
    List<JsonObject> coefficients = new ArrayList<>();
    for (Coefficient line : inference.coefficients()) {
      JsonObject one = json(line, ratio());
      if (estimate().regression() instanceof Categories classes) {
        one.put("ofLevel", classes.ofLevel(coefficients.size()));
      }
      coefficients.add(one);
    }
    JsonObject json =
        new JsonObject()
            .put("model", describe(estimate(), estimate().regression(), model))
            .put("coefficients", coefficients)
            .put("ratio", ratio().map(RatioScale::words).orElse(null))
            .put("exponentiated", exponentiated)
            .put("statistic", inference.statistic())
            .put("dfStatistic", optional(inference.statisticFreedom()))
            .put("level", inference.options().level())
            .put(
                "covariance", inference.withheld().isPresent() ? null : inference.covarianceWords())
            .put(
                "vcov",
                inference.covariance().map(v -> rows(v, estimate().terms().size())).orElse(null))
            .put("withheld", inference.withheld().orElse(null))
            .put("notes", notes())
            .put("sites", estimate().clients());
    rowsUsed.describe(json);
    json.put("dispersion", fit.dispersion())
        .put("dfResidual", fit.residualFreedom())
        .put("dfNull", fit.nullFreedom())
        .put("deviance", fit.deviance())
        .put("nullDeviance", fit.nullDeviance())
        .put("logLikelihood", fit.logLikelihood())
        .put("aic", fit.aic())
        .put("r2", optional(fit.rSquared()))
        .put("adjustedR2", optional(fit.adjustedRSquared()))
        .put("mcFaddenR2", optional(fit.mcFadden()))
        .put("remainingBias", estimate().byScores() ? null : estimate().distance())
        .put("largestScore", estimate().byScores() ? estimate().distance() : null)
        .put("rounds", estimate().rounds())
        .put("lastSteps", estimate().steps());
    inference.heterogeneity().ifPresent(test -> json.put("heterogeneity", json(test)));
    anova.ifPresent(terms -> json.put("anova", json(terms)));
    hazards.ifPresent(found -> json.put("cox", HazardsJson.of(found)));
    meta.ifPresent(found -> json.put("meta", MetaJson.of(found)));
    estimate().weights().ifPresent(found -> json.put("weighting", WeightingJson.of(found)));
    if (!tests.isEmpty()) {
      json.put("tests", tests.stream().map(PooledAnswer::json).toList());
    }
    json.put("calibration", diagnostics.calibration().stream().map(PooledAnswer::json).toList());
    diagnostics.discrimination().ifPresent(found -> json.put("discrimination", json(found)));
    diagnostics.residuals().ifPresent(found -> json.put("residuals", json(found)));
    return json;
  }

  /** Adds the exponentiated coefficient. */
  static void ratios(JsonObject json, Coefficient line) {
    json.put("ratio", Math.exp(line.estimate()))
        .put("ratioLow", Math.exp(line.low()))
        .put("ratioHigh", Math.exp(line.high()));
  }

  static JsonObject json(String name, Coefficient line) {
    return new JsonObject()
        .put(name, line.term())
        .put("estimate", line.estimate())
        .put("stdError", line.standardError())
        .put("statistic", line.statistic())
        .put("pValue", line.pValue())
        .put("confLow", line.low())
        .put("confHigh", line.high());
  }

  private static JsonObject json(LinearTest test) {
    return new JsonObject()
        .put("test", test.text())
        .put("equations", test.combinations().stream().map(c -> json("equation", c)).toList())
        .put("wald", json(test.wald()))
        .put("likelihoodRatio", test.likelihoodRatio().map(PooledAnswer::json).orElse(null));
  }

  private static JsonObject json(DevianceTest test) {
    return new JsonObject()
        .put("distribution", Double.isInfinite(test.dispersionFreedom()) ? "chi-squared" : "F")
        .put("statistic", test.statistic())
        .put("df", test.freedom())
        .put("dfDispersion", test.dispersionFreedom())
        .put("pValue", test.pValue());
  }

  static JsonObject json(AnalysisOfDeviance tests) {
    return new JsonObject()
        .put("distribution", tests.distribution())
        .put("dfDispersion", tests.dispersionFreedom())
        .put(
            "terms",
            tests.lines().stream()
                .map(
                    line ->
                        new JsonObject()
                            .put("term", line.term())
                            .put("df", line.test().freedom())
                            .put("deviance", line.deviance())
                            .put("dfResidual", line.residualFreedom())
                            .put("residualDeviance", line.residualDeviance())
                            .put("statistic", line.test().statistic())
                            .put("pValue", line.test().pValue()))
                .toList());
  }

  private static JsonObject json(PredictionGroup group) {
    return new JsonObject()
        .put("from", group.from())
        .put("to", group.to())
        .put("rows", group.rows())
        .put("predicted", group.predicted())
        .put("observed", group.observed());
  }

  private JsonObject json(Discrimination found) {
    return new JsonObject()
        .put("auc", found.auc())
        .put("aucWithin", found.within())
        .put("stdError", optional(found.standardError()))
        .put("confLow", optional(found.low()))
        .put("confHigh", optional(found.high()))
        .put("brier", optional(diagnostics.brier()))
        .put(
            "curve",
            found.curve().stream()
                .map(
                    point ->
                        new JsonObject()
                            .put("falsePositive", point.falsePositive())
                            .put("truePositive", point.truePositive()))
                .toList());
  }

  private static JsonObject json(ResidualSummary found) {
    return new JsonObject()
        .put("kind", "deviance")
        .put("mean", found.mean())
        .put("deviation", found.deviation())
        .put("skewness", found.skewness())
        .put("kurtosis", found.kurtosis())
        .put(
            "quantiles",
            found.quantiles().stream()
                .map(
                    quantile ->
                        new JsonObject()
                            .put("share", quantile.share())
                            .put("value", quantile.value()))
                .toList())
        .put("quantilesWithin", found.within());
  }

  private static JsonObject json(Heterogeneity test) {
    return new JsonObject()
        .put("statistic", test.statistic())
        .put("df", test.freedom())
        .put("dfResidual", test.residualFreedom())
        .put("distribution", Double.isInfinite(test.residualFreedom()) ? "chi-squared" : "F")
        .put("pValue", test.pValue())
        .put("form", test.form());
  }

  private static @Nullable Double optional(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  /** The model as predictions read it. */
  static JsonObject describe(PooledEstimate estimate, Regression glm, ModelDescription model) {
    JsonObject json =
        new JsonObject()
            .put("family", glm.name().equals("negative-binomial") ? glm.name() : glm.family())
            .put("link", glm.link());
    if (glm instanceof NegativeBinomial negativeBinomial) {
      json.put("theta", negativeBinomial.theta());
      estimate.thetaError().ifPresent(error -> json.put("thetaStdError", error));
    }
    if (glm instanceof Categories classes) {
      json.put("classes", classes.classes());
    }
    double ridge = estimate.settings().ridge();
    if (ridge > 0) {
      json.put("ridge", ridge);
    }
    return model.describe(json);
  }

  /** A p × p matrix as lists of its rows. */
  static List<List<Double>> rows(double[] covariance, int p) {
    List<List<Double>> rows = new ArrayList<>();
    for (int i = 0; i < p; i++) {
      List<Double> row = new ArrayList<>();
      for (int j = 0; j < p; j++) {
        row.add(covariance[i * p + j]);
      }
      rows.add(row);
    }
    return rows;
  }

  /** A coefficient, with its exponential where that is a ratio. */
  static JsonObject json(Coefficient line, Optional<RatioScale> ratio) {
    JsonObject one = json("term", line);
    if (ratio.isPresent()) {
      ratios(one, line);
    }
    return one;
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put(
        "coefficients.csv", table(inference.coefficients(), ratio().filter(_ -> exponentiated)));
    List<String> terms = estimate().terms();
    inference
        .covariance()
        .ifPresent(matrix -> files.put("vcov.csv", table(terms, rows(matrix, terms.size()))));
    hazards
        .filter(found -> !found.baseline().isEmpty())
        .ifPresent(found -> files.put("baseline.csv", HazardsJson.baseline(found)));
    meta.ifPresent(found -> files.put("meta.csv", MetaJson.table(found)));
    estimate()
        .weights()
        .ifPresent(found -> files.put("balance.csv", WeightingJson.table(found.balance())));
    return files;
  }

  /** {@code coefficients.csv}, with ratios where they are shown. */
  static RunFolder.Content table(List<Coefficient> lines, Optional<RatioScale> ratio) {
    List<List<String>> coefficients = new ArrayList<>();
    List<String> names = new ArrayList<>(HEAD);
    if (ratio.isPresent()) {
      String name = ratio.get().words().replace(' ', '_');
      names.addAll(List.of(name, name + "_low", name + "_high"));
    }
    coefficients.add(names);
    for (Coefficient line : lines) {
      List<String> one = new ArrayList<>(line(line));
      if (ratio.isPresent()) {
        for (double value : new double[] {line.estimate(), line.low(), line.high()}) {
          one.add(text(Math.exp(value)));
        }
      }
      coefficients.add(one);
    }
    return RunFolder.csv(coefficients);
  }

  /** The line of {@code coefficients.csv}. */
  static List<String> line(Coefficient line) {
    return List.of(
        line.term(),
        text(line.estimate()),
        text(line.standardError()),
        text(line.statistic()),
        text(line.pValue()),
        text(line.low()),
        text(line.high()));
  }

  /** {@code vcov.csv}. */
  static RunFolder.Content table(List<String> terms, List<List<Double>> rows) {
    List<List<String>> vcov = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("term"));
    head.addAll(terms);
    vcov.add(head);
    for (int i = 0; i < rows.size(); i++) {
      List<String> line = new ArrayList<>(List.of(terms.get(i)));
      rows.get(i).forEach(value -> line.add(text(value)));
      vcov.add(line);
    }
    return RunFolder.csv(vcov);
  }

  static String text(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }
}
