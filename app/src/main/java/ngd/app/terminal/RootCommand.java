package ngd.app.terminal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The command {@code ngd}, the parent of all others, which knows where they print. */
public interface RootCommand {
  /** The class of the command {@code ngd}, for processes that are to run one. */
  String MAIN = "ngd.app.Main";

  Console console();

  /** Where a subcommand prints. */
  static Console consoleOf(@Nullable RootCommand parent) {
    return Objects.requireNonNull(parent, "a subcommand runs below ngd").console();
  }
}
