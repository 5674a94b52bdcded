package ngd.app.answer;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.PenalisedAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.inference.ElasticNet;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A path of penalised estimates in the layout that users of glmnet know. */
public final class PenaltyTable {
  /** The most lines of a path that are printed; of longer ones some are left out. */
  private static final int MOST_LINES = 20;

  private final JsonNode result;
  private final JsonNode penalty;

  private PenaltyTable(JsonNode result) {
    this.result = result;
    penalty = result.path("penalty");
  }

  /** Whether a document has penalised estimates. */
  public static boolean fits(JsonNode result) {
    return result.path("penalty").isObject();
  }

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, PenalisedAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s regression with %s link, %s: %s of %s, %s on %s%n%n",
        answer.estimate().regression().family(),
        answer.estimate().regression().link(),
        answer.estimate().penalty().words(),
        NumberText.count(answer.estimate().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.estimate().clients(), "site"),
        setup.network().topology().spec());
    print(answer, out);
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  /** The path, the choice, and the coefficients at it. */
  public static void print(PenalisedAnswer answer, PrintWriter out) {
    print(JsonMapper.shared().readTree(answer.json().toString()), out);
  }

  /** The same from a document. */
  static void print(JsonNode result, PrintWriter out) {
    new PenaltyTable(result).body(out);
  }

  private void body(PrintWriter out) {
    boolean validated = penalty.path("folds").isNumber();
    TextTable table =
        new TextTable(
            validated
                ? List.of("lambda", "Nonzero", "Explained", "Unseen deviance", "Std. Error", "")
                : List.of("lambda", "Nonzero", "Explained"));
    int lines = penalty.path("path").size();
    int every = Math.max(1, (lines + MOST_LINES - 1) / MOST_LINES);
    for (int l = 0; l < lines; l++) {
      JsonNode step = penalty.path("path").get(l);
      String choice = choice(penalty, step);
      if (l % every != 0 && l != lines - 1 && choice.isEmpty()) {
        continue;
      }
      String explained =
          String.format(Locale.ROOT, "%.2f %%", 100 * step.path("explained").asDouble());
      String lambda = NumberText.text(step.path("lambda").asDouble(), 5);
      String nonzero = step.path("nonzero").asString();
      table.add(
          validated
              ? List.of(
                  lambda,
                  nonzero,
                  explained,
                  NumberText.text(penalty.path("cvMean").get(l).asDouble(), 5),
                  NumberText.text(penalty.path("cvStdError").get(l).asDouble(), 4),
                  choice)
              : List.of(lambda, nonzero, explained));
    }
    table.print(out);
    out.println();
    if (result.path("coefficients").isEmpty()) {
      out.println(
          "No penalty was chosen: the path alone was asked for (--folds 0). Its coefficients are"
              + " in path.csv.");
    } else {
      out.printf(
          "Coefficients at lambda = %s%n", NumberText.text(penalty.path("lambda").asDouble(), 5));
      TextTable coefficients = new TextTable(List.of("", "Estimate"));
      for (JsonNode line : result.path("coefficients")) {
        double value = line.path("estimate").asDouble();
        coefficients.add(
            List.of(line.path("term").asString(), value == 0 ? "." : NumberText.text(value, 5)));
      }
      coefficients.print(out);
    }
    out.printf(
        "%nStandard errors, tests and intervals are withheld: %s%n",
        result.path("withheld").asString());
    result.path("notes").forEach(note -> out.printf("Note: %s%n", note.asString()));
    out.printf(
        "%s of lambda, %s on standardised columns; %s over all sites%n",
        NumberText.count(lines, "value"),
        ElasticNet.parse(penalty.path("shape").asString()).words(),
        NumberText.count(penalty.path("totals").asLong(), "sum"));
  }

  /** By which rules a λ of a path would be chosen. */
  static String choice(JsonNode penalty, JsonNode step) {
    double lambda = step.path("lambda").asDouble();
    boolean min = lambda == penalty.path("lambdaMin").asDouble(Double.NaN);
    boolean simplest = lambda == penalty.path("lambda1se").asDouble(Double.NaN);
    return min && simplest ? "min, 1se" : min ? "min" : simplest ? "1se" : "";
  }
}
