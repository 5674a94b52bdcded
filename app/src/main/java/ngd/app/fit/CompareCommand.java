package ngd.app.fit;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.TextTable;
import ngd.app.terminal.Version;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.WorkFailed;
import ngd.core.answer.MethodAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.fit.MethodRun;
import ngd.core.question.CompareKeys;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.simulation.SimulatedRun;
import ngd.core.simulation.Trace;
import ngd.core.simulation.Traffic;
import ngd.core.world.Diverged;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd compare}: several algorithms on the same data and network. */
@Command(
    name = "compare",
    description = {
      "Compares the accuracy and cost of several algorithms on the same data and network.",
      ""
    })
public final class CompareCommand extends QuestionCommand {
  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder to write, new or empty: compare.csv, trace.csv, figures, result.json and manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  public CompareCommand() {
    super(CompareKeys.ALL);
  }

  /** One algorithm's line; what it found, or why it failed. */
  private record Line(
      String word, MethodRun run, @Nullable MethodAnswer result, String failure, double seconds) {}

  @Override
  public Integer call() {
    Console console = console();
    Problems problems = new Problems();
    CompareKeys.Asked asked = CompareKeys.read(words(), problems);
    work.check(problems);
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    Map<String, Question> questions = asked.each();
    FitSetup setup = FitSetup.of(questions.values().iterator().next());
    setup.notes().forEach(note -> console.err().println("ngd compare: " + note));
    Map<String, MethodRun> runs = new LinkedHashMap<>();
    questions.forEach(
        (word, question) -> {
          MethodRun run =
              problems.collect(() -> MethodRun.prepare(setup.asking(question), work.threads()));
          if (run != null) {
            runs.put(word, run);
          }
        });
    problems.throwIfAny();
    List<Line> lines = new ArrayList<>();
    runs.forEach((word, run) -> lines.add(run(word, run, console)));
    if (folder != null) {
      folder.write(
          new Manifest(
              "compare",
              Version.number(),
              asked.question(),
              setup.sample().source(),
              setup.sample().rows(),
              setup.sample().hash()),
          files(lines));
    }
    print(lines, folder, console);
    return lines.stream().allMatch(line -> line.result() == null) ? Exit.FAILED : Exit.DONE;
  }

  private static Line run(String word, MethodRun run, Console console) {
    run.warnings()
        .forEach(
            warning -> console.err().println("ngd compare: warning: " + word + ": " + warning));
    warmUp(run);
    long start = System.nanoTime();
    try {
      MethodAnswer result =
          ProgressBar.during(console, "compare", bar -> run.run((done, of) -> bar.at(done, of)));
      return new Line(word, run, result, "", (System.nanoTime() - start) * 1e-9);
    } catch (WorkFailed failed) {
      String why = String.valueOf(failed.getMessage());
      console.err().println("ngd compare: " + word + ": " + why);
      return new Line(word, run, null, why, (System.nanoTime() - start) * 1e-9);
    }
  }

  /** Lets the compiler see each algorithm before it is timed, or the first would pay for all. */
  private static void warmUp(MethodRun run) {
    long until = System.nanoTime() + WARM_UP_NS;
    try (SimulatedRun warm = run.warmUp()) {
      while (System.nanoTime() < until) {
        warm.advance(1);
      }
    } catch (Diverged diverges) {
      // It will be said of the run itself.
    }
  }

  /** Long enough for the compiler's last word on a round. */
  private static final long WARM_UP_NS = 300_000_000;

  private static final List<String> COLUMNS =
      List.of("algorithm", "distance", "consensus", "rounds", "messages", "bytes", "seconds");

  private static List<String> cells(Line line, boolean exact) {
    MethodAnswer result = line.result();
    if (result == null) {
      return List.of(
          line.word(), exact ? "" : "failed", "", "", "", "", number(line.seconds(), exact));
    }
    return List.of(
        line.word(),
        result.last("distance").map(value -> number(value, exact)).orElse(""),
        result.last("consensus").map(value -> number(value, exact)).orElse(""),
        Integer.toString(result.allRounds()),
        Long.toString(traffic(result).messages()),
        Long.toString(traffic(result).bytes()),
        number(line.seconds(), exact));
  }

  private static String number(double value, boolean exact) {
    return exact ? Double.toString(value) : NumberText.text(value, 4);
  }

  private static Traffic traffic(MethodAnswer result) {
    return result.course().traffic().orElse(Traffic.NONE);
  }

