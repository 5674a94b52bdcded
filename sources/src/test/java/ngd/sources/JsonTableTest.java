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

class JsonTableTest extends EngineContract {
  @TempDir static Path folder;

  @BeforeAll
  static void write() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String sql : statements("double", "boolean", "timestamp")) {
        statement.execute(sql);
      }
      statement.execute("copy t to '%s' (format json)".formatted(folder.resolve("t.jsonl")));
    }
  }

  @Override
  SiteTable open() {
    // Times with and without fractions of a second are text to DuckDB's reader of JSON.
    return new TableAddress(
            "here",
            folder.resolve("t.jsonl").toString(),
            Optional.of("select * replace (cast(ts as timestamp) as ts) from data"),
            List.of())
        .open();
  }
}
