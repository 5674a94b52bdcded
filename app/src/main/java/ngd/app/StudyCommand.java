package ngd.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.InterruptMessage;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.RootCommand;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.run.JsonObject;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingFailed;
import ngd.core.world.Diverged;
import ngd.studies.Engine;
import ngd.studies.EngineProvider;
import ngd.studies.StudyPlan;
import ngd.studies.StudyRunner;
import ngd.studies.training.Experiment;
import ngd.studies.training.Figure6;
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
      "An interrupted study keeps its finished replicates and the same command resumes it; --replicates can be raised later.",
      ""
    })
final class StudyCommand implements Callable<Integer> {
  /** The bar counts the work in parts of this. */
  private static final long WHOLE = 1_000_000;

  @ParentCommand private @Nullable RootCommand parent;

  @Parameters(
      paramLabel = "NAME",
      description =
          "figure2, figure3, figure4, figure5, networks, overparameterised, placement, coverage, all, a YAML"
              + " file with a grid of your own, or figure6, which trains neural networks.")
  private String name = "";

  @Option(
      names = "--replicates",
      paramLabel = "R",
      description = "Number of replicates (default: 500 as in the paper; 100 for networks).")
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
          "local, local:THREADS, spark://HOST:PORT or local-cluster[WORKERS,CORES,MEMORY] (default:"
              + " ${DEFAULT-VALUE}).")
  private String engine = "local";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "For figure6: folder with mnist and cifar10 (default: the environment variable NGD_DATA).")
  private @Nullable Path data;

  @Option(
      names = "--device",
      paramLabel = "WORD",
      description = "For figure6: cpu (the default) or cuda.")
  private @Nullable String device;

  @Option(
      names = "--precision",
      paramLabel = "WORD",
      description = "For figure6: float32 (the default), tf32, bf16 or float64.")
  private @Nullable String precision;

  @Option(
      names = "--start",
      paramLabel = "FILE",
      description =
          "For figure6: safetensors file with initial weights and statistics of MobileNet, such as ImageNet's; by default they are first learned from a few pooled samples.")
  private @Nullable Path start;

  @Option(
      names = "--full",
      description = "For figure6: run at the paper's size, on a GPU; reduced by default.")
  private boolean full;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    if (name.equals("figure6")) {
      return figure6(RootCommand.consoleOf(parent));
    }
    if (data != null || device != null || precision != null || start != null || full) {
      throw new InvalidInput(
          "--data, --device, --precision, --start, --full: work only with figure6; got `%s`"
              .formatted(name));
    }
    StudyPlan plan = StudyPlan.of(name);
    OptionalInt count = replicates == null ? plan.replicates() : OptionalInt.of(replicates);
    long seeded = seed == null ? plan.seed().orElse(1) : seed;
    Path folder = out == null ? Path.of("study-" + plan.name()) : out;
    StudyRunner.requireReplicates(count);
    // Figures are drawn without a screen, also where there is one.
    System.setProperty("java.awt.headless", "true");
    Console console = RootCommand.consoleOf(parent);
    StudyRunner.Outcome outcome = run(plan, count, seeded, folder, console);
    if (format.isJson()) {
      console.out().println(json(plan, outcome));
    } else {
      print(outcome, console.out());
    }
    return Exit.DONE;
  }

  /** The progress line of figure 6, and warnings. */
  private record Watching(ProgressBar bar, Console console) implements Figure6.Watch {
    @Override
    public void at(String what, double share) {
      bar.say(what);
      bar.at((long) (share * WHOLE), WHOLE);
    }

    @Override
    public void warning(String text) {
      bar.pause();
      console.err().println("ngd study: warning: " + text);
    }
  }

  private Integer figure6(Console console) {
    String given = System.getenv("NGD_DATA");
    if (data == null && given == null) {
      throw new InvalidInput("--data: the folder with mnist and cifar10 must be given");
    }
    if (replicates != null || !engine.equals("local")) {
      throw new InvalidInput(
          "--replicates, --on: do not work with figure6, which trains once, on this machine");
    }
    System.setProperty("java.awt.headless", "true");
    Path folder = out == null ? Path.of("study-figure6") : out;
    Figure6.Machine machine =
        new Figure6.Machine(
            device == null ? "cpu" : device,
            precision == null ? "float32" : precision,
            Runtime.getRuntime().availableProcessors(),
            false);
    Path from = data == null ? Path.of(String.valueOf(given)) : data;
    List<Experiment> experiments =
        full ? Experiment.full(from, start) : Experiment.reduced(from, start);
    List<String> files;
    try (ProgressBar bar = new ProgressBar(console, "study figure6");
        InterruptMessage _ = interruptMessage(console, bar, folder)) {
      files =
          new Figure6(Trainer.find(), experiments, machine, seed == null ? 1 : seed, folder)
              .run(new Watching(bar, console));
    } catch (Diverged | TrainingFailed e) {
      throw new WorkFailed(e.getMessage(), e);
    }
    if (format.isJson()) {
      console
          .out()
          .println(
              new JsonObject()
                  .put("study", name)
                  .put("folder", folder.toString())
                  .put("files", files));
    } else {
      console.out().printf("%s: %s%n", folder, String.join(", ", files));
    }
    return Exit.DONE;
  }

  private StudyRunner.Outcome run(
      StudyPlan plan, OptionalInt count, long seeded, Path folder, Console console) {
    try (Engine where = EngineProvider.of(engine);
        ProgressBar bar = new ProgressBar(console, "study " + plan.name());
        InterruptMessage _ = interruptMessage(console, bar, folder)) {
      return new StudyRunner(where, InstantSource.system())
          .run(
              plan,
              count,
              seeded,
              folder,
              (study, finished, all, share) -> bar.at((long) (share * WHOLE), WHOLE));
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

  private static JsonObject json(StudyPlan plan, StudyRunner.Outcome outcome) {
    return new JsonObject()
        .put("study", plan.name())
        .put("folder", outcome.folder().toString())
        .put("files", outcome.files())
        .put("computed", outcome.computed())
        .put("rounds", outcome.rounds())
        .put("seconds", outcome.time().toMillis() / 1e3);
  }

  private static void print(StudyRunner.Outcome outcome, PrintWriter out) {
    if (outcome.computed() == 0) {
      out.println("All replicates were already computed.");
    } else {
      out.printf(
          Locale.ROOT,
          "%,d replicate%s in %s",
          outcome.computed(),
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
