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

/** A linear mixed model in the layout that users of lme4 know. */
public final class MixedTable {
  private MixedTable() {}

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, MixedAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "linear mixed model: %s of %s, %s on %s%n%n",
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
    out.printf(
        "Fitted by %s: %s%n%n",
        estimate.reml() ? "restricted maximum likelihood (REML)" : "maximum likelihood",
        "%s %s"
            .formatted(
                estimate.reml() ? "REML criterion" : "-2 log-likelihood",
                NumberText.text(estimate.criterion(), 7)));
    out.println("Random effects:");
    variances(estimate).print(out);
    out.printf(
        "%s%n%n",
        String.join(
            ", ",
            estimate.components().stream()
                .map(
                    c ->
                        "%s: %s".formatted(c.part().group(), NumberText.count(c.groups(), "group")))
                .distinct()
                .toList()));
    out.println("Fixed effects:");
    new CoefficientTable(estimate.coefficients(answer.level()), "z", answer.level(), false)
        .coefficients()
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

  private static TextTable variances(MixedEstimate estimate) {
    int most =
        estimate.components().stream().mapToInt(c -> c.part().effects().size()).max().orElse(1);
    List<String> head = new ArrayList<>(List.of("Groups", "Name", "Variance", "Std. Dev."));
    if (most > 1) {
      head.add("Corr");
    }
    for (int j = 2; j < most; j++) {
      head.add("");
    }
    TextTable table = new TextTable(head);
    for (MixedEstimate.Component component : estimate.components()) {
      for (int i = 0; i < component.part().effects().size(); i++) {
        List<String> line =
            new ArrayList<>(
                List.of(
                    i == 0 ? component.part().group() : "",
                    component.part().effects().get(i),
                    NumberText.text(component.covariance().get(i).get(i), 5),
                    NumberText.text(component.deviation(i), 5)));
        for (int j = 0; j < most - 1; j++) {
          line.add(
              j >= i
                  ? ""
                  : Double.isNaN(component.correlation(i, j))
                      ? "NaN"
                      : String.format(Locale.ROOT, "%.2f", component.correlation(i, j)));
        }
        table.add(line);
      }
    }
    List<String> rest =
        new ArrayList<>(
            List.of(
                "Residual",
                "",
                NumberText.text(estimate.residualVariance(), 5),
                NumberText.text(Math.sqrt(estimate.residualVariance()), 5)));
    for (int j = 0; j < most - 1; j++) {
      rest.add("");
    }
    table.add(rest);
    return table;
  }
}
