package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTableTest extends EngineContract {
  @TempDir static Path folder;

  @BeforeAll
  static void write() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("d.sqlite"));
        Statement statement = connection.createStatement()) {
      for (String sql : statements("real", "boolean")) {
        statement.execute(sql);
      }
    }
  }

  @Override
  boolean hasBooleans() {
    return false;
  }

  @Override
  SiteTable open() {
    return new TableAddress(
            "here", "jdbc:sqlite:" + folder.resolve("d.sqlite"), Optional.of("t"), List.of())
        .open();
  }

  @Test
  void open_missingDatabase_isRefusedAndNotMade() {
    Path file = folder.resolve("mistyped.sqlite");
    TableAddress address =
        new TableAddress("b", "jdbc:sqlite:" + file, Optional.of("t"), List.of());
    assertThatThrownBy(address::open)
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("site b: jdbc:sqlite:");
    assertThat(Files.exists(file)).isFalse();
  }
}
