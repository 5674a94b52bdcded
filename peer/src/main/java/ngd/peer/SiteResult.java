package ngd.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import ngd.core.inference.Coefficient;
import ngd.core.inference.Inference;
import ngd.core.run.JsonObject;

/**
 * What a site's peer came to.
 *
 * @param terms the names of the coefficients
 * @param theta the coefficients, full precision
 * @param inference standard errors and tests, where the pooled answer was asked for
 * @param siteRows the complete rows of this site
 * @param allRows those of all sites
 * @param rounds the rounds that were run
 */
public record SiteResult(
    String site,
    String plan,
    List<String> terms,
    List<Double> theta,
    Optional<Inference> inference,
    long siteRows,
    long allRows,
    int rounds) {
  public SiteResult {
    terms = List.copyOf(terms);
    theta = List.copyOf(theta);
  }

  static List<Double> boxed(double[] theta) {
    return DoubleStream.of(theta).boxed().toList();
  }

  /** What {@code result.json} holds. */
  public JsonObject json() {
    List<JsonObject> coefficients = new ArrayList<>();
    for (int j = 0; j < terms.size(); j++) {
      JsonObject line = new JsonObject().put("term", terms.get(j)).put("estimate", theta.get(j));
      if (inference.isPresent()) {
        Coefficient found = inference.get().coefficients().get(j);
        line.put("stdError", found.standardError())
            .put("statistic", found.statistic())
            .put("pValue", found.pValue())
            .put("confLow", found.low())
            .put("confHigh", found.high());
      }
      coefficients.add(line);
    }
    JsonObject json =
        new JsonObject()
            .put("site", site)
            .put("plan", plan)
            .put("coefficients", coefficients)
            .put("rowsHere", siteRows)
            .put("rows", allRows)
            .put("rounds", rounds);
    inference.ifPresent(
        found ->
            json.put("remainingBias", found.estimate().distance())
                .put("lastSteps", found.estimate().steps()));
    return json;
  }
}
