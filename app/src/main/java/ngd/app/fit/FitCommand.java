package ngd.app.fit;

import java.nio.file.Path;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import ngd.app.answer.CentralTable;
import ngd.app.answer.CurvesTable;
import ngd.app.answer.ImputedTable;
import ngd.app.answer.MethodTable;
import ngd.app.answer.MixedTable;
import ngd.app.answer.PenaltyTable;
import ngd.app.answer.PooledTable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.TableFormat;
import ngd.app.terminal.Version;
import ngd.core.Problems;
import ngd.core.answer.Answer;
import ngd.core.answer.CentralAnswer;
import ngd.core.answer.CurvesAnswer;
import ngd.core.answer.MethodAnswer;
import ngd.core.fit.CentralRun;
import ngd.core.fit.CurvesRun;
import ngd.core.fit.FitSetup;
import ngd.core.fit.ImputedRun;
import ngd.core.fit.MethodRun;
import ngd.core.fit.MixedRun;
import ngd.core.fit.PenalisedRun;
import ngd.core.fit.PooledRun;
import ngd.core.inference.FitProgress;
import ngd.core.question.FitKeys;
import ngd.core.question.ImputationKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.Question;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.run.Trajectories;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd fit}: a regression across sites or simulated clients. */
@Command(
    name = "fit",
    description = {
      "Fits a regression across sites or simulated clients.",
      "By default the result is the estimate from the pooled data, with standard errors. With"
          + " --alpha or --algorithm it runs that algorithm and compares the result with the pooled"
          + " estimate. A formula without covariates, Surv(time, event) ~ strata(group), gives"
          + " survival curves.",
      ""
    })
