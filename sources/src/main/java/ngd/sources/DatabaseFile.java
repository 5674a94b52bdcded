package ngd.sources;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;

/** A database that is one file: SQLite's or DuckDB's, told apart by its first bytes. */
final class DatabaseFile {
  private static final List<String> EXTENSIONS =
      List.of("db", "db3", "sqlite", "sqlite3", "duckdb", "ddb");
  private static final String SQLITE = "SQLite format 3";
  private static final String DUCKDB = "DUCK";
  private static final int DUCKDB_AT = 8;
  private static final int READ = 16;

  private DatabaseFile() {}

  static boolean isOne(String location) {
    return EXTENSIONS.contains(FileRelation.extension(location));
  }

  /** The URL by which its driver opens it. */
  static String url(String location) {
    FileRelation.requireThere(location);
    byte[] begin;
    try (InputStream in = Files.newInputStream(Path.of(location))) {
      begin = in.readNBytes(READ);
    } catch (IOException e) {
      throw new InvalidInput("%s: must be a readable file; %s".formatted(location, e), e);
    }
    String text = new String(begin, StandardCharsets.ISO_8859_1);
    if (text.startsWith(SQLITE)) {
      return "jdbc:sqlite:" + location;
    }
    if (text.startsWith(DUCKDB, DUCKDB_AT)) {
      return "jdbc:duckdb:" + location;
    }
    throw new InvalidInput(
        "%s: must be a database of SQLite or DuckDB; it is neither".formatted(location));
  }

  /** The table to read where no query says it: there must be one alone. */
  static String onlyTable(Connection connection, Dialect dialect, String location)
      throws SQLException {
    String sql =
        dialect == Dialect.SQLITE
            ? "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE"
                + " 'sqlite_%' ORDER BY name"
            : "SELECT table_name FROM information_schema.tables WHERE table_catalog ="
                + " current_database() ORDER BY table_name";
    List<String> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        tables.add(found.getString(1));
      }
    }
    if (tables.size() != 1) {
      throw new InvalidInput(
          "--query must be given: the table or query of %s to read; it has %s"
              .formatted(
                  location,
                  tables.isEmpty() ? "no tables" : "the tables " + String.join(", ", tables)));
    }
    return tables.getFirst();
  }
}
