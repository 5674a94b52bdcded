package ngd.sources;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.data.TableProvider;
import ngd.core.formula.Column;
import org.jspecify.annotations.Nullable;
import org.sqlite.util.LibraryLoaderUtil;

/** Opens files through embedded DuckDB and databases through their drivers. */
public final class EngineTables implements TableProvider {
  private static final String SQLITE_FOLDER = "org.sqlite.lib.path";
  private static final String SQLITE_NAME = "org.sqlite.lib.name";

  @Override
  public void writeParquet(Path csv, Path parquet) throws IOException {
    ParquetFile.write(csv, parquet);
  }

  @Override
  public SiteTable open(TableAddress address) {
    if (address.location().startsWith("jdbc:")) {
      Secrets secrets = Secrets.of(address.location());
      return database(address, secrets, secrets.shown());
    }
    return DatabaseFile.isOne(address.location()) ? databaseFile(address) : file(address);
  }

  private static SiteTable databaseFile(TableAddress address) {
    try {
      Secrets secrets = Secrets.of(DatabaseFile.url(address.location()));
      return database(address, secrets, address.location());
    } catch (InvalidInput e) {
      throw e.getMessage().startsWith("site ")
          ? e
          : new InvalidInput("site %s: %s".formatted(address.site(), e.getMessage()), e);
    }
  }

