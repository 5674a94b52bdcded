package ngd.app.federation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import ngd.app.Main;
import ngd.app.terminal.CommandLog;
import ngd.app.terminal.Console;
import ngd.app.terminal.OwnProcess;
import ngd.app.terminal.RootCommand;

/**
 * A process in which a site's peers of many questions run, one after the other, each by the command
 * that runs a peer: most of a short question's processor time is the start of a process.
 */
final class PeerHost {
  private static final long PATIENCE_S = 120;
  private static final String BETWEEN = "\t";

  private final Process process;
  private final PrintStream words;
  private final BufferedReader codes;

  private PeerHost(Process process) {
    this.process = process;
    this.words = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.codes =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** One that ends with this process at the latest. */
  static PeerHost start() {
    List<String> command = new ArrayList<>(OwnProcess.peer("512m", List.of()));
    command.set(command.indexOf(RootCommand.MAIN), PeerHost.class.getName());
    try {
      return new PeerHost(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins a site's peer; what it prints goes into {@code log.out} and {@code log.err} there. */
  void begin(Path site, String data) {
    words.println(site + BETWEEN + data);
  }

  /** The exit code of the peer that was begun last; one that does not end is ended. */
  int await() throws Exception {
    Future<String> code = Executors.newVirtualThreadPerTaskExecutor().submit(codes::readLine);
    try {
      return Integer.parseInt(code.get(PATIENCE_S, TimeUnit.SECONDS));
    } catch (TimeoutException late) {
      process.destroyForcibly();
      throw late;
    }
  }

  boolean runs() {
    return process.isAlive();
  }

  /** Runs peers as they are asked for on standard input, and answers each with its exit code. */
  public static void main(String[] none) throws IOException {
    Locale.setDefault(Locale.ROOT);
    CommandLog.install();
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream codes = System.out;
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] siteAndData = line.split(BETWEEN, -1);
      Path site = Path.of(siteAndData[0]);
      try (OutputStream out = Files.newOutputStream(site.resolve("log.out"));
          OutputStream err = Files.newOutputStream(site.resolve("log.err"))) {
        codes.println(
            Main.run(
                new Console(out, err, false),
                "peer",
                "run",
                site.toString(),
                "--data",
                siteAndData[1]));
      }
    }
    System.exit(0);
  }
}
