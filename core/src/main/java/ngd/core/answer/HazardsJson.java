package ngd.core.answer;

import java.util.ArrayList;
import java.util.List;
import ngd.core.inference.ChiSquaredTest;
import ngd.core.inference.ProportionalHazards;
import ngd.core.model.TimeGrid;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/** What a Cox model has besides its coefficients, as it is written. */
final class HazardsJson {
  private HazardsJson() {}

  static JsonObject of(ProportionalHazards found) {
    JsonObject json =
        new JsonObject()
            .put("ties", found.model().ties().word())
            .put("riskSets", found.model().grid().isPresent() ? "pooled" : "site")
            .put("times", found.model().grid().map(TimeGrid::times).orElse(null))
            .put("events", found.events())
            .put("likelihoodRatio", test(found.likelihoodRatio()))
            .put("wald", found.wald().map(HazardsJson::test).orElse(null))
            .put("score", test(found.score()))
            .put(
                "concordance",
                found.concordance().isPresent() ? found.concordance().getAsDouble() : null);
    found
        .transform()
        .ifPresent(
            transform ->
                json.put(
                    "zph",
                    new JsonObject()
                        .put("transform", transform.word())
                        .put(
                            "terms",
                            found.trends().stream()
                                .map(trend -> test(trend.test()).put("term", trend.term()))
                                .toList())));
    return json;
  }

  private static JsonObject test(ChiSquaredTest test) {
    return new JsonObject()
        .put("statistic", test.statistic())
        .put("df", test.freedom())
        .put("pValue", test.pValue());
  }

  /** The baseline hazard, a line for each time of each stratum. */
  static RunFolder.Content baseline(ProportionalHazards found) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("stratum", "time", "at_risk", "events", "cumulative_hazard", "survival"));
    for (ProportionalHazards.BaselinePoint point : found.baseline()) {
      lines.add(
          List.of(
              point.stratum(),
              Double.toString(point.time()),
              Long.toString(point.atRisk()),
              Long.toString(point.events()),
              Double.toString(point.hazard()),
              Double.toString(Math.exp(-point.hazard()))));
    }
    return RunFolder.csv(lines);
  }
}
