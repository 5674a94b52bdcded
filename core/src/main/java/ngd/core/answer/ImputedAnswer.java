package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import ngd.core.inference.Coefficient;
import ngd.core.inference.ImputedEstimate;
import ngd.core.inference.Inference;
import ngd.core.inference.RatioScale;
import ngd.core.inference.RubinsRules;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/**
 * A pooled fit of imputed rows, as {@code mice::pool} reports it; see docs/imputation.md.
 *
 * @param pooled the imputations' fits put together
 * @param exponentiated whether coefficients are shown as ratios
 */
public record ImputedAnswer(
    ModelDescription model,
    ImputedEstimate estimate,
    RubinsRules pooled,
    boolean exponentiated,
    RowsUsed rowsUsed)
    implements Answer {
  /** From the fits of all imputations. */
  public static ImputedAnswer of(
      ModelDescription model, ImputedEstimate estimate, boolean exponentiated, RowsUsed rowsUsed) {
    return new ImputedAnswer(model, estimate, estimate.pooled(), exponentiated, rowsUsed);
  }

  /** What exponentiated coefficients are, where they are anything. */
  public Optional<RatioScale> ratio() {
    return RatioScale.of(estimate.regression());
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(model.notes());
    estimate.fits().stream().flatMap(fit -> fit.notes().stream()).distinct().forEach(notes::add);
    double most = pooled.parts().stream().mapToDouble(RubinsRules.Parts::missing).max().orElse(0);
    if (100 * most > pooled.imputations()) {
      notes.add(
          "%d imputations are few where up to %.0f %% of the information is missing: another seed may change the numbers; as many imputations as percent are advised"
              .formatted(pooled.imputations(), 100 * most));
    }
    return List.copyOf(notes);
  }

  @Override
  public JsonObject json() {
    Inference first = estimate.fits().getFirst();
    List<JsonObject> coefficients = new ArrayList<>();
    for (int j = 0; j < pooled.lines().size(); j++) {
      Coefficient line = pooled.lines().get(j);
      JsonObject one = PooledAnswer.json("term", line).put("df", pooled.parts().get(j).freedom());
      if (ratio().isPresent()) {
        PooledAnswer.ratios(one, line);
      }
      coefficients.add(one);
    }
    JsonObject json =
        new JsonObject()
            .put("model", PooledAnswer.describe(first.estimate(), estimate.regression(), model))
            .put("coefficients", coefficients)
            .put("ratio", ratio().map(RatioScale::words).orElse(null))
            .put("exponentiated", exponentiated)
            .put("statistic", "t")
            .put(
                "dfStatistic",
                pooled.parts().stream().mapToDouble(RubinsRules.Parts::freedom).min().orElseThrow())
            .put("level", first.options().level())
            .put("covariance", first.covarianceWords() + ", over imputations")
            .put("vcov", pooled.covariance())
            .put("withheld", null)
            .put("notes", notes())
            .put("sites", estimate.clients());
    rowsUsed.describe(json);
    return json.put("dispersion", estimate.dispersion())
        .put("dfResidual", first.fit().residualFreedom())
        .put("imputation", imputation());
  }

  private JsonObject imputation() {
    return new JsonObject()
        .put("imputations", pooled.imputations())
        .put("iterations", estimate.iterations())
        .put(
            "variables",
            estimate.imputed().stream()
                .map(
                    one ->
                        new JsonObject()
                            .put("variable", one.variable())
                            .put("missing", one.missing())
                            .put("model", one.family()))
                .toList())
        .put("terms", pooled.parts().stream().map(ImputedAnswer::json).toList())
        .put(
            "fits",
            estimate.fits().stream()
                .map(
                    fit ->
                        new JsonObject()
                            .put(
                                "estimates",
                                fit.coefficients().stream().map(Coefficient::estimate).toList())
                            .put(
                                "stdErrors",
                                fit.coefficients().stream()
                                    .map(Coefficient::standardError)
                                    .toList()))
                .toList());
  }

  private static JsonObject json(RubinsRules.Parts parts) {
    return new JsonObject()
        .put("within", parts.within())
        .put("between", parts.between())
        .put("df", parts.freedom())
        .put("riv", parts.increase())
        .put("lambda", parts.share())
        .put("fmi", parts.missing());
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put(
        "coefficients.csv",
        PooledAnswer.table(pooled.lines(), exponentiated ? ratio() : Optional.empty()));
    files.put("vcov.csv", PooledAnswer.table(estimate.terms(), pooled.covariance()));
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("term", "within", "between", "df", "riv", "lambda", "fmi"));
    for (int j = 0; j < pooled.parts().size(); j++) {
      RubinsRules.Parts parts = pooled.parts().get(j);
      lines.add(
          List.of(
              estimate.terms().get(j),
              PooledAnswer.text(parts.within()),
              PooledAnswer.text(parts.between()),
              PooledAnswer.text(parts.freedom()),
              PooledAnswer.text(parts.increase()),
              PooledAnswer.text(parts.share()),
              PooledAnswer.text(parts.missing())));
    }
    files.put("imputation.csv", RunFolder.csv(lines));
    return files;
  }
}
