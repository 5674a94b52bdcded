package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.PooledAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.inference.Coefficient;
import ngd.core.inference.Covariance;
import ngd.core.inference.DevianceTest;
import ngd.core.inference.GoodnessOfFit;
import ngd.core.inference.Heterogeneity;
import ngd.core.inference.Inference;
import ngd.core.inference.LinearTest;
import ngd.core.inference.PooledEstimate;
import ngd.core.inference.ResidualSummary;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.MEstimator;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Regression;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The pooled answer in the layout that users of R know. */
public final class PooledTable {
  private final PooledAnswer answer;
  private final Inference inference;
  private final PooledEstimate estimate;

  private PooledTable(PooledAnswer answer) {
    this.answer = answer;
    inference = answer.inference();
    estimate = inference.estimate();
  }

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, PooledAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    Regression regression = answer.estimate().regression();
    out.printf(
        "%s: %s of %s, %s on %s%n%n",
        regression instanceof Cox cox
            ? "Cox regression, %s ties, risk sets %s"
                .formatted(
                    cox.ties().word(),
                    cox.grid()
                        .map(
                            grid ->
                                "pooled at %s (%s to %s)"
                                    .formatted(
                                        NumberText.count(grid.times().size(), "time"),
                                        NumberText.text(grid.times().getFirst()),
                                        NumberText.text(grid.last())))
                        .orElse("within sites"))
            : regression instanceof MEstimator
                ? "Regression by the loss %s".formatted(regression.name())
                : "%s regression with %s link".formatted(regression.family(), regression.link()),
        NumberText.count(answer.estimate().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.estimate().clients(), "site"),
        setup.network().topology().spec());
    printBody(answer, out);
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  /** The coefficients, and how well the model fits. */
  public static void printBody(PooledAnswer answer, PrintWriter out) {
    new PooledTable(answer).body(out);
  }

  private void body(PrintWriter out) {
    Optional<String> withheld = inference.withheld();
    if (withheld.isPresent()) {
      table().estimates(answer.exponentiated(), ratio()).print(out);
      out.println("---");
      out.println("Standard errors, tests and intervals are withheld: " + withheld.get());
    } else {
      (answer.exponentiated() ? table().ratios(ratio()) : table().coefficients()).print(out);
      out.println("---");
      out.println("Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1");
    }
    out.println();
    fit(out);
    out.println();
    checks(out);
    answer.anova().ifPresent(tests -> DevianceTable.print(tests, inference.fit(), out));
    answer.tests().forEach(test -> tested(test, out));
    if (answer.meta().isPresent()) {
      MetaTable.print(JsonMapper.shared().readTree(answer.json().toString()), out);
    }
    if (estimate.weights().isPresent()) {
      WeightingTable.print(JsonMapper.shared().readTree(answer.json().toString()), out);
    }
    inference.heterogeneity().ifPresent(test -> out.println(words(test) + "\n"));
    answer.notes().forEach(note -> out.println("Note: " + note));
    if (estimate.byScores()) {
      out.printf(
          "%s of L-BFGS by sums of scores over all sites; the largest score is %s of its standard"
              + " deviation%n",
          NumberText.count(estimate.steps(), "step"), NumberText.text(estimate.distance(), 2));
      return;
    }
    out.printf(
        "%s; within %s SE of the pooled estimate%n",
        switch (estimate.settings().way()) {
          case SUMS ->
              NumberText.count(estimate.steps(), "Newton step") + " by sums over all sites";
          case ROUNDS ->
              "%s of balanced ngd, %s"
                  .formatted(
                      NumberText.count(estimate.rounds(), "round"),
                      NumberText.count(estimate.steps(), "Newton step"));
          case ROUNDS_ALONE ->
              NumberText.count(estimate.rounds(), "round") + " of balanced ngd, no Newton step";
        },
        NumberText.text(estimate.distance(), 2));
  }

