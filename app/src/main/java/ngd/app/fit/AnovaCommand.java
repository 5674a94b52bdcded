package ngd.app.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import ngd.app.answer.DevianceTable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.RootCommand;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.inference.AnalysisOfDeviance;
import ngd.core.inference.DevianceTest;
import ngd.core.run.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code ngd anova}: tests of nested models, or of the terms of one. */
@Command(
    name = "anova",
    description = {
      "Compares nested pooled fits by their deviances: likelihood-ratio tests, or F tests for"
          + " gaussian and gamma, as anova() in R. Fits with random terms must be by --reml no.",
      "With one run, shows the tests of its terms, which `ngd fit --anova` records.",
      ""
    })
public final class AnovaCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RootCommand parent;

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN",
      description = "Run folders of pooled fits, or their result.json.")
  private List<Path> runs = List.of();

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = RootCommand.consoleOf(parent);
    Problems problems = new Problems();
    problems.require(!runs.isEmpty(), "RUN: at least one run folder must be given");
    List<StoredFit> fits = new ArrayList<>();
    for (Path run : runs) {
      StoredFit fit = problems.collect(() -> StoredFit.read(run));
      if (fit != null) {
        fits.add(fit);
      }
    }
    problems.throwIfAny();
    if (fits.size() == 1) {
      terms(fits.getFirst(), console);
    } else {
      nested(fits, console);
    }
    return Exit.DONE;
  }

  /** What a fit recorded of its terms. */
  private void terms(StoredFit fit, Console console) {
    JsonNode tests = fit.result().path("anova");
    if (!tests.isObject()) {
      throw new InvalidInput(
          "%s: must be fitted with --anova, or be given with a second, nested run; it has no tests of its terms"
              .formatted(fit.name()));
    }
    if (format.isJson()) {
      console.out().println(tests.toPrettyString());
      return;
    }
    console.out().printf("%s, %s; terms added in this order:%n%n", fit.formula(), fit.family());
    DevianceTable.ofTerms(fit.result()).print(console.out());
    note(List.of(fit), console);
  }

  /** Each model against the next smaller one. */
  private void nested(List<StoredFit> given, Console console) {
    List<StoredFit> fits =
        given.stream().sorted(Comparator.comparingLong(fit -> -fit.residualFreedom())).toList();
    Problems problems = new Problems();
    for (int i = 1; i < fits.size(); i++) {
      fits.get(i - 1).objection(fits.get(i)).ifPresent(problems::add);
    }
    problems.throwIfAny();
    StoredFit largest = fits.getLast();
    double freedom = largest.dispersed() ? largest.residualFreedom() : Double.POSITIVE_INFINITY;
    String distribution = largest.dispersed() ? "F" : "chi-squared";
    DevianceTable table = new DevianceTable(distribution);
    List<JsonObject> models = new ArrayList<>();
    for (int i = 0; i < fits.size(); i++) {
      StoredFit fit = fits.get(i);
      JsonObject model =
          new JsonObject()
              .put("run", fit.name())
              .put("formula", fit.formula())
              .put("dfResidual", fit.residualFreedom())
              .put("residualDeviance", fit.deviance());
      if (i == 0) {
        table.first("Model 1", fit.residualFreedom(), fit.deviance());
      } else {
        StoredFit before = fits.get(i - 1);
        double explained = before.deviance() - fit.deviance();
        DevianceTest test =
            DevianceTest.of(
                explained,
                before.residualFreedom() - fit.residualFreedom(),
                largest.dispersion(),
                freedom);
        table.add("Model " + (i + 1), fit.residualFreedom(), fit.deviance(), explained, test);
        model
            .put("df", test.freedom())
            .put("deviance", explained)
            .put("statistic", test.statistic())
            .put("pValue", test.pValue());
      }
      models.add(model);
    }
    if (format.isJson()) {
      console
          .out()
          .println(
              new JsonObject()
                  .put("distribution", distribution)
                  .put("dfDispersion", freedom)
                  .put("models", models));
      return;
    }
    console.out().printf("%s%n", largest.family());
    for (int i = 0; i < fits.size(); i++) {
      console.out().printf("Model %d: %s (%s)%n", i + 1, fits.get(i).formula(), fits.get(i).name());
    }
    console.out().println();
    table.print(console.out());
    note(fits, console);
  }

  private static void note(List<StoredFit> fits, Console console) {
    if (fits.stream().anyMatch(StoredFit::robust)) {
      console.out().printf("%nNote: %s%n", AnalysisOfDeviance.NOT_ROBUST);
    }
  }
}
