package ngd.app;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import ngd.app.federation.PeerWarmUp;
import ngd.app.terminal.Console;

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
          "netwrk",
          "network --network circle:2 --clients 200",
          "network --network fixed:2 --clients 20 --format json",
          "check" + PROBLEM,
          "check --format json" + PROBLEM,
          "fit" + PROBLEM,
          "fit --simulate logistic --rows 400 --clients 8 --network regular:2",
          "fit --format json" + PROBLEM,
          "peer run --help",
          "peer run /nowhere --data x.csv");

  private WarmUp() {}

  /**
   * @param args an empty folder for what peers write
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    COMMANDS.forEach(command -> run(List.of(command.split(" ", -1))));
    PeerWarmUp.run(Path.of(args[0]), WarmUp::run);
  }

  private static void run(List<String> command) {
    Console nowhere =
        new Console(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), false);
    var _ = Main.run(nowhere, command.toArray(String[]::new));
  }
}
