package ngd.app.fit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.Version;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shards;
import ngd.core.fit.FitSetup;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.question.FitKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.theory.Check;
import ngd.core.theory.Curvature;
import ngd.core.theory.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd check}: what the theory says of a fit before it runs. */
@Command(
    name = "check",
    description = {
      "Predicts convergence without running: whether, how fast and to what. Takes the same options as fit.",
      ""
    })
public final class CheckCommand extends QuestionCommand {
  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder to write, new or empty: check.json and manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  public CheckCommand() {
    super(FitKeys.ALL);
  }

  @Override
  public Integer call() {
    Console console = console();
    Problems problems = new Problems();
    Question question = CheckQuestion.read(words(), problems);
    work.check(problems);
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    FitSetup setup = FitSetup.of(question);
    setup.notes().forEach(note -> console.err().println("ngd check: " + note));
    StepSize step =
        question.find(MethodKeys.ALPHA).orElse(new StepChoice.None())
                instanceof StepChoice.Given(StepSize alpha)
            ? alpha
            : null;
    CheckReport report = new CheckReport(setup, judge(setup, step), step);
    CheckQuestion.beyondTheTheory(question)
        .ifPresent(words -> console.err().println("ngd check: warning: " + words));
    if (folder != null) {
      SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
      files.put("check.json", RunFolder.text(report.json()));
      folder.write(
          new Manifest(
              "check",
              Version.number(),
              question,
              setup.sample().source(),
              setup.sample().rows(),
              setup.sample().hash()),
          files);
    }
    if (format.isJson()) {
      console.out().println(report.json());
    } else {
      report.print(console.out());
      if (folder != null) {
        console.out().printf("%nwritten to %s%n", folder.path());
      }
    }
    return Exit.DONE;
  }

  private static Check judge(FitSetup setup, @Nullable StepSize step) {
    Shards shards = setup.sample().shards();
    List<String> names = setup.sample().features();
    double @Nullable [] estimate = null;
    String why = "";
    try {
      estimate = GlobalEstimate.of(setup.regression(), shards, names).theta();
    } catch (NoEstimate none) {
      why = "there is no global estimate: " + none.getMessage();
    }
    double alpha = step == null ? halfSafe(setup, shards, estimate) : settled(step);
    Problem theory = Problem.of(setup.network().network(), setup.regression(), shards, alpha);
    return Check.of(
        estimate == null ? theory.withoutEstimate(why) : theory.near(estimate), setup.truth());
  }

  /** Where no step size is given, a sound one: half the safe limit. */
  private static double halfSafe(FitSetup setup, Shards shards, double @Nullable [] estimate) {
    boolean linear = setup.regression() instanceof Linear;
    if (estimate == null && !linear) {
      throw new InvalidInput(
          "--alpha: must be given, as without a global estimate there is no safe limit");
    }
    double[] at = estimate == null ? new double[shards.features()] : estimate;
    double safe = Curvature.at(setup.regression(), shards, at).eigenvalues().safeAlpha();
    return Double.isFinite(safe) ? safe / 2 : 1;
  }

  /** The α that decides where a run ends: the last of a schedule. */
  static double settled(StepSize step) {
    return step instanceof StepSize.Cuts cuts ? cuts.cuts().getLast().alpha() : step.largest();
  }
}
