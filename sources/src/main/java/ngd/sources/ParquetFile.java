package ngd.sources;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** A CSV file as Parquet, by DuckDB: whole numbers, numbers and texts as such. */
final class ParquetFile {
  private ParquetFile() {}

  /** Writes the rows of a CSV file with a header, in their order. */
  static void write(Path csv, Path parquet) throws IOException {
    try (Connection connection = DuckDb.connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("SET preserve_insertion_order = true");
      statement.execute(
          "COPY (SELECT * FROM read_csv(%s, header = true, delim = ',', sample_size = -1)) TO %s (FORMAT parquet)"
              .formatted(quoted(csv), quoted(parquet)));
    } catch (SQLException e) {
      throw new IOException(
          "%s: cannot be written as Parquet: %s".formatted(parquet, e.getMessage()), e);
    }
  }

  private static String quoted(Path file) {
    return "'" + file.toString().replace("'", "''") + "'";
  }
}
