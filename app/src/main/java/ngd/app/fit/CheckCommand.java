package ngd.app.fit;

import java.nio.file.Path;
import java.util.Optional;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.Version;
import ngd.core.Problems;
import ngd.core.algorithm.StepSize;
import ngd.core.answer.CheckAnswer;
import ngd.core.data.Shards;
import ngd.core.fit.FitSetup;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Forecast;
import ngd.core.inference.PooledFit;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Regression;
import ngd.core.question.CheckKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.FitKeys;
import ngd.core.question.Question;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Simulation;
import ngd.core.theory.ShardDerivatives;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd check}: what the theory says of a fit before it runs. */
@Command(
    name = "check",
    description = {
      "Predicts convergence without running: whether, how fast and to what. Takes the same options"
          + " as fit.",
      ""
    })
public final class CheckCommand extends QuestionCommand {
  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder to write, new or empty: check.json, check.csv and manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  public CheckCommand() {
    super(FitKeys.ALL);
  }

  @Override
  public Integer call() {
    Console console = console();
    Problems problems = new Problems();
    Question question = CheckKeys.read(words(), problems);
    work.check(problems);
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    FitSetup setup = FitSetup.of(question);
    setup.notes().forEach(note -> console.err().println("ngd check: " + note));
    CheckAnswer answer = judge(setup);
    CheckKeys.beyondTheTheory(question)
        .ifPresent(words -> console.err().println("ngd check: warning: " + words));
    if (folder != null) {
      folder.write(
          new Manifest(
              "check",
              Version.number(),
              question,
              setup.sample().source(),
              setup.sample().rows(),
              setup.sample().hash()),
          answer.files());
    }
    if (format.isJson()) {
      console.out().println(answer.json());
    } else {
      new CheckReport(setup, answer).print(console.out());
      if (folder != null) {
        console.out().printf("%nwritten to %s%n", folder.path());
      }
    }
    return Exit.DONE;
  }

  private static CheckAnswer judge(FitSetup setup) {
    Shards shards = setup.sample().shards();
    Optional<StepSize> step = CheckKeys.step(setup.question());
    return new CheckAnswer(
        Forecast.of(
            setup.network().schedule(),
            setup.loss(),
            new ShardDerivatives(shards),
            // Sites find it as they would find a pooled fit.
            setup.question().says(DataKeys.SITE) && setup.loss() instanceof Regression
                ? () -> bySums(setup)
                : () ->
                    GlobalEstimate.of(setup.loss(), shards, setup.sample().columnNames()).theta(),
            step,
            setup.truth()),
        step,
        setup.sample().rowsUsed());
  }

  private static double[] bySums(FitSetup setup) {
    PooledFit fit =
        PooledFit.on(
            setup.network().schedule(),
            setup.regression(),
            setup.sample().features(),
            PooledFit.Settings.STANDARD);
    Simulation simulation =
        new Simulation(
            setup.network().schedule(),
            setup.regression().over(setup.sample().shards()),
            setup.streams(),
            1);
    return simulation.within((world, _) -> fit.run(world, FitProgress.NONE).theta());
  }
}