  private static SiteTable file(TableAddress address) {
    Secrets secrets = Secrets.of("jdbc:duckdb:");
    Connection connection = null;
    Utf8Copy copy = null;
    try {
      String location = address.location();
      char decimal = address.format().decimal();
      boolean text = FileRelation.isText(location);
      boolean excel = ExcelSheet.isOne(location);
      String untyped = excel ? "sheet" : FileRelation.of(location, address.missing(), decimal, "");
      boolean small = text && FileRelation.isSmall(location);
      connection = DuckDb.connect(secrets.url(), small ? alone() : streaming());
      String relation = excel ? ExcelSheet.copy(location, address.missing(), connection) : untyped;
      if (text) {
        String place = location;
        if (!address.format().isUtf8()) {
          copy = Utf8Copy.of(files(connection, location), address.format().encoding());
          place = copy.location();
          untyped = FileRelation.of(place, address.missing(), decimal, "");
        }
        relation =
            small
                ? untyped
                : FileRelation.of(place, address.missing(), decimal, types(connection, untyped));
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TEMP %s data AS SELECT * FROM %s"
                .formatted(small ? "TABLE" : "VIEW", relation));
      }
      String query = address.query().map(EngineTables::query).orElse("SELECT * FROM data");
      List<Column> columns =
          JdbcColumns.emptied(connection, query, JdbcColumns.of(connection, Dialect.DUCKDB, query));
      return new SqlTable(
          address.site(),
          location,
          connection,
          Dialect.DUCKDB,
          query,
          columns,
          text || excel ? List.of() : address.missing(),
          secrets,
          Optional.ofNullable(copy));
    } catch (SQLException e) {
      close(connection);
      close(copy);
      throw new InvalidInput(
          EngineErrors.isEncoding(e)
              ? "site %s: %s: must be UTF-8 text%s. --encoding names the file's encoding, such as windows-1252"
                  .formatted(address.site(), address.location(), EngineErrors.line(e))
              : "site %s: %s cannot be read: %s"
                  .formatted(address.site(), address.location(), EngineErrors.text(e, secrets)));
    } catch (InvalidInput e) {
      close(connection);
      close(copy);
      throw new InvalidInput("site %s: %s".formatted(address.site(), e.getMessage()), e);
    }
  }

  /** The files that a place or a pattern names, in DuckDB's order. */
  private static List<String> files(Connection connection, String location) throws SQLException {
    List<String> files = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT file FROM glob(?) ORDER BY file")) {
      statement.setString(1, location);
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          files.add(found.getString(1));
        }
      }
    }
    if (files.isEmpty()) {
      throw new InvalidInput("%s: must match at least one file; it does not".formatted(location));
    }
    return files;
  }

  private static void close(@Nullable Utf8Copy copy) {
    if (copy != null) {
      copy.close();
    }
  }

  /** The types that DuckDB finds in all rows, so that no later reading has to guess. */
  private static String types(Connection connection, String relation) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet described = statement.executeQuery("DESCRIBE SELECT * FROM " + relation)) {
      List<String> types = new ArrayList<>();
      while (described.next()) {
        types.add(
            "%s: %s"
                .formatted(
                    FileRelation.literal(described.getString(1)),
                    FileRelation.literal(described.getString(2))));
      }
      return types.stream().collect(Collectors.joining(", ", "{", "}"));
    }
  }

  /** The table or query of a database; of a file that holds one table, that table. */
  private static SiteTable database(TableAddress address, Secrets secrets, String shown) {
    Dialect dialect = Dialect.ofUrl(secrets.url());
    boolean remote = address.location().startsWith("jdbc:");
    if (address.query().isEmpty() && remote) {
      throw new InvalidInput(
          "site %s: --query must be given: the table or query of %s to read"
              .formatted(address.site(), shown));
    }
    Connection connection = null;
    try {
      connection = connect(dialect, secrets.url());
      String query =
          address.query().isPresent()
              ? query(address.query().get())
              : "SELECT * FROM " + dialect.name(DatabaseFile.onlyTable(connection, dialect, shown));
      List<Column> columns = JdbcColumns.of(connection, dialect, query);
      return new SqlTable(
          address.site(),
          shown,
          connection,
          dialect,
          query,
          columns,
          address.missing(),
          secrets,
          Optional.empty());
    } catch (SQLException e) {
      close(connection);
      throw new InvalidInput(
          "site %s: %s refuses: %s"
              .formatted(address.site(), shown, EngineErrors.text(e, secrets)));
    } catch (InvalidInput e) {
      close(connection);
      throw new InvalidInput("site %s: %s".formatted(address.site(), e.getMessage()), e);
    }
  }

  /** For reading alone, all readings from one state of the database where it can do that. */
  private static Connection connect(Dialect dialect, String url) throws SQLException {
    return switch (dialect) {
      case DUCKDB -> {
        Properties properties = streaming();
        properties.setProperty("duckdb.read_only", "true");
        yield DuckDb.connect(url, properties);
      }
      case SQLITE -> {
        unpackSqliteOnce();
        // SQLITE_OPEN_READONLY: otherwise a mistyped name makes an empty database.
        Properties properties = new Properties();
        properties.setProperty("open_mode", "1");
        yield DriverManager.getConnection(url, properties);
      }
      case MARIADB -> {
        Connection connection =
            DriverManager.getConnection(url.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:"));
        try (Statement statement = connection.createStatement()) {
          // Its TIMESTAMP is shown in the session's zone; the answer must not depend on that.
          statement.execute("SET time_zone = '+00:00'");
        }
        yield oneState(connection);
      }
      case POSTGRESQL -> oneState(DriverManager.getConnection(url));
      case STANDARD -> DriverManager.getConnection(url);
    };
  }

  /** By itself the driver unpacks its library at every start, and leaves it where it is killed. */
  private static void unpackSqliteOnce() {
    CacheFolder cache = CacheFolder.own();
    if (System.getProperty(SQLITE_FOLDER) != null || !cache.canBeUsed()) {
      return;
    }
    URL packed =
        LibraryLoaderUtil.class.getResource(
            "%s/%s"
                .formatted(
                    LibraryLoaderUtil.getNativeLibResourcePath(),
                    LibraryLoaderUtil.getNativeLibName()));
    if (packed != null) {
      Path library = cache.library("sqlitejdbc", packed);
      System.setProperty(SQLITE_NAME, library.getFileName().toString());
      System.setProperty(SQLITE_FOLDER, cache.path().toAbsolutePath().toString());
    }
  }

  private static Connection oneState(Connection connection) throws SQLException {
    connection.setReadOnly(true);
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    return connection;
  }

  /** Without it the driver would hold the whole result in memory. */
  private static Properties streaming() {
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", "true");
    return properties;
  }

  /** For what is over before threads have started. */
  private static Properties alone() {
    Properties properties = streaming();
    properties.setProperty("threads", "1");
    return properties;
  }

  /** A table's name means all of it. */
  private static String query(String text) {
    String bare = text.strip().replaceAll(";\\s*$", "");
    return bare.contains(" ") || bare.contains("\n") ? bare : "SELECT * FROM " + bare;
  }

  static void close(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException gone) {
      // It is no longer needed, whatever state it is in.
    }
  }
}