  private static JsonObject json(List<Line> lines) {
    List<JsonObject> objects = new ArrayList<>();
    for (Line line : lines) {
      Optional<MethodAnswer> result = Optional.ofNullable(line.result());
      objects.add(
          new JsonObject()
              .put("algorithm", line.word())
              .put("distanceToGlobal", result.flatMap(r -> r.last("distance")).orElse(null))
              .put("consensus", result.flatMap(r -> r.last("consensus")).orElse(null))
              .put("rounds", result.map(MethodAnswer::allRounds).orElse(null))
              .put("messages", result.map(r -> traffic(r).messages()).orElse(null))
              .put("bytes", result.map(r -> traffic(r).bytes()).orElse(null))
              .put("seconds", line.seconds())
              .put("failure", result.isPresent() ? null : line.failure()));
    }
    return new JsonObject().put("algorithms", objects);
  }

  private void print(List<Line> lines, @Nullable RunFolder folder, Console console) {
    if (format.isJson()) {
      console.out().println(json(lines));
      return;
    }
    TextTable table = new TextTable(COLUMNS);
    lines.forEach(line -> table.add(cells(line, false)));
    table.print(console.out());
    console.out().println();
    console
        .out()
        .println("distance: root mean square distance of the clients to the global estimate");
    if (folder != null) {
      console.out().printf("written to %s%n", folder.path());
    }
  }

  /**
   * {@code compare.csv}, a line for each algorithm, and {@code trace.csv}, all their traces, with
   * figures.
   */
  private static SequencedMap<String, RunFolder.Content> files(List<Line> lines) {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put(
        "compare.csv",
        RunFolder.lines(
            csv -> {
              csv.writeRecord(COLUMNS);
              lines.forEach(line -> csv.writeRecord(cells(line, true)));
            }));
    files.put("trace.csv", RunFolder.lines(csv -> traces(lines, csv)));
    draw(files, "rounds", lines, (trace, i) -> trace.round(i));
    draw(files, "messages", lines, (trace, i) -> trace.traffic(i).messages());
    draw(files, "bytes", lines, (trace, i) -> trace.traffic(i).bytes());
    files.put("result.json", RunFolder.text(json(lines)));
    return files;
  }

  private static Optional<Trace> trace(Line line) {
    return Optional.ofNullable(line.result()).flatMap(result -> result.course().trace());
  }

  private static void traces(List<Line> lines, CsvWriter csv) {
    boolean headed = false;
    for (Line line : lines) {
      Optional<Trace> measured = trace(line);
      if (measured.isEmpty()) {
        continue;
      }
      Trace trace = measured.get();
      if (!headed) {
        List<String> head = new ArrayList<>(List.of("algorithm", "round", "messages", "bytes"));
        head.addAll(trace.columns());
        csv.writeRecord(head);
        headed = true;
      }
      for (int i = 0; i < trace.size(); i++) {
        List<String> row =
            new ArrayList<>(
                List.of(
                    line.word(),
                    Integer.toString(trace.round(i)),
                    Long.toString(trace.traffic(i).messages()),
                    Long.toString(trace.traffic(i).bytes())));
        for (String column : trace.columns()) {
          row.add(Double.toString(trace.value(i, column)));
        }
        csv.writeRecord(row);
      }
    }
  }

  private static boolean asynchronous(Line line) {
    return line.run().choice().descriptor().asynchronous();
  }

  /** The distance to the global estimate, its natural logarithm, against what it cost. */
  private static void draw(
      SequencedMap<String, RunFolder.Content> files,
      String cost,
      List<Line> lines,
      BiFunction<Trace, Integer, Number> at) {
    List<Line> drawn =
        lines.stream()
            .filter(line -> trace(line).filter(t -> t.columns().contains("distance")).isPresent())
            .toList();
    if (drawn.isEmpty()) {
      return;
    }
    CurveFigure figure =
        new CurveFigure(
            List.of(""),
            List.of(""),
            drawn.stream().map(Line::word).toList(),
            "",
            cost.equals("rounds") && drawn.stream().anyMatch(CompareCommand::asynchronous)
                ? "rounds, or simulated seconds of the asynchronous"
                : cost,
            "log distance",
            false);
    for (Line line : drawn) {
      Trace trace = trace(line).orElseThrow();
      double[] x = new double[trace.size()];
      double[] y = new double[trace.size()];
      for (int i = 0; i < x.length; i++) {
        x[i] = at.apply(trace, i).doubleValue();
        y[i] = Math.log(trace.value(i, "distance"));
      }
      figure.curve("", "", line.word(), x, y);
    }
    Figure picture = figure.figure("distance to the global estimate against " + cost);
    files.put(cost + ".svg", file -> Files.writeString(file, picture.svg(cost)));
    files.put(cost + ".png", file -> Files.write(file, picture.png()));
    files.put(cost + ".pdf", file -> Files.write(file, picture.pdf()));
  }
}
