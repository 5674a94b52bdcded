package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
      for (String sql : statements("real", "boolean", "timestamp")) {
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

  private static void make(Path file, String... sql) throws SQLException {
    String kind = file.toString().contains("duck") ? "duckdb:" : "sqlite:";
    try (Connection connection = DriverManager.getConnection("jdbc:" + kind + file);
        Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  /** What kind of database it is, the file says, whatever its name. */
  @Test
  void open_databaseFile_needsNoUrl() throws SQLException {
    for (String name : List.of("a.db", "b.sqlite", "duck.db", "c.duckdb")) {
      Path file = folder.resolve(name);
      make(file, "create table t (x integer)", "insert into t values (1), (2)");
      try (SiteTable table = TableAddress.of("here", file.toString()).open()) {
        assertThat(table.source()).isEqualTo(file.toString());
        assertThat(table.columns()).hasSize(1);
      }
      make(file, "create table u (x integer)");
      assertThatThrownBy(() -> TableAddress.of("b", file.toString()).open())
          .isInstanceOf(InvalidInput.class)
          .hasMessage(
              "site b: --query must be given: the table or query of %s to read; it has the tables t, u"
                  .formatted(file));
    }
  }

  @Test
  void open_fileThatIsNoDatabase_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("no.sqlite"), "a,b\n1,2\n");
    assertThatThrownBy(() -> TableAddress.of("b", file.toString()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessage("site b: %s: must be a database of SQLite or DuckDB; it is neither", file);
    assertThatThrownBy(() -> TableAddress.of("b", folder.resolve("none.db").toString()).open())
        .hasMessageStartingWith("site b: ")
        .hasMessageEndingWith("it does not exist");
  }
}
