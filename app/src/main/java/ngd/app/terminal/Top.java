package ngd.app.terminal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The command that all others stand below, which knows where they print. */
public interface Top {
  /** The class of the command {@code ngd}, for processes that are to run one. */
  String MAIN = "ngd.app.Main";

  Console console();

  /** Where a command prints that stands below this one. */
  static Console consoleOf(@Nullable Top parent) {
    return Objects.requireNonNull(parent, "a subcommand runs below ngd").console();
  }
}
