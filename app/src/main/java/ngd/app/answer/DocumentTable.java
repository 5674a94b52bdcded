package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import ngd.core.NumberText;
import ngd.core.inference.Coefficient;
import tools.jackson.databind.JsonNode;

/**
 * A pooled answer from its {@code result.json}, as whoever asked a federation has it, in the words
 * of a fit.
 */
public final class DocumentTable {
  private final JsonNode result;

  private DocumentTable(JsonNode result) {
    this.result = result;
  }

  /** Whether a document is a pooled answer's. */
  public static boolean fits(JsonNode result) {
    return result.path("coefficients").isArray() && result.has("withheld");
  }

  /** Prints the coefficients, how well the model fits, tests of terms and notes. */
  public static void print(JsonNode result, PrintWriter out) {
    new DocumentTable(result).body(out);
  }

  private void body(PrintWriter out) {
    out.printf(
        "%s, %s: %s of %s%n%n",
        text("model", "formula"),
        result.path("mixed").isObject() ? MixedTable.name(result) : text("model", "family"),
        NumberText.count(result.path("rows").asLong(), "row"),
        NumberText.count(result.path("sites").asLong(), "site"));
    if (PenaltyTable.fits(result)) {
      PenaltyTable.print(result, out);
      return;
    }
    boolean exponentiated =
        result.path("exponentiated").asBoolean(false) && result.path("ratio").isString();
    String ratio = result.path("ratio").asString("");
    String withheld = result.path("withheld").asString("");
    String covariance = result.path("covariance").asString("");
    boolean robust = withheld.isEmpty() && !covariance.equals("model-based");
    if (result.path("mixed").isObject()) {
      MixedTable.printVariances(result.path("mixed"), out);
      out.println("Fixed effects:");
    }
    CoefficientTable table =
        new CoefficientTable(
            lines(), result.path("statistic").asString(""), number(result, "level"), robust);
    if (!withheld.isEmpty()) {
      table.estimates(exponentiated, ratio).print(out);
      out.printf("%nStandard errors, tests and intervals are withheld: %s%n", withheld);
    } else {
      (exponentiated ? table.ratios(ratio) : table.coefficients()).print(out);
    }
    out.println();
    if (robust) {
      out.println("Standard errors: " + covariance);
    }
    if (result.path("mixed").isObject()) {
      out.printf(
          "AIC: %s, BIC: %s, log-likelihood: %s%n",
          NumberText.text(number(result, "aic"), 7),
          NumberText.text(number(result, "bic"), 7),
          NumberText.text(number(result, "logLikelihood"), 7));
    } else if (result.path("deviance").isNumber() && result.path("dfResidual").isNumber()) {
      out.printf(
          "Residual deviance: %s on %d degrees of freedom (null model: %s on %d), AIC: %s%n",
          NumberText.text(number(result, "deviance"), 6),
          result.path("dfResidual").asLong(),
          NumberText.text(number(result, "nullDeviance"), 6),
          result.path("dfNull").asLong(),
          result.path("aic").isNumber() ? NumberText.text(number(result, "aic"), 7) : "NA");
    }
    if (result.at("/model/classes").isArray()) {
      out.println("Levels: " + AnswerReport.levels(result));
    }
    if (result.path("anova").isObject()) {
      out.printf("%nAnalysis of deviance, terms added in this order:%n");
      DevianceTable.ofTerms(result).print(out);
    }
    if (result.path("meta").isObject()) {
      out.println();
      MetaTable.print(result, out);
    }
    if (result.path("imputation").isObject()) {
      out.println();
      ImputedTable.print(result, out);
    }
    if (result.path("weighting").isObject()) {
      out.println();
      WeightingTable.print(result, out);
    }
    result.path("notes").forEach(note -> out.printf("Note: %s%n", note.asString()));
  }

  private List<Coefficient> lines() {
    List<Coefficient> lines = new ArrayList<>();
    for (JsonNode line : result.path("coefficients")) {
      lines.add(
          new Coefficient(
              line.path("term").asString(),
              number(line, "estimate"),
              number(line, "stdError"),
              number(line, "statistic"),
              number(line, "pValue"),
              number(line, "confLow"),
              number(line, "confHigh")));
    }
    return lines;
  }

  private String text(String at, String key) {
    return result.path(at).path(key).asString("");
  }

  private static double number(JsonNode node, String key) {
    return node.path(key).asDouble(Double.NaN);
  }
}
