package ngd.app.answer;

import java.io.PrintWriter;
import java.util.List;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.inference.ChiSquaredTest;
import ngd.core.inference.GoodnessOfFit;
import ngd.core.inference.ProportionalHazards;

/** What a Cox model has besides its coefficients, in the layout that users of R know. */
final class HazardsTable {
  private HazardsTable() {}

  static void print(ProportionalHazards found, GoodnessOfFit fit, PrintWriter out) {
    out.printf("%s%n", NumberText.count(found.events(), "event"));
    if (found.concordance().isPresent()) {
      out.printf(
          "Concordance within sites: %s%n", NumberText.text(found.concordance().getAsDouble(), 4));
    }
    line(out, "Likelihood ratio test", found.likelihoodRatio());
    found
        .wald()
        .ifPresentOrElse(
            test -> line(out, "Wald test            ", test),
            () -> out.println("Wald test: none, the covariance of the coefficients is singular"));
    line(out, "Score (logrank) test ", found.score());
    out.printf(
        "AIC: %s, log partial likelihood: %s, without covariates: %s%n",
        NumberText.text(fit.aic(), 7),
        NumberText.text(fit.logLikelihood(), 7),
        NumberText.text(fit.nullLogLikelihood(), 7));
    if (found.transform().isPresent()) {
      out.printf(
          "%nTest of proportional hazards, against a trend in %s:%n",
          switch (found.transform().get()) {
            case KM -> "1 − the Kaplan–Meier estimate";
            case IDENTITY -> "time";
            case LOG -> "log time";
          });
      TextTable table = new TextTable(List.of("", "Chisq", "Df", "Pr(>Chi)"));
      found
          .trends()
          .forEach(
              trend ->
                  table.add(
                      List.of(
                          trend.term(),
                          NumberText.text(trend.test().statistic(), 5),
                          Integer.toString(trend.test().freedom()),
                          PooledTable.chance(trend.test().pValue()))));
      table.print(out);
    }
  }

  private static void line(PrintWriter out, String name, ChiSquaredTest test) {
    out.printf(
        "%s = %s on %d df, p %s%n",
        name,
        NumberText.text(test.statistic(), 5),
        test.freedom(),
        test.pValue() < 2e-16
            ? PooledTable.chance(test.pValue())
            : "= " + PooledTable.chance(test.pValue()));
  }
}
