package ngd.sources;

import java.util.Locale;

/** How an engine wants to be asked. */
enum Dialect {
  DUCKDB('"', "DOUBLE", "VARCHAR"),
  POSTGRESQL('"', "DOUBLE PRECISION", "TEXT"),
  MARIADB('`', "DOUBLE", "CHAR"),
  SQLITE('"', "REAL", "TEXT"),
  /** Whatever else has a driver on the class path. */
  STANDARD('"', "DOUBLE PRECISION", "VARCHAR(4000)");

  private final char quote;
  private final String real;
  private final String text;

  Dialect(char quote, String real, String text) {
    this.quote = quote;
    this.real = real;
    this.text = text;
  }

  static Dialect ofUrl(String url) {
    String scheme = url.split(":", 3)[1].toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "duckdb" -> DUCKDB;
      case "postgresql" -> POSTGRESQL;
      case "mariadb", "mysql" -> MARIADB;
      case "sqlite" -> SQLITE;
      default -> STANDARD;
    };
  }

  String name(String column) {
    String doubled = column.replace(String.valueOf(quote), String.valueOf(quote) + quote);
    return quote + doubled + quote;
  }

  /** A number as a double, so that no engine divides whole numbers or overflows them. */
  String number(String sql) {
    String cast = "CAST(%s AS %s)".formatted(sql, real);
    return hasNaN() ? "NULLIF(%s, CAST('NaN' AS %s))".formatted(cast, real) : cast;
  }

  private boolean hasNaN() {
    return this == DUCKDB || this == POSTGRESQL;
  }

  String text(String sql) {
    return this == MARIADB
        // Its usual collation takes `a` and `A` for the same.
        ? "CONVERT(%s USING utf8mb4) COLLATE utf8mb4_bin".formatted(sql)
        : "CAST(%s AS %s)".formatted(sql, text);
  }

  boolean knowsDates() {
    return this != STANDARD;
  }

  /** A column of dates as days since 1970-01-01. */
  String days(String column) {
    return switch (this) {
      case DUCKDB -> "(epoch(%s) / 86400e0)".formatted(column);
      case MARIADB -> "CAST(TO_DAYS(%s) - 719528 AS DOUBLE)".formatted(column);
      case SQLITE -> "(julianday(%s) - 2440587.5)".formatted(column);
      case POSTGRESQL, STANDARD ->
          "CAST((%s - DATE '1970-01-01') AS DOUBLE PRECISION)".formatted(column);
    };
  }

  /** A column of times as seconds since 1970 began in UTC. */
  String seconds(String column) {
    return switch (this) {
      case DUCKDB -> "epoch(%s)".formatted(column);
      case MARIADB ->
          "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', %s) / 1e6)".formatted(column);
      case SQLITE ->
          "(CAST(strftime('%%s', %1$s) AS REAL) + CAST(strftime('%%f', %1$s) AS REAL) - CAST(strftime('%%S', %1$s) AS REAL))"
              .formatted(column);
      case POSTGRESQL, STANDARD ->
          "CAST(EXTRACT(EPOCH FROM %s) AS DOUBLE PRECISION)".formatted(column);
    };
  }

  /** A text, year first, as a date; NULL where it is none. The text may be used twice. */
  String dateOf(String text, String again) {
    return switch (this) {
      case DUCKDB -> "TRY_CAST(%s AS DATE)".formatted(text);
      case MARIADB -> "STR_TO_DATE(%s, '%%Y-%%m-%%d')".formatted(text);
      case SQLITE -> "date(%s)".formatted(text);
      case POSTGRESQL, STANDARD ->
          "CASE WHEN %s ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN CAST(%s AS DATE) END"
              .formatted(text, again);
    };
  }

  boolean readsTextTwice() {
    return this == POSTGRESQL || this == STANDARD;
  }

  /** A part of the date that a number of days is. */
  String part(DatePart part, String days) {
    return switch (this) {
      case DUCKDB, POSTGRESQL, STANDARD ->
          "CAST(EXTRACT(%s FROM (DATE '1970-01-01' + CAST(floor(%s) AS INTEGER))) AS %s)"
              .formatted(part.standard, days, real);
      case MARIADB ->
          "CAST(%s(DATE_ADD('1970-01-01', INTERVAL CAST(floor(%s) AS SIGNED) DAY)) AS DOUBLE)"
              .formatted(part.mariadb, days);
      case SQLITE ->
          "CAST(strftime('%s', CAST(floor(%s) AS INTEGER) * 86400, 'unixepoch') AS REAL)"
              .formatted(part.sqlite, days);
    };
  }

  /** Parts of a date, as the engines name them. */
  enum DatePart {
    YEAR("YEAR", "YEAR", "%Y"),
    MONTH("MONTH", "MONTH", "%m"),
    DAY("DAY", "DAYOFMONTH", "%d"),
    DAY_OF_YEAR("DOY", "DAYOFYEAR", "%j");

    private final String standard;
    private final String mariadb;
    private final String sqlite;

    DatePart(String standard, String mariadb, String sqlite) {
      this.standard = standard;
      this.mariadb = mariadb;
      this.sqlite = sqlite;
    }
  }

  /** The logarithm to base 10, by the function that is exact for powers of ten. */
  String log10() {
    return this == POSTGRESQL ? "log" : "log10";
  }
}
