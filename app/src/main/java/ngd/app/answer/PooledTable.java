package ngd.app.answer;

import java.io.PrintWriter;
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
import ngd.core.inference.GoodnessOfFit;
import ngd.core.inference.Heterogeneity;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledEstimate;
import ngd.core.model.Glm;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/** The pooled answer in the layout that users of R know. */
public final class PooledTable {
  private final Inference inference;
  private final PooledEstimate estimate;

  private PooledTable(PooledAnswer answer) {
    inference = answer.inference();
    estimate = inference.estimate();
  }

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, PooledAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s regression with %s link: %s of %s, %s on %s%n%n",
        family(answer.estimate().glm()),
        answer.estimate().glm().link(),
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
      estimates().print(out);
      out.println("---");
      out.println("Standard errors, tests and intervals are withheld: " + withheld.get());
    } else {
      coefficients().print(out);
      out.println("---");
      out.println("Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1");
    }
    out.println();
    fit(out);
    out.println();
    inference.heterogeneity().ifPresent(test -> out.println(words(test) + "\n"));
    inference.notes().forEach(note -> out.println("Note: " + note));
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

  private static String family(Glm glm) {
    return glm.name().equals("negative-binomial") ? glm.family() : glm.family().split(":", -1)[0];
  }

  /** The coefficients alone, where nothing can be said of their errors. */
  private TextTable estimates() {
    TextTable table = new TextTable(List.of("", "Estimate", "Std. Error"));
    for (Coefficient line : inference.coefficients()) {
      table.add(List.of(line.term(), number(line.estimate()), "withheld"));
    }
    return table;
  }

  private TextTable coefficients() {
    String letter = inference.statistic();
    double tail = 50 * (1 - inference.options().level());
    TextTable table =
        new TextTable(
            List.of(
                "",
                "Estimate",
                inference.options().covariance() == Covariance.MODEL ? "Std. Error" : "Robust SE",
                letter + " value",
                "Pr(>|" + letter + "|)",
                "",
                NumberText.text(tail, 4) + " %",
                NumberText.text(100 - tail, 4) + " %"));
    for (Coefficient line : inference.coefficients()) {
      table.add(
          List.of(
              line.term(),
              number(line.estimate()),
              number(line.standardError()),
              Double.isNaN(line.statistic())
                  ? "NA"
                  : String.format(Locale.ROOT, "%.3f", line.statistic()),
              chance(line.pValue()),
              stars(line.pValue()),
              number(line.low()),
              number(line.high())));
    }
    return table;
  }

  private static String number(double value) {
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
    Glm glm = estimate.glm();
    Covariance kind = inference.options().covariance();
    if (inference.withheld().isPresent()) {
      out.printf(
          "Ridge penalty %s on standardised columns%n",
          NumberText.text(estimate.settings().ridge()));
    } else if (kind == Covariance.SITE) {
      out.printf(
          "Standard errors: %s, t with %s%n",
          kind.words(), NumberText.count(estimate.clients() - 1, "degree") + " of freedom");
    } else if (kind != Covariance.MODEL) {
      out.printf("Standard errors: %s%n", kind.words());
    }
    out.printf(
        "(Dispersion parameter for %s family %s %s)%n%n",
        glm.name().equals("negative-binomial") ? "negative binomial" : family(glm),
        glm.dispersed() ? "estimated as" : "taken to be",
        number(fit.dispersion()));
    String nullDeviance = NumberText.text(fit.nullDeviance(), 6);
    String deviance = NumberText.text(fit.deviance(), 6);
    int width = Math.max(nullDeviance.length(), deviance.length());
    String line = "%s deviance: %" + width + "s  on %d  degrees of freedom%n";
    out.printf(line, "    Null", nullDeviance, fit.nullFreedom());
    out.printf(line, "Residual", deviance, fit.residualFreedom());
    out.printf(
        "AIC: %s, log-likelihood: %s%s%s%s%n",
        NumberText.text(fit.aic(), 7),
        NumberText.text(fit.logLikelihood(), 7),
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

  private static String words(Heterogeneity test) {
    boolean chi = Double.isInfinite(test.residualFreedom());
    return "Heterogeneity between sites (%s): %s = %s on %s, p %s"
        .formatted(
            test.form(),
            chi ? "chi-squared" : "F",
            NumberText.text(test.statistic()),
            chi
                ? NumberText.text(test.freedom(), 9) + " degrees of freedom"
                : "%s and %s degrees of freedom"
                    .formatted(
                        NumberText.text(test.freedom(), 9),
                        NumberText.text(test.residualFreedom(), 9)),
            test.pValue() < 2e-16 ? chance(test.pValue()) : "= " + chance(test.pValue()));
  }
}
