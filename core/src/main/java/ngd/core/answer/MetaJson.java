package ngd.core.answer;

import java.util.ArrayList;
import java.util.List;
import ngd.core.inference.MetaAnalysis;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/** A meta-analysis of the sites' own estimates, as it is written. */
final class MetaJson {
  private MetaJson() {}

  static JsonObject of(MetaAnalysis found) {
    return new JsonObject()
        .put("sites", found.sites())
        .put("terms", found.terms().stream().map(MetaJson::json).toList());
  }

  private static JsonObject json(MetaAnalysis.OfTerm term) {
    return new JsonObject()
        .put("term", term.term())
        .put("q", term.q())
        .put("pValue", term.pValue())
        .put(
            "methods",
            term.lines().stream()
                .map(
                    line ->
                        PooledAnswer.json("term", line.estimate())
                            .put("method", line.method().word())
                            .put("tau2", line.betweenSites())
                            .put("i2", line.iSquared())
                            .put("h2", line.hSquared()))
                .toList());
  }

  /** {@code meta.csv}: a line for each method of each coefficient. */
  static RunFolder.Content table(MetaAnalysis found) {
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(PooledAnswer.HEAD);
    head.addAll(List.of("method", "tau2", "i2", "h2", "q", "q_p_value"));
    lines.add(head);
    for (MetaAnalysis.OfTerm term : found.terms()) {
      for (MetaAnalysis.Line line : term.lines()) {
        List<String> one = new ArrayList<>(PooledAnswer.line(line.estimate()));
        one.add(line.method().word());
        for (double value :
            new double[] {
              line.betweenSites(), line.iSquared(), line.hSquared(), term.q(), term.pValue()
            }) {
          one.add(PooledAnswer.text(value));
        }
        lines.add(one);
      }
    }
    return RunFolder.csv(lines);
  }
}
