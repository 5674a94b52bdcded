package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.ImputedAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A fit of imputed rows: the coefficients, and how much of their variance is due to gaps. */
public final class ImputedTable {
  static final List<String> HEAD = List.of("", "Within", "Between", "df", "riv", "lambda", "fmi");

  private ImputedTable() {}

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, ImputedAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s regression with %s link: %s of %s, %s on %s%n%n",
        answer.estimate().regression().family(),
        answer.estimate().regression().link(),
        NumberText.count(answer.rowsUsed().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.estimate().clients(), "site"),
        setup.network().topology().spec());
    printBody(answer, out);
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  /** The coefficients, and what was imputed. */
  public static void printBody(ImputedAnswer answer, PrintWriter out) {
    JsonNode result = JsonMapper.shared().readTree(answer.json().toString());
    CoefficientTable table =
        new CoefficientTable(
            answer.pooled().lines(),
            "t",
            result.path("level").asDouble(),
            !result.path("covariance").asString().startsWith("model-based"));
    (answer.exponentiated()
            ? table.ratios(answer.ratio().orElseThrow().words())
            : table.coefficients())
        .print(out);
    out.println("---");
    out.println("Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1");
    out.println();
    print(result, out);
    answer.notes().forEach(note -> out.println("Note: " + note));
  }

  /** From a document. */
  static void print(JsonNode result, PrintWriter out) {
    out.println(words(result));
    TextTable table = new TextTable(HEAD);
    lines(result).forEach(table::add);
    table.print(out);
    out.println();
  }

  /** A sentence about what was imputed. */
  static String words(JsonNode result) {
    JsonNode imputation = result.path("imputation");
    List<String> variables = new ArrayList<>();
    for (JsonNode one : imputation.path("variables")) {
      variables.add(
          "%s in %s (%s)"
              .formatted(
                  one.path("variable").asString(),
                  NumberText.count(one.path("missing").asLong(), "row"),
                  one.path("model").asString()));
    }
    return "%d imputations by chained equations, %s each; imputed: %s"
        .formatted(
            imputation.path("imputations").asInt(),
            NumberText.count(imputation.path("iterations").asLong(), "iteration"),
            String.join(", ", variables));
  }

  /** A line for each coefficient. */
  static List<List<String>> lines(JsonNode result) {
    List<List<String>> lines = new ArrayList<>();
    for (int j = 0; j < result.path("coefficients").size(); j++) {
      JsonNode parts = result.at("/imputation/terms").path(j);
      lines.add(
          List.of(
              result.path("coefficients").path(j).path("term").asString(),
              NumberText.text(parts.path("within").asDouble(), 4),
              NumberText.text(parts.path("between").asDouble(), 4),
              String.format(Locale.ROOT, "%.1f", parts.path("df").asDouble()),
              NumberText.text(parts.path("riv").asDouble(), 3),
              NumberText.text(parts.path("lambda").asDouble(), 3),
              NumberText.text(parts.path("fmi").asDouble(), 3)));
    }
    return lines;
  }
}
