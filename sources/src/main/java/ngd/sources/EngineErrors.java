package ngd.sources;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What an engine said when it failed, as a person may read it. */
final class EngineErrors {
  private static final Pattern LINE = Pattern.compile("Line: (\\d+)");

  private EngineErrors() {}

  /** All that it said, without secrets and blank lines. */
  static String text(SQLException e, Secrets secrets) {
    String message = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
    String all = message.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n"));
    return secrets.cleaned(all.isEmpty() ? e.getClass().getSimpleName() : all);
  }

  /**
   * Why a query failed. DuckDB's driver loses the reason when rows are streamed; asked to run the
   * query without handing out rows, it tells.
   */
  static SQLException reason(
      Connection connection, String sql, List<String> bound, SQLException failure) {
    if (!String.valueOf(failure.getMessage()).contains("Invalid result set")) {
      return failure;
    }
    try (PreparedStatement again = connection.prepareStatement("EXPLAIN ANALYZE " + sql)) {
      for (int i = 0; i < bound.size(); i++) {
        again.setString(i + 1, bound.get(i));
      }
      again.execute();
      return failure;
    } catch (SQLException found) {
      return found;
    }
  }

  /** Whether a text file is not in the encoding in which it was read. */
  static boolean isEncoding(SQLException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("unicode") || message.contains("utf-8");
  }

  /** Which line of a text file is not, where the engine says it. */
  static String line(SQLException e) {
    Matcher said = LINE.matcher(String.valueOf(e.getMessage()));
    return said.find() ? "; line %s is not".formatted(said.group(1)) : "";
  }

  /** Whether the engine went away, rather than refused what it was asked. */
  static boolean isLost(SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    // 08: connection exceptions; 57P0x: PostgreSQL is shut down or the session was ended.
    return state.startsWith("08") || state.startsWith("57P") || state.equals("70100");
  }
}
