package ngd.app.answer;

import java.io.PrintWriter;
import java.util.List;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.inference.AnalysisOfDeviance;
import ngd.core.inference.DevianceTest;
import ngd.core.inference.GoodnessOfFit;
import tools.jackson.databind.JsonNode;

/** Tests of deviances in the layout of R's {@code anova}. */
public final class DevianceTable {
  private final TextTable table;

  /**
   * An empty table.
   *
   * @param distribution {@code F} or {@code chi-squared}
   */
  public DevianceTable(String distribution) {
    boolean f = distribution.equals("F");
    table =
        new TextTable(
            List.of(
                "",
                "Resid. Df",
                "Resid. Dev",
                "Df",
                "Deviance",
                f ? "F" : "Chi-sq.",
                f ? "Pr(>F)" : "Pr(>Chi)",
                ""));
  }

  /** The terms of a fit, from its {@code result.json}. */
  public static DevianceTable ofTerms(JsonNode result) {
    JsonNode tests = result.path("anova");
    DevianceTable table = new DevianceTable(tests.path("distribution").asString());
    table.first(
        "Null model", result.path("dfNull").asLong(), result.path("nullDeviance").asDouble());
    double freedom = tests.path("dfDispersion").asDouble(Double.POSITIVE_INFINITY);
    for (JsonNode line : tests.path("terms")) {
      table.add(
          line.path("term").asString(),
          line.path("dfResidual").asLong(),
          line.path("residualDeviance").asDouble(),
          line.path("deviance").asDouble(),
          new DevianceTest(
              line.path("statistic").asDouble(Double.NaN),
              line.path("df").asLong(),
              freedom,
              line.path("pValue").asDouble(Double.NaN)));
    }
    return table;
  }

  /** A model that is compared with none before it. */
  public void first(String name, long freedom, double deviance) {
    table.add(
        List.of(name, Long.toString(freedom), NumberText.text(deviance, 6), "", "", "", "", ""));
  }

  /** A model, and what it explains that the one before it does not. */
  public void add(String name, long freedom, double deviance, double explained, DevianceTest test) {
    table.add(
        List.of(
            name,
            Long.toString(freedom),
            NumberText.text(deviance, 6),
            Long.toString(test.freedom()),
            NumberText.text(explained, 5),
            PooledTable.statistic(test.statistic()),
            PooledTable.chance(test.pValue()),
            PooledTable.stars(test.pValue())));
  }

  public void print(PrintWriter out) {
    table.print(out);
  }

  /** The terms of a model, one after the other. */
  static void print(AnalysisOfDeviance tests, GoodnessOfFit fit, PrintWriter out) {
    print(tests, fit.nullFreedom(), fit.nullDeviance(), out);
  }

  /** The same, from a null model that leaves this much. */
  static void print(
      AnalysisOfDeviance tests, long nullFreedom, double nullDeviance, PrintWriter out) {
    DevianceTable lines = new DevianceTable(tests.distribution());
    lines.first("Null model", nullFreedom, nullDeviance);
    for (AnalysisOfDeviance.Line line : tests.lines()) {
      lines.add(
          line.term(),
          line.residualFreedom(),
          line.residualDeviance(),
          line.deviance(),
          line.test());
    }
    out.println("Analysis of deviance, terms added in this order:");
    lines.print(out);
    out.println();
  }
}
