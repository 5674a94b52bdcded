package ngd.app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import ngd.app.federation.PeerWarmUp;
import ngd.app.terminal.CommandLog;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.OwnProcess;
import ngd.app.terminal.RootCommand;

/**
 * A few typical commands, run once after a build and thrown away: the JVM notes which classes they
 * need, and later starts find these ready in the AOT cache.
 */
final class WarmUp {
  private static final String PROBLEM =
      " --simulate logistic --rows 400 --clients 8 --network regular:2 --partition sorted"
          + " --placement random --alpha 0.1,0.05@5 --rounds 20";

  private static final List<String> COMMANDS =
      List.of(
          "--help",
          "network --network circle:2 --clients 200",
          "network --network fixed:2 --clients 20 --format json",
          "check" + PROBLEM,
          "check --format json" + PROBLEM,
          "fit" + PROBLEM,
          "fit --simulate logistic --rows 400 --clients 8 --network regular:2",
          "fit --format json" + PROBLEM);

  private static final List<String> PEER = List.of("peer run --help");

  /** Pooled fits and descriptions of two sites' tables. */
  private static final List<String> FITS =
      List.of(
          "fit --formula y~x+f+offset(log(e)) --family poisson --network complete --out OUT",
          "fit --formula b~x+log(e) --family binomial --network circle:1",
          "fit --formula x~y+e --family gaussian --network complete",
          "fit --formula y~x --family gaussian --network complete --format json",
          "describe --by f --cross f,b --histogram x --correlation x,e",
          "describe --columns x --format json");

  /** What a message needs. */
  private static final List<String> REFUSED = List.of("netwrk", "peer run /nowhere --data x.csv");

  private static final String REFUSED_FIT = "fit --formula y~nothing --network complete";

  private static final int ROWS = 60;
  private static final String FEDERATIONS = "federations";
  private static final List<String> BRIEF = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private WarmUp() {}

  /**
   * @param args a folder for what is written; and what is needed: {@code all} commands, {@code
   *     fits} where pooled fits are enough, {@code peers} for those that run; or {@code
   *     federations}, which makes what the last two look into
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    CommandLog.install();
    Path folder = Files.createDirectories(Path.of(args[0]));
    switch (args[1]) {
      case FEDERATIONS -> PeerWarmUp.make(folder);
      case "fits" -> fits(folder);
      case "peers" -> {
        federations(folder);
        all(PEER);
        refused(REFUSED.getLast());
        PeerWarmUp.rounds(folder, WarmUp::run);
        // What asks is no peer: its classes would only weigh on the cache of those who are.
        PeerWarmUp.standing(folder, WarmUp::runElsewhere);
      }
      default -> {
        federations(folder);
        all(COMMANDS);
        all(PEER);
        REFUSED.forEach(WarmUp::refused);
        fits(folder);
        PeerWarmUp.standing(folder, WarmUp::run);
      }
    }
  }

  private static void all(List<String> commands) {
    commands.forEach(command -> run(List.of(command.split(" ", -1))));
  }

  private static void refused(String command) {
    run(List.of(command.split(" ", -1)), Exit.WRONG_REQUEST);
  }

  private static void fits(Path folder) throws IOException {
    List<String> sites = new ArrayList<>();
    for (String site : List.of("a", "b")) {
      StringBuilder text = new StringBuilder("y,b,x,e,f\n");
      for (int i = 0; i < ROWS; i++) {
        double x = Math.sin(i + site.length());
        text.append(
            "%d,%d,%.4f,%.2f,%s\n"
                .formatted(
                    i % 3, i * 7 % 5 < 2 ? 1 : 0, x, 1 + i % 4 / 2.0, i % 2 == 0 ? "u" : "v"));
      }
      Path file = Files.writeString(folder.resolve(site + ".csv"), text);
      sites.addAll(List.of("--site", site + "=" + file));
    }
    for (String command : FITS) {
      run(words(command.replace("OUT", folder.resolve("run").toString()), sites));
    }
    run(words(REFUSED_FIT, sites), Exit.WRONG_REQUEST);
  }

  private static List<String> words(String command, List<String> sites) {
    return Stream.concat(Stream.of(command.split(" ", -1)), sites.stream()).toList();
  }

  private static void run(List<String> command) {
    run(command, Exit.DONE);
  }

  private static void runElsewhere(List<String> words) {
    start(OwnProcess.command(BRIEF, words));
  }

  private static void federations(Path folder) {
    List<String> command =
        new ArrayList<>(OwnProcess.command(BRIEF, List.of(folder.toString(), FEDERATIONS)));
    command.set(command.indexOf(RootCommand.MAIN), WarmUp.class.getName());
    start(command);
  }

  private static void start(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .inheritIO()
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      requireCode(command, Exit.DONE, process.waitFor(), "");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A command that ends otherwise than it should has not loaded what the next one will need. */
  private static void run(List<String> command, int expected) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Console console = new Console(OutputStream.nullOutputStream(), said, false);
    int code = Main.run(console, command.toArray(String[]::new));
    requireCode(command, expected, code, said.toString(StandardCharsets.UTF_8));
  }

  private static void requireCode(List<String> command, int expected, int code, String said) {
    if (code != expected) {
      throw new IllegalStateException(
          "%s: must end with %d; it ended with %d: %s"
              .formatted(String.join(" ", command), expected, code, said));
    }
  }
}
