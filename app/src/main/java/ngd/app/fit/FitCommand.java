package ngd.app.fit;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.Problems;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.Top;
import ngd.app.terminal.Version;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd fit}: learns the coefficients over simulated clients. */
@Command(
    name = "fit",
    description = {
      "Learns one model over simulated clients.",
      "With neither --alpha nor --algorithm it finds the estimate of the pooled data"
          + " with its standard errors; with either it does what it is told and compares"
          + " the result with the global estimate.",
      ""
    })
public final class FitCommand implements Callable<Integer>, ConfigFile.Reader {
  @ParentCommand private @Nullable Top parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "A YAML file whose keys are the options below without their dashes. Flags override it;"
              + " paths in it are relative to it.")
  private @Nullable Path configFile;

  @Mixin private SetupOptions setupOptions = new SetupOptions();
  @Mixin private RunOptions runOptions = new RunOptions();
  @Mixin private EstimateOptions estimateOptions = new EstimateOptions();
  @Mixin private FormatOption format = new FormatOption();

  @Override
  public @Nullable Path configFile() {
    return configFile;
  }

  @Override
  public Integer call() {
    return runOptions.told() ? rounds() : pooledAnswer();
  }

  /** The estimate of the pooled data with its standard errors, with nothing to choose. */
  private int pooledAnswer() {
    Console console = Top.consoleOf(parent);
    Problems problems = new Problems();
    runOptions.requireUntold(problems);
    PooledFit.Settings settings = estimateOptions.settings(runOptions.rounds(), problems);
    Inference.Options options = estimateOptions.inference(problems);
    RunFolder folder = runOptions.folder(problems);
    Setup setup = setupOptions.prepare(problems);
    problems.throwIfAny();
    if (settings == null || options == null || setup == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    setup.sample().notes().forEach(note -> console.err().println("ngd fit: " + note));
    Estimation estimation =
        new Estimation(
            setup, setup.sample().shards(), settings, options, runOptions.threads(), folder);
    EstimationResult result;
    try (ProgressBar bar = new ProgressBar(console, "fit")) {
      result = estimation.run(bar);
    }
    if (folder != null) {
      folder.write(manifest(setup, estimation.asked()), result.files());
    }
    if (format.isJson()) {
      console.out().println(result.json());
    } else {
      new EstimationTable(result).print(console.out(), folder);
    }
    if (estimateOptions.time()) {
      console.out().flush();
      EstimationTable.printTime(console.err(), result.seconds());
    }
    return Exit.DONE;
  }

  private static Manifest manifest(Setup setup, JsonObject asked) {
    return new Manifest(
        "fit",
        Version.number(),
        asked,
        setup.sample().source(),
        setup.sample().rows(),
        setup.sample().hash());
  }

  /** The method and step size that were asked for. */
  private int rounds() {
    Console console = Top.consoleOf(parent);
    Problems problems = new Problems();
    String misplaced = estimateOptions.firstGiven();
    problems.require(
        misplaced == null,
        misplaced + ": goes without --alpha and --algorithm, where the fit finds its own way");
    RunOptions.Plan plan = runOptions.plan(problems);
    Setup setup = setupOptions.prepare(problems);
    problems.throwIfAny();
    if (plan == null || setup == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    setup.sample().notes().forEach(note -> console.err().println("ngd fit: " + note));
    Fit fit = Fit.prepare(setup, plan);
    fit.warnings().forEach(warning -> console.err().println("ngd fit: warning: " + warning));
    FitResult result;
    try (ProgressBar bar = new ProgressBar(console, "fit")) {
      result = fit.run(bar);
    }
    if (plan.folder() != null) {
      plan.folder()
          .write(
              manifest(setup, fit.asked()),
              setup.sample().features(),
              result.theta(),
              result.trace(),
              result.json());
    }
    if (format.isJson()) {
      console.out().println(result.json());
    } else {
      result.print(console.out(), plan.folder());
    }
    return Exit.DONE;
  }
}
