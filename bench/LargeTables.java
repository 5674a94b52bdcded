import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Writes the tables of {@code bench/larger-than-memory}: a folder, and the rows of the large one.
 */
public final class LargeTables {
  private static final String ROWS =
      """
      SELECT (random() < 1 / (1 + exp(1 - 0.5 * x1 + 0.3 * x2 - 0.8 * x3 - 0.02 * x4 - 0.1 * x5)))::INT y, *
      FROM (SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) x1, random() x2,
        (random() < 0.3)::INT x3, round(20 + 60 * random(), 1) x4, (10 * random())::INT x5 FROM range(%d))
      """;

  private LargeTables() {}

  public static void main(String[] args) throws SQLException {
    long large = Long.parseLong(args[1]);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET memory_limit = '2GB'");
      statement.execute("SELECT setseed(0.5)");
      write(statement, args[0] + "/b.parquet", 50_000);
      write(statement, args[0] + "/c.parquet", 50_000);
      write(statement, args[0] + "/large-" + large + ".parquet", large);
    }
  }

  private static void write(Statement statement, String file, long rows) throws SQLException {
    statement.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(ROWS.formatted(rows), file));
  }
}
