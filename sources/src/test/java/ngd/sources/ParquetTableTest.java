package ngd.sources;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class ParquetTableTest extends EngineContract {
  @TempDir static Path folder;

  @BeforeAll
  static void write() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String sql : statements("double", "boolean", "timestamp")) {
        statement.execute(sql);
      }
      statement.execute("copy t to '%s' (format parquet)".formatted(folder.resolve("t.parquet")));
    }
  }

  @Override
  SiteTable open() {
    return TableAddress.of("here", folder.resolve("t.parquet").toString()).open();
  }
}
