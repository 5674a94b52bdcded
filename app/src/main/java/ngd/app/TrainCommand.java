package ngd.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.WorkFailed;
import ngd.core.question.Question;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingFailed;
import ngd.core.training.TrainingKeys;
import ngd.core.training.TrainingQuestion;
import ngd.core.training.TrainingResult;
import ngd.core.world.Diverged;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd train}: neural networks over simulated clients. */
@Command(
    name = "train",
    description = {
      "Trains a neural network on simulated clients and evaluates each client's model.",
      "",
      "libtorch (about 110 MB) is downloaded on first use.",
      ""
    })
final class TrainCommand extends QuestionCommand {
  @Option(
      names = "--threads",
      paramLabel = "K",
      description = "Threads to use; all cores by default.")
  private @Nullable Integer threads;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "K",
      description = "Save a checkpoint in --out every K rounds; by default at every evaluation.")
  private @Nullable Integer checkpointEvery;

  @Option(
      names = "--resume",
      description = "Resume from the checkpoint in --out; other options must be unchanged.")
  private boolean resume;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Run folder to write: theta.safetensors, trace.csv, errors.csv, result.json, manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  TrainCommand() {
    super(TrainingKeys.ALL);
  }

  @Override
  public Integer call() {
    Console console = console();
    TrainingQuestion plan = question();
    TrainingResult result;
    try (TrainingWatch watch = new TrainingWatch(console, plan)) {
      result = Trainer.find().train(plan, watch);
    } catch (Diverged e) {
      throw new WorkFailed(e.getMessage() + "; use a smaller --alpha", e);
    } catch (TrainingFailed e) {
      throw new WorkFailed(e.getMessage(), e);
    }
    if (format.isJson()) {
      console.out().println(result.json());
    } else {
      print(plan, result, console);
    }
    return Exit.DONE;
  }

  private TrainingQuestion question() {
    Problems problems = new Problems();
    Question question = TrainingKeys.read(words(), problems);
    problems.require(!resume || out != null, "--resume: needs --out, where the checkpoint is");
    atLeastOne("--threads", threads, problems);
    atLeastOne("--checkpoint-every", checkpointEvery, problems);
    problems.throwIfAny();
    return new TrainingQuestion(
        question,
        new TrainingQuestion.Work(
            threads == null ? Runtime.getRuntime().availableProcessors() : threads,
            checkpointEvery == null ? 0 : checkpointEvery,
            out,
            resume));
  }

  private static void atLeastOne(String option, @Nullable Integer found, Problems problems) {
    problems.require(
        found == null || found >= 1, "%s: must be at least 1; got %s".formatted(option, found));
  }

  private static void print(TrainingQuestion plan, TrainingResult result, Console console) {
    console
        .out()
        .printf(
            "%s with %,d parameters: %s of %s, alpha %s, %s of %s, %s%n%n",
            plan.model(),
            result.parameters(),
            NumberText.count(result.last().round(), "round"),
            plan.algorithm().spec(),
            plan.algorithm().step().spec(),
            NumberText.count(result.samples(), "sample"),
            result.data(),
            plan.pooled()
                ? "pooled"
                : "%s on %s"
                    .formatted(NumberText.count(result.clients(), "client"), plan.network()));
    TextTable table = new TextTable(List.of("round", "epoch", "mean Err", "log SD"));
    for (TrainingResult.Point point : result.points()) {
      table.add(
          List.of(
              Integer.toString(point.round()),
              NumberText.text(point.epoch(), 4),
              NumberText.text(point.mean(), 4),
              NumberText.text(point.logSd(), 4)));
    }
    table.print(console.out());
    console
        .out()
        .printf(
            Locale.ROOT,
            "%n%.2f ms a round on %s in %s: %s%n",
            1e3 * result.secondsPerRound(),
            plan.device(),
            plan.precision(),
            result.passes());
    if (plan.out() != null) {
      console.out().printf("written to %s%n", plan.out());
    }
  }
}