  private CoefficientTable table() {
    return new CoefficientTable(
        inference.coefficients(),
        inference.statistic(),
        inference.options().level(),
        inference.options().covariance() != Covariance.MODEL);
  }

  private String ratio() {
    return answer.ratio().map(found -> found.words()).orElse("");
  }

  static String statistic(double value) {
    return Double.isNaN(value) ? "NA" : String.format(Locale.ROOT, "%.3f", value);
  }

  /** How predictions agree with the rows of the fit. */
  private void checks(PrintWriter out) {
    answer
        .diagnostics()
        .discrimination()
        .ifPresent(
            found ->
                out.printf(
                    "AUC: %s%s (within %s), Brier score: %s%n%n",
                    NumberText.text(found.auc(), 4),
                    found.low().isEmpty()
                        ? ""
                        : ", %s: %s, %s: %s"
                            .formatted(
                                IntervalNames.low(inference.options().level()),
                                NumberText.text(found.low().getAsDouble(), 4),
                                IntervalNames.high(inference.options().level()),
                                NumberText.text(found.high().getAsDouble(), 4)),
                    NumberText.text(found.within(), 2),
                    NumberText.text(answer.diagnostics().brier().orElse(Double.NaN), 4)));
    answer.diagnostics().residuals().ifPresent(found -> residuals(found, out));
  }

  private static void residuals(ResidualSummary found, PrintWriter out) {
    List<String> head = new ArrayList<>(List.of(""));
    List<String> values = new ArrayList<>(List.of("Deviance residuals"));
    found
        .quantiles()
        .forEach(
            quantile -> {
              head.add(NumberText.text(100 * quantile.share(), 4) + " %");
              values.add(number(quantile.value()));
            });
    head.addAll(List.of("mean", "SD", "skewness"));
    values.addAll(
        List.of(number(found.mean()), number(found.deviation()), statistic(found.skewness())));
    TextTable table = new TextTable(head);
    table.add(values);
    table.print(out);
    out.println();
  }

  static String number(double value) {
    return Double.isNaN(value) ? "NA" : NumberText.text(value, 5);
  }

  /** As R writes it: nothing is smaller than 2e−16. */
  static String chance(double p) {
    if (Double.isNaN(p)) {
      return "NA";
    }
    return p < 2e-16 ? "<2e-16" : NumberText.text(p, 3);
  }

  static String stars(double p) {
    if (p < 0.001) {
      return "***";
    }
    if (p < 0.01) {
      return "**";
    }
    return p < 0.05 ? "*" : p < 0.1 ? "." : "";
  }

  private void fit(PrintWriter out) {
    GoodnessOfFit fit = inference.fit();
    Regression glm = estimate.regression();
    Covariance kind = inference.options().covariance();
    if (inference.withheld().isPresent()) {
      out.printf(
          "Ridge penalty %s on standardised columns%n",
          NumberText.text(estimate.settings().ridge()));
    } else if (kind == Covariance.SITE) {
      out.printf(
          "Standard errors: %s, t with %s%n",
          inference.covarianceWords(),
          NumberText.count(estimate.clients() - 1, "degree") + " of freedom");
    } else if (kind != Covariance.MODEL) {
      out.printf("Standard errors: %s%n", inference.covarianceWords());
    }
    if (answer.hazards().isPresent()) {
      HazardsTable.print(answer.hazards().get(), fit, out);
      return;
    }
    if (glm instanceof MEstimator) {
      losses(fit, (double) estimate.rows(), out);
      return;
    }
    if (glm instanceof Categories classes) {
      out.printf(
          classes.ordered() ? "Levels: %s%n%n" : "Baseline: %s%n%n",
          classes.ordered() ? String.join(" < ", classes.classes()) : classes.classes().getFirst());
    } else {
      dispersion(fit, glm, out);
    }
    deviances(fit, out);
    if (glm instanceof NegativeBinomial counts && estimate.thetaError().isPresent()) {
      out.printf(
          "Theta: %s, Std. Error: %s%n",
          number(counts.theta()), number(estimate.thetaError().getAsDouble()));
    }
  }

