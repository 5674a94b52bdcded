package ngd.sources;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;

/** The columns of a query and their types, as the engine reports them. */
final class JdbcColumns {
  /** How many numbers are asked of each column of SQLite. */
  private static final int STORED = 5;

  private static final int DATE_LENGTH = 10;

  private JdbcColumns() {}

  static List<Column> of(Connection connection, Dialect dialect, String query) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet none =
            statement.executeQuery("SELECT * FROM (%s) t WHERE 1 = 0".formatted(query))) {
      ResultSetMetaData metaData = none.getMetaData();
      for (int c = 1; c <= metaData.getColumnCount(); c++) {
        columns.add(
            new Column(
                metaData.getColumnLabel(c),
                type(dialect, metaData.getColumnType(c), metaData.getColumnTypeName(c))));
      }
    }
    requireDistinct(columns);
    return dialect == Dialect.SQLITE ? stored(connection, query, columns) : columns;
  }

  private static void requireDistinct(List<Column> columns) {
    Set<String> seen = new HashSet<>();
    for (Column column : columns) {
      if (!seen.add(column.name())) {
        throw new InvalidInput(
            "data: column names must differ; `%s` occurs twice".formatted(column.name()));
      }
    }
  }

  private static ColumnType type(Dialect dialect, int jdbc, String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (upper.contains("HUGEINT") || upper.startsWith("UBIGINT")) {
      return ColumnType.NUMBER;
    }
    if (upper.startsWith("ENUM")) {
      return ColumnType.TEXT;
    }
    if (upper.equals("YEAR")) {
      return ColumnType.NUMBER;
    }
    return switch (jdbc) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.NUMERIC,
          Types.DECIMAL,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE ->
          ColumnType.NUMBER;
      // MariaDB's BOOLEAN is a small number, and may hold any.
      case Types.BIT, Types.BOOLEAN ->
          dialect == Dialect.MARIADB ? ColumnType.NUMBER : ColumnType.BOOLEAN;
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.CLOB ->
          ColumnType.TEXT;
      case Types.DATE -> dialect.knowsDates() ? ColumnType.DATE : ColumnType.OTHER;
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
          dialect.knowsDates() ? ColumnType.TIME : ColumnType.OTHER;
      default -> ColumnType.OTHER;
    };
  }

  /**
   * Files do not say what a column without values would hold, and DuckDB calls it text: here it is
   * called empty.
   */
  static List<Column> emptied(Connection connection, String query, List<Column> columns)
      throws SQLException {
    List<Column> texts =
        columns.stream().filter(column -> column.type() == ColumnType.TEXT).toList();
    if (texts.isEmpty()) {
      return columns;
    }
    String counts =
        texts.stream()
            .map(column -> "count(%s)".formatted(Dialect.DUCKDB.name(column.name())))
            .collect(Collectors.joining(", "));
    Set<Column> empty = new HashSet<>();
    String select = "SELECT %s FROM (%s) t".formatted(counts, query);
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(select)) {
      found.next();
      for (int c = 0; c < texts.size(); c++) {
        if (found.getLong(c + 1) == 0) {
          empty.add(texts.get(c));
        }
      }
    } catch (SQLException e) {
      throw EngineErrors.reason(connection, select, List.of(), e);
    }
    return columns.stream()
        .map(
            column -> empty.contains(column) ? new Column(column.name(), ColumnType.EMPTY) : column)
        .toList();
  }

  /**
   * SQLite's columns hold what was put into them, whatever they are declared to hold. It has no
   * dates; a column declared as such, all of whose values are texts that begin with year, month and
   * day, holds dates.
   */
  private static List<Column> stored(Connection connection, String query, List<Column> declared)
      throws SQLException {
    String texts =
        declared.stream()
            .map(column -> Dialect.SQLITE.name(column.name()))
            .map(
                name ->
                    "max(typeof(%1$s) = 'text'), max(typeof(%1$s) IN ('integer', 'real')), max(typeof(%1$s) = 'blob'), max(typeof(%1$s) = 'text' AND (julianday(%1$s) IS NULL OR %1$s NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*')), max(length(%1$s))"
                        .formatted(name))
            .collect(Collectors.joining(", "));
    List<Column> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT %s FROM (%s) t".formatted(texts, query))) {
      found.next();
      for (int c = 0; c < declared.size(); c++) {
        boolean text = found.getInt(STORED * c + 1) == 1;
        boolean number = found.getInt(STORED * c + 2) == 1;
        boolean blob = found.getInt(STORED * c + 3) == 1;
        boolean dates = declared.get(c).type().isMoment() && found.getInt(STORED * c + 4) == 0;
        ColumnType moment =
            found.getInt(STORED * c + 5) > DATE_LENGTH ? ColumnType.TIME : ColumnType.DATE;
        ColumnType type =
            blob || (text && number)
                ? ColumnType.OTHER
                : text
                    ? (dates ? moment : ColumnType.TEXT)
                    : number ? ColumnType.NUMBER : declared.get(c).type();
        columns.add(new Column(declared.get(c).name(), type));
      }
    }
    return columns;
  }
}
