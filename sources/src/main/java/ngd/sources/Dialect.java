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

  /** The logarithm to base 10, by the function that is exact for powers of ten. */
  String log10() {
    return this == POSTGRESQL ? "log" : "log10";
  }
}
