package ngd.app.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.TextTable;
import ngd.app.terminal.Version;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.fit.Comparison;
import ngd.core.fit.Contender;
import ngd.core.fit.FitSetup;
import ngd.core.question.CompareKeys;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Cost;
import ngd.core.simulation.Quartiles;
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
          "Folder to write, new or empty: compare.csv, trace.csv, figures against rounds, messages,"
              + " bytes, gradients and simulated seconds, result.json and manifest.json; with"
              + " --seeds also bands.csv, seeds.csv and seed-traces.csv; with --tune tuning.csv.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  public CompareCommand() {
    super(CompareKeys.ALL);
  }

  @Override
  public Integer call() {
    Console console = console();
    Problems problems = new Problems();
    CompareKeys.Asked asked = CompareKeys.read(words(), problems);
    work.check(problems);
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    Comparison comparison = Comparison.of(asked, work.threads(), problems);
    comparison.setups().stream()
        .flatMap(setup -> setup.notes().stream())
        .distinct()
        .forEach(note -> console.err().println("ngd compare: " + note));
    List<ComparedMethod> methods =
        ProgressBar.during(console, "compare", bar -> compared(comparison, bar, console));
    CompareFiles files = new CompareFiles(methods, comparison.seeds());
    if (folder != null) {
      FitSetup setup = comparison.setup();
      folder.write(
          new Manifest(
              "compare",
              Version.number(),
              asked.question(),
              setup.sample().source(),
              setup.sample().rows(),
              setup.sample().hash()),
          files.all());
    }
    if (format.isJson()) {
      console.out().println(files.json());
    } else {
      print(methods, comparison, console);
      if (folder != null) {
        console.out().printf("written to %s%n", folder.path());
      }
    }
    return methods.stream().allMatch(ComparedMethod::failed) ? Exit.FAILED : Exit.DONE;
  }

  private static List<ComparedMethod> compared(
      Comparison comparison, ProgressBar bar, Console console) {
    List<ComparedMethod> methods = new ArrayList<>();
    for (Contender contender : comparison.methods()) {
      bar.say(contender.word());
      methods.add(new ComparedMethod(contender, contender.run(_ -> {}), Double.NaN));
      bar.at(methods.size(), comparison.methods().size());
      bar.pause();
      warn(methods.getLast(), console);
    }
    bar.say("time of a round");
    return timed(methods);
  }

  /** With the time that their rounds take. */
  private static List<ComparedMethod> timed(List<ComparedMethod> methods) {
    List<Double> seconds =
        RoundTimes.seconds(
            methods.stream()
                .map(
                    one ->
                        new RoundTimes.Timed(
                            one.run()::warmUp, one.failed() ? 0 : one.best().rounds()))
                .toList(),
            System::nanoTime);
    return IntStream.range(0, methods.size())
        .mapToObj(i -> methods.get(i).timed(seconds.get(i)))
        .toList();
  }

  /** What a person should know of a method; said once, whatever the number of seeds. */
  private static void warn(ComparedMethod method, Console console) {
    Set<String> warnings = new LinkedHashSet<>();
    if (method.outcome().tried().isEmpty()) {
      method.contender().seeds().forEach(seed -> warnings.addAll(seed.warnings()));
    }
    warnings.forEach(
        warning ->
            console.err().println("ngd compare: warning: " + method.word() + ": " + warning));
    if (method.failures() > 0) {
      int seeds = method.best().runs().size();
      console
          .err()
          .printf(
              "ngd compare: %s: %s%s%n",
              method.word(),
              seeds > 1 ? "%d of %d seeds: ".formatted(method.failures(), seeds) : "",
              method.failure());
    }
  }

  private static final List<String> COLUMNS =
      List.of(
          "algorithm",
          "alpha",
          "distance",
          "consensus",
          "rounds",
          "messages",
          "bytes",
          "gradients",
          "seconds");

  private static void print(List<ComparedMethod> methods, Comparison comparison, Console console) {
    boolean banded = comparison.seeds().size() > 1;
    List<String> columns = new ArrayList<>(COLUMNS);
    if (banded) {
      columns.addAll(3, List.of("25 %", "75 %"));
    }
    TextTable table = new TextTable(columns);
    methods.forEach(method -> table.add(cells(method, banded)));
    table.print(console.out());
    console.out().println();
    console
        .out()
        .println(
            "distance: root mean square distance of the clients to the global estimate"
                + (banded
                    ? "; medians and quartiles over the seeds %d to %d"
                        .formatted(comparison.seeds().getFirst(), comparison.seeds().getLast())
                    : ""));
    console
        .out()
        .println("gradients: of single rows, over all clients; bytes: sent by all clients");
    if (methods.stream().anyMatch(method -> !method.outcome().tried().isEmpty())) {
      console
          .out()
          .println("alpha: tuned where no step size was given, by the distance within the budget");
    }
  }

  private static List<String> cells(ComparedMethod method, boolean banded) {
    List<String> cells = new ArrayList<>(List.of(method.word(), method.best().alpha()));
    Quartiles distance = method.best().distance();
    cells.add(
        method.failed()
            ? "failed"
            : method.measured() ? NumberText.text(distance.median(), 4) : "");
    if (banded) {
      cells.add(method.measured() ? NumberText.text(distance.low(), 4) : "");
      cells.add(method.measured() ? NumberText.text(distance.high(), 4) : "");
    }
    if (method.failed()) {
      while (cells.size() < COLUMNS.size() + (banded ? 2 : 0)) {
        cells.add("");
      }
      return cells;
    }
    cells.add(method.last("consensus").map(value -> NumberText.text(value, 4)).orElse(""));
    cells.add(Integer.toString(method.rounds()));
    cells.add(Long.toString(Math.round(method.cost(cost -> cost.traffic().messages()))));
    cells.add(Long.toString(Math.round(method.cost(cost -> cost.traffic().bytes()))));
    cells.add(Long.toString(Math.round(method.cost(Cost::gradients))));
    cells.add(NumberText.text(method.seconds(), 4));
    return cells;
  }
}
