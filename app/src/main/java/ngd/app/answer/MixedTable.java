package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.MixedAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.inference.MixedEstimate;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A mixed model in the layout that users of lme4 know. */
public final class MixedTable {
  private MixedTable() {}

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, MixedAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s: %s of %s, %s on %s%n%n",
        name(document(answer)),
        NumberText.count((long) answer.estimate().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.estimate().clients(), "site"),
        setup.network().topology().spec());
    printBody(answer, out);
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  /** Variances, fixed effects, and how well the model fits. */
  public static void printBody(MixedAnswer answer, PrintWriter out) {
    MixedEstimate estimate = answer.estimate();
    printVariances(document(answer).path("mixed"), out);
    out.println("Fixed effects:");
    CoefficientTable table =
        new CoefficientTable(estimate.coefficients(answer.level()), "z", answer.level(), false);
    (answer.exponentiated()
            ? table.ratios(answer.ratio().orElseThrow().words())
            : table.coefficients())
        .print(out);
    out.println("---");
    out.println("Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1");
    out.printf(
        "%nAIC: %s, BIC: %s, log-likelihood: %s%s%n%n",
        NumberText.text(estimate.aic(), 7),
        NumberText.text(estimate.bic(), 7),
        NumberText.text(estimate.logLikelihood(), 7),
        estimate.reml() ? " (restricted)" : "");
    answer
        .anova()
        .ifPresent(
            tests ->
                DevianceTable.print(
                    tests,
                    answer.nullFreedom().orElse(0),
                    answer.nullDeviance().orElse(Double.NaN),
                    out));
    answer.notes().forEach(note -> out.println("Note: " + note));
    out.printf(
        "%s by sums over all sites; within %s SE of the estimate from the pooled rows%n",
        NumberText.count(estimate.steps(), "Newton step"), NumberText.text(estimate.distance(), 2));
  }

  private static JsonNode document(MixedAnswer answer) {
    return JsonMapper.shared().readTree(answer.json().toString());
  }

  /** What the model of a document is called. */
  public static String name(JsonNode result) {
    return result.at("/mixed/quadrature").isNumber()
        ? "generalized linear mixed model, %s with %s link"
            .formatted(
                result.at("/model/family").asString(""), result.at("/model/link").asString(""))
        : "linear mixed model";
  }

  /** How the likelihood of a document's model was found. */
  public static String integral(JsonNode mixed) {
    int points = mixed.path("quadrature").asInt(0);
    return points == 0
        ? ""
        : points == 1
            ? " (Laplace approximation)"
            : " (adaptive Gauss-Hermite quadrature, %d points)".formatted(points);
  }

  /** What a document says of random effects: variances, deviations, correlations, groups. */
  static void printVariances(JsonNode mixed, PrintWriter out) {
    out.printf(
        "Fitted by %s %s%n%nRandom effects:%n",
        mixed.path("reml").asBoolean()
            ? "restricted maximum likelihood: REML criterion"
            : "maximum likelihood%s: -2 log-likelihood".formatted(integral(mixed)),
        number(mixed.path("criterion"), 7));
    int most = 1;
    List<String> counts = new ArrayList<>();
    for (JsonNode group : mixed.path("groups")) {
      most = Math.max(most, group.path("effects").size());
      String count =
          "%s: %s"
              .formatted(
                  group.path("group").asString(),
                  NumberText.count(group.path("groups").asLong(), "group"));
      if (!counts.contains(count)) {
        counts.add(count);
      }
    }
    List<String> head = new ArrayList<>(List.of("Groups", "Name", "Variance", "Std. Dev."));
    for (int j = 1; j < most; j++) {
      head.add(j == 1 ? "Corr" : "");
    }
    TextTable table = new TextTable(head);
    for (JsonNode group : mixed.path("groups")) {
      for (int i = 0; i < group.path("effects").size(); i++) {
        JsonNode effect = group.path("effects").get(i);
        List<String> line = new ArrayList<>();
        line.add(i == 0 ? group.path("group").asString() : "");
        line.add(effect.path("effect").asString());
        line.add(number(effect.path("variance"), 5));
        line.add(number(effect.path("sd"), 5));
        for (int j = 0; j < most - 1; j++) {
          JsonNode correlation = group.path("correlations").path(i).path(j);
          line.add(
              j >= i
                  ? ""
                  : correlation.isNumber()
                      ? String.format(Locale.ROOT, "%.2f", correlation.asDouble())
                      : "NaN");
        }
        table.add(line);
      }
    }
    if (mixed.path("residual").isObject()) {
      List<String> rest = new ArrayList<>(List.of("Residual", ""));
      rest.add(number(mixed.at("/residual/variance"), 5));
      rest.add(number(mixed.at("/residual/sd"), 5));
      for (int j = 1; j < most; j++) {
        rest.add("");
      }
      table.add(rest);
    }
    table.print(out);
    out.printf("%s%n%n", String.join(", ", counts));
  }

  private static String number(JsonNode value, int digits) {
    return NumberText.text(value.asDouble(Double.NaN), digits);
  }
}
