package ngd.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import ngd.app.bench.BenchCommand;
import ngd.app.bench.BenchPeerCommand;
import ngd.app.federation.DemoCommand;
import ngd.app.federation.FederationCommand;
import ngd.app.federation.PeerCommand;
import ngd.app.fit.AnovaCommand;
import ngd.app.fit.CheckCommand;
import ngd.app.fit.CompareCommand;
import ngd.app.fit.DescribeCommand;
import ngd.app.fit.FitCommand;
import ngd.app.fit.PredictCommand;
import ngd.app.fit.ReportCommand;
import ngd.app.shell.CompletionCommand;
import ngd.app.shell.LauncherCommand;
import ngd.app.shell.ManualCommand;
import ngd.app.terminal.CommandLog;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.ProgressWord;
import ngd.app.terminal.RootCommand;
import ngd.app.terminal.Syntax;
import ngd.app.terminal.Version;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.data.SourceLost;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/**
 * The command {@code ngd}: finds the subcommand, runs it, and turns its outcome into an exit code.
 */
@Command(
    name = "ngd",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Fits one model across sites whose data stay where they are, by network gradient descent.",
    footer = {
      "",
      "Exit codes: 0 success, 1 failure, 2 invalid request.",
      "Run `ngd COMMAND --help` for details."
    })
public class Main implements RootCommand {
  /** What speaks of all commands. */
  private static final Set<String> WHOLE = Set.of("completion", "manual");

  private final Console console;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean debug;

  @Option(
      names = "--progress",
      paramLabel = "WORD",
      scope = ScopeType.INHERIT,
      converter = ProgressWord.class,
      completionCandidates = ProgressWord.Offered.class,
      description =
          "Progress on standard error: bar (the default, at a terminal), json (a JSON object a"
              + " line, for programs) or none.")
  private Console.Progress progress = Console.Progress.BAR;

  Main(Console console) {
    this.console = console;
  }

  /** The commands by their names, in the order of the help. */
  private static final SequencedMap<String, Supplier<Class<?>>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("network", () -> NetworkCommand.class);
    COMMANDS.put("check", () -> CheckCommand.class);
    COMMANDS.put("describe", () -> DescribeCommand.class);
    COMMANDS.put("fit", () -> FitCommand.class);
    COMMANDS.put("predict", () -> PredictCommand.class);
    COMMANDS.put("anova", () -> AnovaCommand.class);
    COMMANDS.put("report", () -> ReportCommand.class);
    COMMANDS.put("compare", () -> CompareCommand.class);
    COMMANDS.put("train", () -> TrainCommand.class);
    COMMANDS.put("study", () -> StudyCommand.class);
    COMMANDS.put("federation", () -> FederationCommand.class);
    COMMANDS.put("peer", () -> PeerCommand.Whole.class);
    COMMANDS.put("demo", () -> DemoCommand.class);
    COMMANDS.put("plot", () -> PlotCommand.class);
    COMMANDS.put("ui", () -> UiCommand.class);
    COMMANDS.put("bench", () -> BenchCommand.class);
    COMMANDS.put("completion", () -> CompletionCommand.class);
    COMMANDS.put("manual", () -> ManualCommand.class);
    COMMANDS.put("package", () -> LauncherCommand.Archive.class);
    COMMANDS.put("install-library", () -> LauncherCommand.Library.class);
    COMMANDS.put("spark-submit", () -> LauncherCommand.Submit.class);
  }

  /**
   * The commands that a start describes to the parser, which takes longer than most of them: the
   * one that is named, or all. Of those about a peer it is the one that runs it, where that is
   * named; and {@code ngd bench peers} starts peers by a name that is not offered.
   */
  static List<Class<?>> described(String... args) {
    String first = args.length == 0 ? "" : args[0];
    boolean all = !COMMANDS.containsKey(first) || WHOLE.contains(first);
    if (first.equals(BenchPeerCommand.NAME)) {
      return List.of(BenchPeerCommand.class);
    } else if (first.equals("peer") && args.length > 1 && args[1].equals("run")) {
      return List.of(PeerCommand.Running.class);
    } else if (all) {
      return COMMANDS.values().stream().<Class<?>>map(Supplier::get).toList();
    }
    return List.of(COMMANDS.get(first).get());
  }

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    CommandLog.install();
    System.exit(run(Console.ofProcess(), args));
  }

  /** Runs one command line and returns its exit code. */
  public static int run(Console console, String... args) {
    String[] words = PeerCommand.orRun(args);
    Main ngd = new Main(console);
    Syntax syntax = new Syntax(ngd, described(words), console);
    int code;
    try {
      code = ngd.execute(syntax, words);
    } catch (InvalidInput e) {
      code = ngd.report(syntax, e, Exit.WRONG_REQUEST, e.getMessage());
    } catch (WorkFailed | SourceLost e) {
      code = ngd.report(syntax, e, Exit.FAILED, e.getMessage());
    } catch (OutOfMemoryError e) {
      String message =
          "needs more memory than its limit of %d MiB; NGD_JAVA_OPTS=-Xmx… raises it"
              .formatted(Runtime.getRuntime().maxMemory() >> 20);
      code = ngd.report(syntax, e, Exit.FAILED, message);
    } catch (RuntimeException | LinkageError e) {
      // A native library that could not be unpacked, as on a full disk, is an error of linkage.
      code =
          ngd.report(
              syntax,
              e,
              Exit.FAILED,
              "failed: " + e + (ngd.debug ? "" : " (--debug prints the stack trace)"));
    }
    String unwritten = console.finish();
    if (unwritten != null) {
      return ngd.report(
          syntax, null, Exit.FAILED, "standard output: cannot be written; " + unwritten);
    }
    return code;
  }

  private int execute(Syntax syntax, String[] args) {
    ParseResult parsed = syntax.parse(args);
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    syntax.refuseErrors();
    console.show(progress);
    CommandLine command = syntax.command();
    if (!(command.getCommand() instanceof Callable<?> work)) {
      console.err().println(syntax.name() + ": a command must be given\n");
      command.usage(console.err());
      return Exit.WRONG_REQUEST;
    }
    try {
      return (Integer) work.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new WorkFailed(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
  }

  private int report(Syntax syntax, @Nullable Throwable cause, int code, @Nullable String message) {
    List<String> lines = String.valueOf(message).lines().toList();
    for (String line : lines) {
      console.err().println(syntax.name() + ": " + line);
    }
    if (debug && cause != null) {
      cause.printStackTrace(console.err());
    }
    return code;
  }

  @Override
  public Console console() {
    return console;
  }
}
