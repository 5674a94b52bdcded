package ngd.app.fit;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.Problems;
import ngd.app.terminal.Top;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.theory.Check;
import ngd.core.theory.Curvature;
import ngd.core.theory.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd check}: what the theory says of a fit before it runs. */
@Command(
    name = "check",
    description = {
      "Says what the theory says of a fit before it runs; takes the options of fit and runs nothing.",
      ""
    })
public final class CheckCommand implements Callable<Integer>, ConfigFile.Reader {
  @ParentCommand private @Nullable Top parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A YAML file with options, as for fit.")
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
    Problems problems = new Problems();
    runOptions.requireNgd(problems);
    StepSize step = runOptions.stepSize(problems);
    Setup prepared = setupOptions.prepare(problems);
    problems.throwIfAny();
    Setup setup = Objects.requireNonNull(prepared);
    Console console = Top.consoleOf(parent);
    setup.sample().notes().forEach(note -> console.err().println("ngd check: " + note));
    CheckReport report = new CheckReport(setup, judge(setup, step), step);
    runOptions
        .beyondTheTheory()
        .ifPresent(words -> console.err().println("ngd check: warning: " + words));
    if (format.isJson()) {
      console.out().println(report.json());
    } else {
      report.print(console.out());
    }
    return Exit.DONE;
  }

  private static Check judge(Setup setup, @Nullable StepSize step) {
    Shards shards = setup.sample().shards();
    List<String> names = setup.sample().features();
    double @Nullable [] estimate = null;
    String why = "";
    try {
      estimate = GlobalEstimate.of(setup.glm(), shards, names).theta();
    } catch (NoEstimate none) {
      why = "there is no global estimate: " + none.getMessage();
    }
    double alpha = step == null ? halfSafe(setup, shards, estimate) : settled(step);
    Problem theory = Problem.of(setup.network().network(), setup.glm(), shards, alpha);
    return Check.of(
        estimate == null ? theory.withoutEstimate(why) : theory.near(estimate),
        setup.model().map(PaperModel::truth));
  }

  /** Where no step size is given, a sound one: half the safe limit. */
  private static double halfSafe(Setup setup, Shards shards, double @Nullable [] estimate) {
    boolean linear = setup.glm() instanceof Linear;
    if (estimate == null && !linear) {
      throw new InvalidInput(
          "--alpha: must be given, as there is no global estimate at which to judge the safe limit");
    }
    double[] at = estimate == null ? new double[shards.features()] : estimate;
    double safe = Curvature.at(setup.glm(), shards, at).eigenvalues().safeAlpha();
    return Double.isFinite(safe) ? safe / 2 : 1;
  }

  /** The α that decides where a run ends: the last of a schedule. */
  static double settled(StepSize step) {
    return step instanceof StepSize.Cuts cuts ? cuts.cuts().getLast().alpha() : step.largest();
  }
}
