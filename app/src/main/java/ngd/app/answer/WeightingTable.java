package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.inference.Estimand;
import tools.jackson.databind.JsonNode;

/** Weights by a treatment's probability, and how far apart the groups are without and with them. */
final class WeightingTable {
  static final List<String> HEAD =
      List.of("", "Treated", "Others", "Difference", "Weighted: treated", "others", "difference");

  private WeightingTable() {}

  /**
   * From a document.
   *
   * @param result the whole answer
   */
  static void print(JsonNode result, PrintWriter out) {
    out.println(words(result));
    TextTable table = new TextTable(HEAD);
    lines(result).forEach(table::add);
    table.print(out);
    out.println();
  }

  /** A sentence about the weights. */
  static String words(JsonNode result) {
    JsonNode weighting = result.path("weighting");
    return "Weights%s for the %s: %s, %s; means of the treatment's predictors, differences in standard deviations:"
        .formatted(
            weighting.path("stabilised").asBoolean() ? ", stabilised," : "",
            Estimand.parse(weighting.path("estimand").asString()).words(),
            group(weighting.path("treated"), "treated"),
            group(weighting.path("others"), "others"));
  }

  private static String group(JsonNode group, String name) {
    return "%d %s (as good as %s)"
        .formatted(
            group.path("rows").asLong(),
            name,
            NumberText.text(group.path("effective").asDouble(), 4));
  }

  /** A line for each column of the treatment's model. */
  static List<List<String>> lines(JsonNode result) {
    List<List<String>> lines = new ArrayList<>();
    for (JsonNode line : result.at("/weighting/balance")) {
      lines.add(
          List.of(
              line.path("term").asString(),
              number(line.path("treated")),
              number(line.path("others")),
              difference(line.path("difference")),
              number(line.path("weightedTreated")),
              number(line.path("weightedOthers")),
              difference(line.path("weightedDifference"))));
    }
    return lines;
  }

  private static String number(JsonNode value) {
    return NumberText.text(value.asDouble(), 4);
  }

  private static String difference(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%+.3f", value.asDouble()) : "NA";
  }
}
