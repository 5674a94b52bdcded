package ngd.app;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
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

  private Main(Console console) {
    this.console = console;
  }

  /** With all commands. */
  @Command(
      subcommands = {
        NetworkCommand.class,
        CheckCommand.class,
        DescribeCommand.class,
        FitCommand.class,
        PredictCommand.class,
        AnovaCommand.class,
        ReportCommand.class,
        CompareCommand.class,
        TrainCommand.class,
        StudyCommand.class,
        FederationCommand.class,
        PeerCommand.Whole.class,
        DemoCommand.class,
        PlotCommand.class,
        UiCommand.class,
        BenchCommand.class,
        CompletionCommand.class,
        ManualCommand.class,
        LauncherCommand.Archive.class,
        LauncherCommand.Library.class,
        LauncherCommand.Submit.class
      })
  private static final class Whole extends Main {
    Whole(Console console) {
      super(console);
    }
  }

  /** With those about federations, which are many and short: the others take longer to describe. */
  @Command(subcommands = FederationCommand.class)
  private static final class Federated extends Main {
    Federated(Console console) {
      super(console);
    }
  }

  /** With those about one's own peer. */
  @Command(subcommands = PeerCommand.Whole.class)
  private static final class OfPeer extends Main {
    OfPeer(Console console) {
      super(console);
    }
  }

  /** With the one that runs a peer. */
  @Command(subcommands = PeerCommand.Running.class)
  private static final class OfRunningPeer extends Main {
    OfRunningPeer(Console console) {
      super(console);
    }
  }

  /** With the one that runs a peer of a measurement. */
  @Command(subcommands = BenchPeerCommand.class)
  private static final class OfBenchPeer extends Main {
    OfBenchPeer(Console console) {
      super(console);
    }
  }

  private static Main of(Console console, String... args) {
    return switch (args.length == 0 ? "" : args[0]) {
      case "federation" -> new Federated(console);
      case "peer" ->
          args.length > 1 && args[1].equals("run")
              ? new OfRunningPeer(console)
              : new OfPeer(console);
      case BenchPeerCommand.NAME -> new OfBenchPeer(console);
      default -> new Whole(console);
    };
  }

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    CommandLog.install();
    System.exit(run(Console.ofProcess(), args));
  }

  /** Runs one command line and returns its exit code. */
  public static int run(Console console, String... args) {
    String[] words = PeerCommand.orRun(args);
    Main ngd = of(console, words);
    Syntax syntax = new Syntax(ngd, console);
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
