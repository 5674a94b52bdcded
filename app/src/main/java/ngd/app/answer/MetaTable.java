package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import tools.jackson.databind.JsonNode;

/** A meta-analysis of the sites' own estimates beside the pooled one. */
final class MetaTable {
  static final List<String> HEAD =
      List.of("", "Method", "Estimate", "Std. Error", "From pooled", "tau²", "I²", "Q", "Pr(>Q)");

  private MetaTable() {}

  /**
   * From a document.
   *
   * @param result the whole answer, with the pooled coefficients
   */
  static void print(JsonNode result, PrintWriter out) {
    out.printf(
        "Meta-analysis of the own estimates of %s; from pooled in standard errors of the pooled"
            + " estimate:%n",
        NumberText.count(result.at("/meta/sites").asLong(), "site"));
    TextTable table = new TextTable(HEAD);
    lines(result).forEach(table::add);
    table.print(out);
    out.println();
  }

  /** A line for each method of each coefficient. */
  static List<List<String>> lines(JsonNode result) {
    List<List<String>> lines = new ArrayList<>();
    for (int j = 0; j < result.at("/meta/terms").size(); j++) {
      JsonNode term = result.at("/meta/terms").get(j);
      JsonNode pooled = result.path("coefficients").path(j);
      boolean first = true;
      for (JsonNode line : term.path("methods")) {
        double apart =
            (line.path("estimate").asDouble() - pooled.path("estimate").asDouble())
                / pooled.path("stdError").asDouble(Double.NaN);
        lines.add(
            List.of(
                first ? term.path("term").asString() : "",
                line.path("method").asString(),
                NumberText.text(line.path("estimate").asDouble(), 5),
                NumberText.text(line.path("stdError").asDouble(), 4),
                Double.isNaN(apart) ? "NA" : String.format(Locale.ROOT, "%+.2f SE", apart),
                NumberText.text(line.path("tau2").asDouble(), 3),
                String.format(Locale.ROOT, "%.0f %%", line.path("i2").asDouble()),
                first ? NumberText.text(term.path("q").asDouble(), 4) : "",
                first ? PooledTable.chance(term.path("pValue").asDouble()) : ""));
        first = false;
      }
    }
    return lines;
  }
}
