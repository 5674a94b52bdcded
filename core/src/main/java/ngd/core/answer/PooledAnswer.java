package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.inference.Coefficient;
import ngd.core.inference.GoodnessOfFit;
import ngd.core.inference.Heterogeneity;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledEstimate;
import ngd.core.model.Glm;
import ngd.core.model.NegativeBinomial;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/** What the pooled data would give, with standard errors; see docs/estimates.md. */
public record PooledAnswer(ModelDescription model, Inference inference, RowsUsed rowsUsed)
    implements Answer {

  public PooledEstimate estimate() {
    return inference.estimate();
  }

  @Override
  public JsonObject json() {
    GoodnessOfFit fit = inference.fit();
    List<JsonObject> coefficients = new ArrayList<>();
    for (Coefficient line : inference.coefficients()) {
      coefficients.add(
          new JsonObject()
              .put("term", line.term())
              .put("estimate", line.estimate())
              .put("stdError", line.standardError())
              .put("statistic", line.statistic())
              .put("pValue", line.pValue())
              .put("confLow", line.low())
              .put("confHigh", line.high()));
    }
    JsonObject json =
        new JsonObject()
            .put("model", describe())
            .put("coefficients", coefficients)
            .put("statistic", inference.statistic())
            .put("dfStatistic", optional(inference.statisticFreedom()))
            .put("level", inference.options().level())
            .put(
                "covariance",
                inference.withheld().isPresent() ? null : inference.options().covariance().words())
            .put("vcov", inference.covariance().map(this::rows).orElse(null))
            .put("withheld", inference.withheld().orElse(null))
            .put("notes", inference.notes())
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
    return json;
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

  private JsonObject describe() {
    Glm glm = estimate().glm();
    JsonObject json =
        new JsonObject()
            .put("family", glm.name().equals("negative-binomial") ? glm.name() : glm.family())
            .put("link", glm.link());
    if (glm instanceof NegativeBinomial negativeBinomial) {
      json.put("theta", negativeBinomial.theta());
    }
    double ridge = estimate().settings().ridge();
    if (ridge > 0) {
      json.put("ridge", ridge);
    }
    return model.describe(json);
  }

  private List<List<Double>> rows(double[] covariance) {
    int p = estimate().terms().size();
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

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    List<List<String>> coefficients = new ArrayList<>();
    coefficients.add(
        List.of("term", "estimate", "std_error", "statistic", "p_value", "conf_low", "conf_high"));
    for (Coefficient line : inference.coefficients()) {
      coefficients.add(
          List.of(
              line.term(),
              text(line.estimate()),
              text(line.standardError()),
              text(line.statistic()),
              text(line.pValue()),
              text(line.low()),
              text(line.high())));
    }
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("coefficients.csv", RunFolder.csv(coefficients));
    inference.covariance().ifPresent(matrix -> files.put("vcov.csv", table(rows(matrix))));
    return files;
  }

  private RunFolder.Content table(List<List<Double>> rows) {
    List<List<String>> vcov = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("term"));
    head.addAll(estimate().terms());
    vcov.add(head);
    for (int i = 0; i < rows.size(); i++) {
      List<String> line = new ArrayList<>(List.of(estimate().terms().get(i)));
      rows.get(i).forEach(value -> line.add(text(value)));
      vcov.add(line);
    }
    return RunFolder.csv(vcov);
  }

  private static String text(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }
}
