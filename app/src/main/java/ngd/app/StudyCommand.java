package ngd.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import ngd.app.terminal.AsksQuestion;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.InterruptMessage;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.RootCommand;
import ngd.app.terminal.TableFormat;
import ngd.core.data.TableProvider;
import ngd.core.question.Key;
import ngd.core.question.Words;
import ngd.core.run.JsonObject;
import ngd.studies.StudyKinds;
import ngd.studies.StudyProgress;
import ngd.studies.StudyRequest;
import ngd.studies.StudyRunner;
import ngd.studies.engine.Engine;
import ngd.studies.engine.EngineProvider;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd study}: replicated simulation studies, their figures and their report. */
@Command(
    name = "study",
    description = {
      "Runs a simulation study: tables, figures and a report that explains them.",
      "",
      "An interrupted study keeps its finished replicates and the same command resumes it;"
          + " --replicates can be raised later.",
      ""
    })
final class StudyCommand implements Callable<Integer>, AsksQuestion {
  /** The bar counts the work in parts of this. */
  private static final long WHOLE = 1_000_000;

  /** The studies that there are. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return StudyKinds.names().iterator();
    }
  }

  @ParentCommand private @Nullable RootCommand parent;

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = Names.class,
      description =
          "${COMPLETION-CANDIDATES}, or a YAML file with a grid of your own; figure6 trains neural"
              + " networks and is not part of all.")
  private String name = "";

  @Option(
      names = "--replicates",
      paramLabel = "R",
      description =
          "Number of replicates (default: 500 as in the paper; 100 for networks, 200 for coverage,"
              + " 20 for privacy).")
  private @Nullable Integer replicates;

  @Option(names = "--seed", paramLabel = "S", description = "Random seed (default: 1).")
  private @Nullable Long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Study folder, new or to be continued (default: study-NAME).")
  private @Nullable Path out;

  @Option(
      names = "--on",
      paramLabel = "ENGINE",
      defaultValue = "local",
      description =
          "local, local:THREADS, spark://HOST:PORT, local-cluster[WORKERS,CORES,MEMORY] or, under `ngd"
              + " spark-submit`, spark (default: ${DEFAULT-VALUE}).")
  private String engine = "local";

  @Option(
      names = "--replicate-table",
      paramLabel = "FORMAT",
      converter = TableFormat.Words.class,
      description =
          "Also write every replicate's curves, as NAME-replicates.csv or .parquet: csv or parquet."
              + " Grids have such a table.")
  private @Nullable TableFormat replicateTable;

  @Mixin private FormatOption format = new FormatOption();

  private Words options = new Words(Words.Style.FLAGS);

  /** What only some studies take; each kind says what that is. */
  @Override
  public List<Key<?>> keys() {
    return StudyKinds.options();
  }

  @Override
  public boolean keysFirst() {
    return false;
  }

  @Override
  public void asked(Words words) {
    options = words;
  }

  @Override
  public Integer call() {
    StudyRequest request =
        StudyRequest.of(name, options)
            .with(
                replicates == null ? OptionalInt.empty() : OptionalInt.of(replicates),
                seed == null ? OptionalLong.empty() : OptionalLong.of(seed));
    StudyRunner.requireReplicates(request.replicates());
    Path folder = out == null ? Path.of("study-" + request.name()) : out;
    // Figures are drawn without a screen, also where there is one.
    System.setProperty("java.awt.headless", "true");
    Console console = RootCommand.consoleOf(parent);
    StudyRunner.Outcome outcome = tables(run(request, folder, console));
    if (format.isJson()) {
      console.out().println(json(request, outcome));
    } else {
      print(outcome, console.out());
    }
    return Exit.DONE;
  }

  /** The progress line, and warnings. */
  private record Watching(ProgressBar bar, Console console) implements StudyProgress {
    @Override
    public void at(String what, int finished, int units, double share) {
      bar.say("study " + what);
      bar.at((long) (share * WHOLE), WHOLE);
    }

    @Override
    public void note(String text) {
      say(text);
    }

    @Override
    public void warning(String text) {
      say("warning: " + text);
    }

    private void say(String text) {
      bar.pause();
      console.err().println("ngd study: " + text);
    }
  }

  /** The same with tables of replicates in the format that is asked for. */
  private StudyRunner.Outcome tables(StudyRunner.Outcome outcome) {
    if (replicateTable != TableFormat.PARQUET) {
      return outcome;
    }
    List<String> files = new ArrayList<>();
    for (String file : outcome.files()) {
      files.add(file.endsWith("-replicates.csv") ? parquet(outcome.folder(), file) : file);
    }
    return new StudyRunner.Outcome(
        outcome.folder(),
        files,
        outcome.unit(),
        outcome.computed(),
        outcome.rounds(),
        outcome.time());
  }

  private static String parquet(Path folder, String csv) {
    String name = csv.replaceFirst("csv$", "parquet");
    try {
      TableProvider.first().writeParquet(folder.resolve(csv), folder.resolve(name));
      Files.delete(folder.resolve(csv));
    } catch (IOException e) {
      throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
    }
    return name;
  }

  private StudyRunner.Outcome run(StudyRequest request, Path folder, Console console) {
    try (Engine where = EngineProvider.of(engine);
        ProgressBar bar = new ProgressBar(console, "study " + request.name());
        InterruptMessage _ = interruptMessage(console, bar, folder)) {
      return new StudyRunner(where, InstantSource.system(), replicateTable != null)
          .run(request, folder, new Watching(bar, console));
    }
  }

  private static InterruptMessage interruptMessage(Console console, ProgressBar bar, Path folder) {
    return new InterruptMessage(
        console,
        () -> {
          bar.close();
          return "ngd study: interrupted; finished replicates are kept in %s, and the same command resumes"
              .formatted(folder);
        });
  }

  private static JsonObject json(StudyRequest request, StudyRunner.Outcome outcome) {
    return new JsonObject()
        .put("study", request.name())
        .put("folder", outcome.folder().toString())
        .put("files", outcome.files())
        .put("computed", outcome.computed())
        .put("rounds", outcome.rounds())
        .put("seconds", outcome.time().toMillis() / 1e3);
  }

  private static void print(StudyRunner.Outcome outcome, PrintWriter out) {
    if (outcome.computed() == 0) {
      out.printf("All %ss were already computed.%n", outcome.unit());
    } else {
      out.printf(
          Locale.ROOT,
          "%,d %s%s in %s",
          outcome.computed(),
          outcome.unit(),
          outcome.computed() == 1 ? "" : "s",
          ProgressBar.time(outcome.time().toMillis() / 1e3));
      if (outcome.rounds() > 0) {
        out.printf(
            Locale.ROOT,
            ": %,d rounds, %,.0f a second",
            outcome.rounds(),
            outcome.roundsPerSecond());
      }
      out.println(".");
    }
    out.printf("%s: %s%n", outcome.folder(), String.join(", ", outcome.files()));
  }
}
