package ngd.sources;

import java.sql.SQLException;
import java.util.Objects;

/** What an engine said when it failed, as a person may read it. */
final class EngineErrors {
  private EngineErrors() {}

  /** The first line that says something, without secrets. */
  static String text(SQLException e, Secrets secrets) {
    String message = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
    String first = message.lines().filter(line -> !line.isBlank()).findFirst().orElse(message);
    return secrets.cleaned(first);
  }

  /** Whether the engine went away, rather than refused what it was asked. */
  static boolean isLost(SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    // 08: connection exceptions; 57P0x: PostgreSQL is shut down or the session was ended.
    return state.startsWith("08") || state.startsWith("57P") || state.equals("70100");
  }
}
