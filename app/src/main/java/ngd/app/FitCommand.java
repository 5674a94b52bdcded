package ngd.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import ngd.core.run.Manifest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd fit}: learns the coefficients over simulated clients. */
@Command(
    name = "fit",
    description = {
      "Learns one model over simulated clients and compares it with the global estimate.",
      ""
    })
final class FitCommand implements Callable<Integer>, ConfigFile.Reader {
  @ParentCommand private @Nullable Ngd parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "A YAML file whose keys are the options below without their dashes. Flags override it;"
              + " paths in it are relative to it.")
  private @Nullable Path configFile;

  @Mixin private SetupOptions setupOptions = new SetupOptions();
  @Mixin private RunOptions runOptions = new RunOptions();
  @Mixin private FormatOption format = new FormatOption();

  @Override
  public @Nullable Path configFile() {
    return configFile;
  }

  @Override
  public Integer call() {
    Console console = Ngd.console(parent);
    Problems problems = new Problems();
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
      Manifest manifest =
          new Manifest(
              "fit",
              Ngd.Version.number(),
              fit.asked(),
              setup.sample().source(),
              setup.sample().rows(),
              setup.sample().hash());
      plan.folder()
          .write(
              manifest, setup.sample().features(), result.theta(), result.trace(), result.json());
    }
    if (format.isJson()) {
      console.out().println(result.json());
    } else {
      result.print(console.out(), plan.folder());
    }
    return Ngd.DONE;
  }
}
