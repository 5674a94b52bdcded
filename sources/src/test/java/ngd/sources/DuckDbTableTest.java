package ngd.sources;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class DuckDbTableTest extends EngineContract {
  @TempDir static Path folder;

  @BeforeAll
  static void write() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("d.db"));
        Statement statement = connection.createStatement()) {
      for (String sql : statements("decimal(10, 3)", "boolean", "timestamp")) {
        statement.execute(sql);
      }
    }
  }

  @Override
  SiteTable open() {
    return new TableAddress(
            "here", "jdbc:duckdb:" + folder.resolve("d.db"), Optional.of("t"), List.of())
        .open();
  }
}
