package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import ngd.core.model.Glm;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.Privacy;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/** What noised sums over all sites gave, and may be released under the budget it states. */
public record CentralAnswer(
    ModelDescription model,
    Glm glm,
    CentralFit.Estimate estimate,
    Privacy privacy,
    int sites,
    RowsUsed rowsUsed)
    implements Answer {
  /** Why there are no standard errors. */
  public static final String WITHHELD =
      "clipping biases the estimate by an unknown amount, which no standard error accounts for; the"
          + " noise column is the standard deviation of the noise alone, estimated";

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    return estimate.floored() == 0
        ? List.of()
        : List.of(
            "in %d of %d directions the data say less than the noise: there the estimate stays near 0; more rows, a smaller bound or a larger epsilon help"
                .formatted(estimate.floored(), model.terms().size()));
  }

  @Override
  public JsonObject json() {
    List<JsonObject> coefficients = new ArrayList<>();
    for (int j = 0; j < model.terms().size(); j++) {
      coefficients.add(
          new JsonObject()
              .put("term", model.terms().get(j))
              .put("estimate", estimate.theta().get(j))
              .put("noiseSd", estimate.noise().get(j)));
    }
    JsonObject json =
        new JsonObject()
            .put(
                "model",
                model.describe(
                    new JsonObject().put("family", glm.family()).put("link", glm.link())))
            .put("coefficients", coefficients)
            .put("privacy", privacy.spec())
            .put("epsilon", privacy.epsilon())
            .put("delta", privacy.delta())
            .put("totals", estimate.totals())
            .put("withheld", WITHHELD)
            .put("notes", notes())
            .put("sites", sites);
    rowsUsed.describe(json);
    return json;
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("term", "estimate", "noise_sd"));
    for (int j = 0; j < model.terms().size(); j++) {
      lines.add(
          List.of(
              model.terms().get(j),
              Double.toString(estimate.theta().get(j)),
              Double.toString(estimate.noise().get(j))));
    }
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("coefficients.csv", RunFolder.csv(lines));
    return files;
  }
}