public final class FitCommand extends QuestionCommand {
  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Run folder to write, new or empty: coefficients.csv, vcov.csv, result.json,"
              + " manifest.json; with random terms also variances.csv and, in a folder for each"
              + " site, random_effects.csv; with --alpha or --algorithm, theta.csv and trace.csv"
              + " instead of the first two; with --penalty, path.csv and cv.csv; of survival"
              + " curves, curves.csv.")
  private @Nullable Path out;

  @Option(
      names = "--trajectories",
      paramLabel = "FORMAT",
      converter = TableFormat.Words.class,
      description =
          "Also write every client's coefficients at each measurement (--trace-every) to the folder,"
              + " as trajectories.csv or trajectories.parquet: csv or parquet. Needs --out and"
              + " --alpha or --algorithm.")
  private @Nullable TableFormat trajectories;

  @Option(names = "--time", description = "Print the time spent in each step (pooled fits).")
  private boolean time;

  @Mixin private FormatOption format = new FormatOption();

  public FitCommand() {
    super(FitKeys.ALL);
  }

  @Override
  public Integer call() {
    Console console = console();
    Problems problems = new Problems();
    Question question = FitKeys.read(words(), problems);
    work.check(problems);
    problems.require(
        trajectories == null || (out != null && !MethodKeys.pooled(question)),
        "--trajectories: needs --out, and rounds to follow: --alpha or --algorithm");
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    FitSetup setup = FitSetup.of(question);
    setup.notes().forEach(note -> console.err().println("ngd fit: " + note));
    StoredManifest.of(configFile())
        .flatMap(manifest -> manifest.dataChanged(setup.sample().hash()))
        .ifPresent(note -> console.err().println("ngd fit: " + note));
    if (MethodKeys.central(question).isPresent()) {
      return central(setup, folder, console);
    }
    if (ModelKeys.mixed(question)) {
      return mixed(setup, folder, console);
    }
    if (PenaltyKeys.asked(question)) {
      return penalised(setup, folder, console);
    }
    if (ModelKeys.curves(question)) {
      return curves(setup, folder, console);
    }
    if (question.says(ImputationKeys.IMPUTE)) {
      return imputed(setup, folder, console);
    }
    return MethodKeys.pooled(question)
        ? pooled(setup, folder, console)
        : method(setup, folder, console);
  }

  private int pooled(FitSetup setup, @Nullable RunFolder folder, Console console) {
    return timed(
        setup,
        folder,
        console,
        new PooledRun(setup, work.threads())::run,
        answer -> PooledTable.print(setup, answer, console.out(), folder));
  }

  private int mixed(FitSetup setup, @Nullable RunFolder folder, Console console) {
    return timed(
        setup,
        folder,
        console,
        new MixedRun(setup, work.threads())::run,
        answer -> MixedTable.print(setup, answer, console.out(), folder));
  }

  private int imputed(FitSetup setup, @Nullable RunFolder folder, Console console) {
    return timed(
        setup,
        folder,
        console,
        new ImputedRun(setup, work.threads())::run,
        answer -> ImputedTable.print(setup, answer, console.out(), folder));
  }

  private int penalised(FitSetup setup, @Nullable RunFolder folder, Console console) {
    return timed(
        setup,
        folder,
        console,
        new PenalisedRun(setup, work.threads())::run,
        answer -> PenaltyTable.print(setup, answer, console.out(), folder));
  }

  private <A extends Answer> int timed(
      FitSetup setup,
      @Nullable RunFolder folder,
      Console console,
      Function<FitProgress, A> run,
      Consumer<A> print) {
    StageTimes[] times = new StageTimes[1];
    A answer =
        ProgressBar.during(
            console,
            "fit",
            bar -> {
              times[0] = new StageTimes(bar);
              A found = run.apply(times[0]);
              times[0].end();
              return found;
            });
    write(setup, answer, folder);
    if (format.isJson()) {
      console.out().println(answer.json());
    } else {
      print.accept(answer);
    }
    if (time) {
      console.out().flush();
      times[0].print(console.err());
    }
    return Exit.DONE;
  }

  private int curves(FitSetup setup, @Nullable RunFolder folder, Console console) {
    CurvesAnswer answer = new CurvesRun(setup).run();
    write(setup, answer, folder);
    if (format.isJson()) {
      console.out().println(answer.json());
    } else {
      CurvesTable.print(setup, answer, console.out(), folder);
    }
    return Exit.DONE;
  }

  private int central(FitSetup setup, @Nullable RunFolder folder, Console console) {
    CentralAnswer answer = new CentralRun(setup, work.threads()).run();
    write(setup, answer, folder);
    if (format.isJson()) {
      console.out().println(answer.json());
    } else {
      CentralTable.print(setup, answer, console.out(), folder);
    }
    return Exit.DONE;
  }

  private int method(FitSetup setup, @Nullable RunFolder folder, Console console) {
    MethodRun run = MethodRun.prepare(setup, work.threads());
    run.warnings().forEach(warning -> console.err().println("ngd fit: warning: " + warning));
    MethodAnswer answer = answered(run, setup, folder, console);
    if (format.isJson()) {
      console.out().println(answer.json());
    } else {
      new MethodTable(setup, answer).print(console.out(), folder);
    }
    return Exit.DONE;
  }

  /** Runs all rounds and writes the folder, with every client's way where it is asked for. */
  private MethodAnswer answered(
      MethodRun run, FitSetup setup, @Nullable RunFolder folder, Console console) {
    TableFormat as = trajectories;
    if (as == null) {
      MethodAnswer answer =
          ProgressBar.during(console, "fit", bar -> run.run((done, of) -> bar.at(done, of)));
      write(setup, answer, folder);
      return answer;
    }
    try (Trajectories kept = new Trajectories()) {
      MethodAnswer answer =
          ProgressBar.during(
              console, "fit", bar -> run.run((done, of) -> bar.at(done, of), kept::add));
      SequencedMap<String, RunFolder.Content> files = answer.files();
      files.put("trajectories." + as.spec(), as.of(kept.csv(answer.terms())));
      write(setup, files, folder);
      return answer;
    }
  }

  private static void write(FitSetup setup, Answer answer, @Nullable RunFolder folder) {
    write(setup, answer.files(), folder);
  }

  private static void write(
      FitSetup setup, SequencedMap<String, RunFolder.Content> files, @Nullable RunFolder folder) {
    if (folder != null) {
      folder.write(
          new Manifest(
              "fit",
              Version.number(),
              setup.question(),
              setup.sample().source(),
              setup.sample().rows(),
              setup.sample().hash()),
          files);
    }
  }
}
