package ngd.app;

import java.io.OutputStream;
import java.util.List;
import java.util.Locale;

/**
 * A few typical commands, run once after a build and thrown away: the JVM notes which classes they
 * need, and later starts find these ready in the AOT cache.
 */
final class Rehearsal {
  private static final List<String> COMMANDS =
      List.of(
          "--help",
          "fit --simulate logistic --rows 2000 --clients 20 --network regular:2 --alpha 0.1 --rounds 2000");

  private Rehearsal() {}

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    for (String command : COMMANDS) {
      Console nowhere =
          new Console(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), false);
      var _ = Ngd.run(nowhere, command.split(" "));
    }
  }
}
