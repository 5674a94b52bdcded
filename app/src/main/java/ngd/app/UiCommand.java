package ngd.app;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import ngd.app.federation.WindowFederations;
import ngd.app.fit.FitTrialFactory;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.app.window.Window;
import ngd.app.window.WindowSettings;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd ui}: the window in the browser. */
@Command(
    name = "ui",
    description = {
      "Opens a page in the browser: design a network, watch a run, compare stored runs, monitor a federation,",
      "ask it questions and decide about them, and see who can learn what.",
      "Served to this machine only, until Ctrl-C.",
      ""
    })
final class UiCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RootCommand parent;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "0",
      description = "Port to listen on; any free one by default.")
  private Integer port = 0;

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder to search for runs; the current one by default.")
  private Path runs = Path.of(".");

  @Option(
      names = "--peer",
      paramLabel = "HOST:PORT",
      split = ",",
      description =
          "Status addresses of peers to show; those of other machines can be given only here.")
  private List<String> peers = List.of();

  @Option(
      names = "--member",
      paramLabel = "FOLDER",
      split = ",",
      description =
          "Folders of members of federations whose questions to show: ask, approve, refuse, read"
              + " answers, with that member's key.")
  private List<Path> members = List.of();

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Numeric address to listen on. Any but the loopback address needs --token; traffic is not encrypted.")
  private String bind = "127.0.0.1";

  @Option(
      names = "--token",
      paramLabel = "WORD",
      description = "Access token of the page; random by default.")
  private @Nullable String token;

  @Option(names = "--no-browser", description = "Print the address without opening a browser.")
  private boolean noBrowser;

  @Override
  public Integer call() throws InterruptedException {
    Console console = RootCommand.consoleOf(parent);
    Problems problems = new Problems();
    problems.require(
        Files.isDirectory(runs), "--runs: must be a folder; %s is not".formatted(runs));
    WindowSettings settings =
        problems.collect(
            () -> new WindowSettings(address(), port, Optional.ofNullable(token), runs, peers));
    WindowFederations federations = problems.collect(() -> new WindowFederations(members));
    problems.throwIfAny();
    if (settings == null || federations == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    Window window = Window.open(settings, new FitTrialFactory(), federations);
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(window::close));
    console.out().printf("the window is at %s%n", window.address());
    console.out().println("press Ctrl-C to stop");
    console.out().flush();
    if (!noBrowser && !browse(window.address())) {
      console.err().println("ngd ui: cannot open a browser; open the address above yourself");
    }
    ended.await();
    return Exit.DONE;
  }

  private InetAddress address() {
    try {
      return InetAddress.ofLiteral(bind);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "--bind: must be a numeric address, such as 127.0.0.1; got `%s`".formatted(bind), e);
    }
  }

  /** Opens a browser by the system's own command, if it has one. */
  private static boolean browse(String address) {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    List<String> command =
        system.contains("mac")
            ? List.of("open", address)
            : system.contains("windows")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", address)
                : List.of("xdg-open", address);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return !process.waitFor(java.time.Duration.ofSeconds(3)) || process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