  /** What a loss that is no likelihood comes to, where a likelihood would have deviances. */
  private static void losses(GoodnessOfFit fit, double weight, PrintWriter out) {
    out.printf(
        "Mean loss of a row: %s; of one level for all rows: %s%n",
        number(fit.deviance() / 2 / weight), number(fit.nullDeviance() / 2 / weight));
  }

  private static void dispersion(GoodnessOfFit fit, Regression glm, PrintWriter out) {
    out.printf(
        "(Dispersion parameter for %s family %s %s)%n%n",
        glm.name().equals("negative-binomial") ? "negative binomial" : glm.family(),
        glm.dispersed() ? "estimated as" : "taken to be",
        number(fit.dispersion()));
  }

  private static void deviances(GoodnessOfFit fit, PrintWriter out) {
    String nullDeviance = NumberText.text(fit.nullDeviance(), 6);
    String deviance = NumberText.text(fit.deviance(), 6);
    int width = Math.max(nullDeviance.length(), deviance.length());
    String line = "%s deviance: %" + width + "s  on %d  degrees of freedom%n";
    out.printf(line, "    Null", nullDeviance, fit.nullFreedom());
    out.printf(line, "Residual", deviance, fit.residualFreedom());
    out.printf(
        "AIC: %s, log-likelihood: %s%s%s%s%n",
        Double.isNaN(fit.aic()) ? "NA" : NumberText.text(fit.aic(), 7),
        Double.isNaN(fit.aic()) ? "NA" : NumberText.text(fit.logLikelihood(), 7),
        share("R²", fit.rSquared()),
        share("adjusted R²", fit.adjustedRSquared()),
        share("McFadden R²", fit.mcFadden()));
  }

  private static String share(String name, OptionalDouble value) {
    return value.isPresent()
        ? ", %s: %s"
            .formatted(
                name,
                Double.isNaN(value.getAsDouble()) ? "NA" : NumberText.text(value.getAsDouble(), 4))
        : "";
  }

  /** A test of linear equations: each of them, and all together. */
  private void tested(LinearTest test, PrintWriter out) {
    TextTable table =
        new TextTable(
            List.of(
                "Test of",
                "Left − right",
                "Std. Error",
                inference.statistic() + " value",
                "Pr(>|" + inference.statistic() + "|)",
                IntervalNames.low(inference.options().level()),
                IntervalNames.high(inference.options().level())));
    for (Coefficient line : test.combinations()) {
      table.add(
          List.of(
              line.term(),
              number(line.estimate()),
              number(line.standardError()),
              statistic(line.statistic()),
              chance(line.pValue()),
              number(line.low()),
              number(line.high())));
    }
    table.print(out);
    out.println("Wald: " + words(test.wald()));
    out.println(
        "Likelihood ratio: "
            + test.likelihoodRatio().map(PooledTable::words).orElse("not available"));
    out.println();
  }

  private static String words(DevianceTest test) {
    return distributed(
        test.statistic(), (double) test.freedom(), test.dispersionFreedom(), test.pValue());
  }

  private static String distributed(double statistic, double df, double rest, double chance) {
    boolean chi = Double.isInfinite(rest);
    return "%s = %s on %s, p %s"
        .formatted(
            chi ? "chi-squared" : "F",
            NumberText.text(statistic),
            chi
                ? NumberText.text(df, 9) + " degrees of freedom"
                : "%s and %s degrees of freedom"
                    .formatted(NumberText.text(df, 9), NumberText.text(rest, 9)),
            chance < 2e-16 ? chance(chance) : "= " + chance(chance));
  }

  private static String words(Heterogeneity test) {
    return "Heterogeneity between sites (%s): %s"
        .formatted(
            test.form(),
            distributed(test.statistic(), test.freedom(), test.residualFreedom(), test.pValue()));
  }
}
