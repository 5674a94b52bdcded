package ngd.app.fit;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.NumberText;
import ngd.app.terminal.Problems;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.TextTable;
import ngd.app.terminal.Top;
import ngd.app.terminal.WorkFailed;
import ngd.core.algorithm.Algorithms;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Trace;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd compare}: several algorithms on the same data and network. */
@Command(
    name = "compare",
    description = {
      "Runs several algorithms on the same data and network and compares what they find and cost.",
      ""
    })
public final class CompareCommand implements Callable<Integer>, ConfigFile.Reader {
  @ParentCommand private @Nullable Top parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A YAML file with options, as for fit.")
  private @Nullable Path configFile;

  @Option(
      names = "--algorithms",
      paramLabel = "WORD",
      split = ",",
      description = "The algorithms to compare, in the words of fit's --algorithm.")
  private List<String> algorithms = List.of();

  @Mixin private SetupOptions setupOptions = new SetupOptions();
  @Mixin private RunOptions runOptions = new RunOptions();
  @Mixin private FormatOption format = new FormatOption();

  /** One algorithm's line; what it found, or why it failed. */
  private record Line(String word, @Nullable FitResult result, String failure, double seconds) {}

  @Override
  public @Nullable Path configFile() {
    return configFile;
  }

  @Override
  public Integer call() {
    Console console = Top.consoleOf(parent);
    Problems problems = new Problems();
    problems.require(!algorithms.isEmpty(), "--algorithms: those to compare must be named");
    Map<String, Algorithms.Named> named = new LinkedHashMap<>();
    for (String word : algorithms) {
      Algorithms.Named one = problems.collect(() -> Algorithms.parse(word));
      if (one != null) {
        runOptions.checkOptions(one.method(), problems);
        problems.require(named.put(word, one) == null, "--algorithms: `" + word + "` comes twice");
      }
    }
    RunOptions.Plan plan =
        runOptions.plan(named.isEmpty() ? null : named.values().iterator().next(), problems);
    Setup setup = setupOptions.prepare(problems);
    problems.throwIfAny();
    if (plan == null || setup == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    setup.sample().notes().forEach(note -> console.err().println("ngd compare: " + note));
    Map<String, Fit> fits = new LinkedHashMap<>();
    named.forEach(
        (word, one) -> {
          Fit fit = problems.collect(() -> Fit.prepare(setup, plan.with(one)));
          if (fit != null) {
            fits.put(word, fit);
          }
        });
    problems.throwIfAny();
    List<Line> lines = new ArrayList<>();
    fits.forEach((word, fit) -> lines.add(run(word, fit, console)));
    RunFolder folder = plan.folder();
    if (folder != null) {
      write(folder.path(), lines);
    }
    print(lines, folder, console);
    return lines.stream().allMatch(line -> line.result() == null) ? Exit.FAILED : Exit.DONE;
  }

  private static Line run(String word, Fit fit, Console console) {
    fit.warnings()
        .forEach(
            warning -> console.err().println("ngd compare: warning: " + word + ": " + warning));
    long start = System.nanoTime();
    try (ProgressBar bar = new ProgressBar(console, word)) {
      FitResult result = fit.run(bar);
      return new Line(word, result, "", (System.nanoTime() - start) * 1e-9);
    } catch (WorkFailed failed) {
      String why = String.valueOf(failed.getMessage());
      console.err().println("ngd compare: " + word + ": " + why);
      return new Line(word, null, why, (System.nanoTime() - start) * 1e-9);
    }
  }

  private static final List<String> COLUMNS =
      List.of("algorithm", "distance", "consensus", "rounds", "messages", "bytes", "seconds");

  private static List<String> cells(Line line, boolean exact) {
    FitResult result = line.result();
    if (result == null) {
      return List.of(
          line.word(), exact ? "" : "failed", "", "", "", "", number(line.seconds(), exact));
    }
    return List.of(
        line.word(),
        result.last("distance").map(value -> number(value, exact)).orElse(""),
        result.last("consensus").map(value -> number(value, exact)).orElse(""),
        Integer.toString(result.allRounds()),
        Long.toString(result.traffic().messages()),
        Long.toString(result.traffic().bytes()),
        number(line.seconds(), exact));
  }

  private static String number(double value, boolean exact) {
    return exact ? Double.toString(value) : NumberText.text(value, 4);
  }

  private void print(List<Line> lines, @Nullable RunFolder folder, Console console) {
    if (format.isJson()) {
      List<JsonObject> objects = new ArrayList<>();
      for (Line line : lines) {
        FitResult result = line.result();
        objects.add(
            new JsonObject()
                .put("algorithm", line.word())
                .put(
                    "distanceToGlobal",
                    result == null ? null : result.last("distance").orElse(null))
                .put("consensus", result == null ? null : result.last("consensus").orElse(null))
                .put("rounds", result == null ? null : result.allRounds())
                .put("messages", result == null ? null : result.traffic().messages())
                .put("bytes", result == null ? null : result.traffic().bytes())
                .put("seconds", line.seconds())
                .put("failure", result == null ? line.failure() : null));
      }
      console.out().println(new JsonObject().put("algorithms", objects));
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
  private static void write(Path folder, List<Line> lines) {
    try {
      Files.createDirectories(folder);
      try (CsvWriter csv =
          CsvWriter.builder()
              .lineDelimiter(LineDelimiter.LF)
              .build(folder.resolve("compare.csv"))) {
        csv.writeRecord(COLUMNS);
        lines.forEach(line -> csv.writeRecord(cells(line, true)));
      }
      try (CsvWriter csv =
          CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(folder.resolve("trace.csv"))) {
        boolean headed = false;
        for (Line line : lines) {
          FitResult result = line.result();
          if (result == null) {
            continue;
          }
          Trace trace = result.trace();
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
      draw(folder, "rounds", lines, (trace, i) -> trace.round(i));
      draw(folder, "messages", lines, (trace, i) -> trace.traffic(i).messages());
      draw(folder, "bytes", lines, (trace, i) -> trace.traffic(i).bytes());
    } catch (IOException e) {
      throw new WorkFailed("%s: cannot be written: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private static boolean asynchronous(Line line) {
    return Objects.requireNonNull(line.result()).fit().plan().algorithm().method().asynchronous();
  }

  /** The distance to the global estimate, its logarithm to base 10, against what it cost. */
  private static void draw(
      Path folder, String cost, List<Line> lines, BiFunction<Trace, Integer, Number> at)
      throws IOException {
    List<Line> drawn =
        lines.stream()
            .filter(line -> line.result() != null)
            .filter(line -> line.result().trace().columns().contains("distance"))
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
            "log10 distance",
            false);
    for (Line line : drawn) {
      Trace trace = Objects.requireNonNull(line.result()).trace();
      double[] x = new double[trace.size()];
      double[] y = new double[trace.size()];
      for (int i = 0; i < x.length; i++) {
        x[i] = at.apply(trace, i).doubleValue();
        y[i] = Math.log10(trace.value(i, "distance"));
      }
      figure.curve("", "", line.word(), x, y);
    }
    Figure picture = figure.figure("distance to the global estimate against " + cost);
    Files.writeString(folder.resolve(cost + ".svg"), picture.svg(cost));
    Files.write(folder.resolve(cost + ".png"), picture.png());
  }
}
