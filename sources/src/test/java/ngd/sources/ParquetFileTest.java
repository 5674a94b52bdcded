package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: the CSV file. */
class ParquetFileTest {
  @TempDir private Path folder;

  @Test
  void write_numbersAndTexts_keepsRowsTypesAndBits() throws Exception {
    Path csv =
        Files.writeString(
            folder.resolve("it's.csv"),
            "round,\"(Intercept)\",algorithm\n0,0.1,\"ngd@0.1,0.05@5\"\n10,4.9E-324,extra\n20,Infinity,extra\n");
    Path parquet = folder.resolve("it's.parquet");
    ParquetFile.write(csv, parquet);
    List<String> rows = new ArrayList<>();
    try (Connection connection = DuckDb.connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT round, \"(Intercept)\", algorithm, typeof(round), typeof(\"(Intercept)\") FROM read_parquet('%s')"
                    .formatted(parquet.toString().replace("'", "''")))) {
      while (result.next()) {
        rows.add(
            "%d %s %s %s %s"
                .formatted(
                    result.getLong(1),
                    result.getDouble(2),
                    result.getString(3),
                    result.getString(4),
                    result.getString(5)));
      }
    }
    assertThat(rows)
        .containsExactly(
            "0 0.1 ngd@0.1,0.05@5 BIGINT DOUBLE",
            "10 4.9E-324 extra BIGINT DOUBLE",
            "20 Infinity extra BIGINT DOUBLE");
  }
}
