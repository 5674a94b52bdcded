package ngd.app.federation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.run.JsonObject;
import ngd.core.theory.Exposed;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.PlanReader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation exposure}: what sites learn of each other under a plan. */
@Command(
    name = "exposure",
    description = {
      "Computes what sites can learn of each other's data under a plan, alone or in coalitions.",
      "For linear models by ngd, balanced-ngd, dgd and pooled-rounds: the rank and condition of"
          + " what is heard. Elsewhere, and where a computation would be too large, whatever"
          + " reaches a site is assumed to be learned.",
      ""
    })
final class FederationExposureCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "PLAN",
      description = "The plan, or a folder with plan.yaml, such as a site's.")
  private @Nullable Path file;

  @Option(
      names = "--coalition",
      paramLabel = "K",
      defaultValue = "1",
      description =
          "Largest number of sites that pool what they hear and what they have; 1 by default.")
  private int coalition = 1;

  @Option(
      names = "--rounds",
      paramLabel = "T",
      description = "Rounds to consider; those of the plan by default.")
  private @Nullable Integer rounds;

  @Option(
      names = "--coefficients",
      paramLabel = "P",
      description =
          "Number of coefficients; by default that of the formula with all predictors numeric."
              + " Factors have more.")
  private @Nullable Integer coefficients;

  @Option(
      names = "--totals",
      description =
          "Assume that the pooled second moments are known too, as after a pooled fit of the same"
              + " formula.")
  private boolean totals;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (file == null) {
      throw new InvalidInput("PLAN: the plan must be given, such as plan.yaml");
    }
    Problems problems = new Problems();
    problems.require(
        rounds == null || rounds >= 0, "--rounds: must be 0 or more; got %s".formatted(rounds));
    problems.require(
        coefficients == null || coefficients >= 1,
        "--coefficients: must be at least 1; got %s".formatted(coefficients));
    problems.throwIfAny();
    Path plan = Files.isDirectory(file) ? file.resolve("plan.yaml") : file;
    Exposure exposure =
        Exposure.of(
            PlanReader.read(plan).plan(),
            new Exposure.Options(
                coalition, Optional.ofNullable(rounds), Optional.ofNullable(coefficients), totals));
    if (format.isJson()) {
      console.out().println(json(exposure));
    } else {
      exposure.statements().forEach(console.out()::println);
    }
    return Exit.DONE;
  }

  static JsonObject json(Exposure exposure) {
    return new JsonObject()
        .put("sites", exposure.names())
        .put("coalition", exposure.options().coalition())
        .put("computed", exposure.followed().isPresent())
        .put("coefficients", exposure.followed().map(said -> said.coefficients()).orElse(null))
        .put("rounds", exposure.followed().map(said -> said.rounds()).orElse(null))
        .put("statements", exposure.statements())
        .put("models", exposure.models().stream().map(one -> json(one, exposure.names())).toList());
  }

  private static JsonObject json(Exposed one, List<String> names) {
    return new JsonObject()
        .put("coalition", one.coalition().stream().map(names::get).toList())
        .put("accuracyAfter", one.rounds() < 0 ? null : one.rounds())
        .put("sites", one.findings().stream().map(finding -> json(finding, names)).toList());
  }

  private static JsonObject json(Exposed.Finding finding, List<String> names) {
    return new JsonObject()
        .put("site", names.get(finding.site()))
        .put("verdict", finding.verdict().word())
        .put("determinedAfter", finding.rounds() < 0 ? null : finding.rounds())
        .put("accuracy", finding.accuracy())
        .put("known", finding.known() < 0 ? null : finding.known())
        .put("unknowns", finding.unknowns());
  }
}
