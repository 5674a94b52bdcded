package ngd.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.answer.AnswerReport;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.run.StoredRun;
import ngd.core.run.StoredTrace;
import ngd.studies.figure.Figure;
import ngd.studies.figure.TraceFigure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code ngd plot}: the curves of stored runs, or the forest plot or survival curves of one answer,
 * as a picture.
 */
@Command(
    name = "plot",
    description = {
      "Plots the curves of one or several runs, the forest plot of a pooled fit, or survival curves"
          + " with numbers at risk and, of competing causes, cumulative incidences.",
      ""
    })
final class PlotCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RootCommand parent;

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN",
      description = "Run folders, as written by `fit --out` and `compare --out`.")
  private List<Path> runs = List.of();

  @Option(names = "--out", paramLabel = "FILE", description = "File to write, .svg, .png or .pdf.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    Problems problems = new Problems();
    problems.require(!runs.isEmpty(), "RUN: at least one run folder must be given");
    Path file = out;
    Picture picture = file == null ? null : problems.collect(() -> Picture.at("--out", file));
    problems.require(file != null, "--out: the file to write must be given, such as curves.svg");
    if (runs.size() == 1 && pooled(runs.getFirst())) {
      problems.throwIfAny();
      Path result = runs.getFirst().resolve("result.json");
      Figure figure = AnswerReport.figure(result.toString(), StoredRun.object(result));
      Objects.requireNonNull(picture).write(figure);
      RootCommand.consoleOf(parent).out().printf("written to %s%n", file);
      return Exit.DONE;
    }
    TraceFigure figure = new TraceFigure();
    for (Path run : runs) {
      var _ = problems.collect(() -> add(figure, run));
    }
    problems.throwIfAny();
    Objects.requireNonNull(picture).write(figure.figure("curves over the rounds"));
    RootCommand.consoleOf(parent).out().printf("written to %s%n", file);
    return Exit.DONE;
  }

  /** Whether a run has an answer and no curves. */
  private static boolean pooled(Path run) {
    return Files.isRegularFile(run.resolve("result.json"))
        && !Files.exists(run.resolve("trace.csv"));
  }

  private static boolean add(TraceFigure figure, Path run) {
    if (!Files.isDirectory(run)) {
      throw new InvalidInput("%s: must be a run folder; it does not exist".formatted(run));
    }
    if (pooled(run)) {
      throw new InvalidInput(
          "%s: must have curves; a pooled fit has none, and its figure is drawn alone"
              .formatted(run));
    }
    for (StoredTrace trace : StoredTrace.read(run.resolve("trace.csv"))) {
      String name = String.valueOf(run.toAbsolutePath().normalize().getFileName());
      figure.add(trace.name().isEmpty() ? name : name + " " + trace.name(), trace);
    }
    return true;
  }
}
