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
import ngd.app.fit.FitTrialFactory;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.Top;
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
      "Opens a page in the browser: design a network, watch a run, compare stored runs, look at a federation.",
      "Served to this machine only, until Ctrl-C.",
      ""
    })
final class UiCommand implements Callable<Integer> {
  @ParentCommand private @Nullable Top parent;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "0",
      description = "The port to listen on; any free one by default.")
  private Integer port = 0;

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where run folders are looked for; here by default.")
  private Path runs = Path.of(".");

  @Option(
      names = "--peer",
      paramLabel = "HOST:PORT",
      split = ",",
      description =
          "Status addresses of peers to show; those beyond this machine must be declared here.")
  private List<String> peers = List.of();

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "The numeric address to listen on; beyond this machine it needs --token, and what travels can be read on the way.")
  private String bind = "127.0.0.1";

  @Option(
      names = "--token",
      paramLabel = "WORD",
      description = "What whoever opens the page must know; a fresh one by default.")
  private @Nullable String token;

  @Option(names = "--no-browser", description = "Print the address, open nothing.")
  private boolean noBrowser;

  @Override
  public Integer call() throws InterruptedException {
    Console console = Top.consoleOf(parent);
    Problems problems = new Problems();
    problems.require(
        Files.isDirectory(runs), "--runs: must be a folder; %s is none".formatted(runs));
    WindowSettings settings =
        problems.collect(
            () -> new WindowSettings(address(), port, Optional.ofNullable(token), runs, peers));
    problems.throwIfAny();
    if (settings == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    Window window = Window.open(settings, new FitTrialFactory());
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(window::close));
    console.out().printf("the window is at %s%n", window.address());
    console.out().println("Ctrl-C closes it");
    console.out().flush();
    if (!noBrowser && !browse(window.address())) {
      console.err().println("ngd ui: no browser could be opened; open the address above");
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
