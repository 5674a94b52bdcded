package ngd.deep.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import ngd.core.InvalidInput;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.preparation.Missing;
import ngd.core.training.TrainingData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables made here, through the real engines. Oracle: what was put into them. */
final class TableReadingTest {
  /** Ten rows; rows 4 and 9 (from 0) validate. Row 10 is not complete. */
  private static final String CSV =
      """
      size,colour,year,ward,species
      1,red,2001,b,wolf
      2,blue,2002,a,cat
      3,green,2003,b,dog
      4,red,2004,a,cat
      5,blue,2005,b,dog
      1,red,2001,a,cat
      2,blue,2002,b,dog
      3,green,2003,a,wolf
      4,green,2004,b,cat
      5,blue,2005,a,wolf
      ,blue,2005,a,wolf
      """;

  @TempDir private Path folder = Path.of("");

  private final List<String> warnings = new ArrayList<>();

  private Path csv() throws IOException {
    return Files.writeString(folder.resolve("t.csv"), CSV);
  }

  private DataSet read(Object place, Formula formula) {
    return read(TableAddress.of("data", place.toString()), formula, Missing.DROP, null);
  }

  private DataSet read(
      TableAddress address,
      Formula formula,
      Missing missing,
      @org.jspecify.annotations.Nullable String clientColumn) {
    return DataSet.read(
        new TrainingData.TableRows(address, formula, missing),
        Optional.ofNullable(clientColumn),
        warnings::add);
  }

  private static Formula of(String response, String... features) {
    return Formula.of(response, List.of(features), true);
  }

  private static int[] labels(Samples samples) {
    return IntStream.range(0, samples.size()).map(samples::label).toArray();
  }

  private static float[] row(Samples samples, int sample) {
    float[] row = new float[samples.shape().size()];
    samples.copy(sample, row, 0);
    return row;
  }

  @Test
  void read_wordsAsResponse_areClassesInOrder() throws IOException {
    DataSet data = read(csv(), of("species", "size", "colour"));
    assertThat(data.train().classNames()).containsExactly("cat", "dog", "wolf");
    assertThat(labels(data.train())).containsExactly(2, 0, 1, 0, 0, 1, 2, 0);
    assertThat(labels(data.validation())).containsExactly(1, 2);
    // Contrasts with the first level, as fit has them.
    assertThat(data.train().features()).containsExactly("size", "colourgreen", "colourred");
    assertThat(warnings)
        .containsExactly(
            folder.resolve("t.csv") + ": 1 of 11 rows dropped; missing: size in 1 row");
  }

  @Test
  void read_numbers_areStandardisedByTheRowsLearnedFrom() throws IOException {
    DataSet data = read(csv(), of("species", "size", "year"));
    // Sizes 1 2 3 4 1 2 3 4 are learned from: mean 2.5, variance 1.25.
    for (int j = 0; j < 2; j++) {
      assertThat((double) row(data.train(), 0)[j]).isCloseTo(-1.5 / Math.sqrt(1.25), within(1e-6));
      assertThat((double) row(data.validation(), 0)[j])
          .isCloseTo(2.5 / Math.sqrt(1.25), within(1e-6));
    }
  }

  @Test
  void read_largeNumbersThatDifferALittle_keepTheirDifferences() throws IOException {
    StringBuilder text = new StringBuilder("when,y\n");
    for (int i = 0; i < 10; i++) {
      // Floats near 1.7e9 are 128 apart.
      text.append("%d,%d%n".formatted(1_700_000_000L + i % 2, i % 2));
    }
    Path file = Files.writeString(folder.resolve("times.csv"), text);
    Samples train = read(file, of("y")).train();
    assertThat(row(train, 0)).containsExactly(-1);
    assertThat(row(train, 1)).containsExactly(1);
  }

  @Test
  void read_numbersAsResponse_areClassesBySize() throws IOException {
    Path file =
        Files.writeString(folder.resolve("n.csv"), "x,y\n1,10\n2,9\n3,10\n4,-1\n5,9.0\n6,10\n");
    DataSet data = read(file, of("y"));
    assertThat(data.train().classNames()).containsExactly("-1", "9", "10");
    assertThat(labels(data.train())).containsExactly(2, 1, 2, 0, 2);
    assertThat(labels(data.validation())).containsExactly(1);
  }

  @Test
  void read_formula_saysClassesAndNumbers() throws IOException {
    DataSet data = read(csv(), Formula.parse("species = 'cat' ~ I(size^2) + size:colour"));
    assertThat(data.train().classNames()).containsExactly("FALSE", "TRUE");
    assertThat(labels(data.train())).containsExactly(0, 1, 0, 1, 1, 0, 0, 1);
    assertThat(data.train().features())
        .containsExactly("I(size^2)", "size:colourblue", "size:colourgreen", "size:colourred");
  }

  @Test
  void read_everySource_givesTheSameSamples() throws IOException, SQLException {
    Path plain = csv();
    Path zipped = folder.resolve("z.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      out.write(CSV.getBytes(StandardCharsets.UTF_8));
    }
    Path parquet = folder.resolve("t.parquet");
    Path duck = folder.resolve("t.duckdb");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + duck);
        Statement statement = connection.createStatement()) {
      statement.execute("create table animals as select * from '%s'".formatted(plain));
      statement.execute("copy animals to '%s' (format parquet)".formatted(parquet));
    }
    Path lite = folder.resolve("t.sqlite");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + lite);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table animals (size real, colour text, year real, ward text, species text)");
      for (String line : CSV.lines().skip(1).toList()) {
        statement.execute(
            "insert into animals values (nullif('%s', ''), '%s', '%s', '%s', '%s')"
                .formatted((Object[]) line.split(",", -1)));
      }
    }
    Formula formula = of("species");
    DataSet first = read(plain, formula);
    for (TableAddress address :
        List.of(
            TableAddress.of("data", zipped.toString()),
            TableAddress.of("data", parquet.toString()),
            new TableAddress("data", "jdbc:duckdb:" + duck, Optional.of("animals"), List.of()),
            new TableAddress("data", "jdbc:sqlite:" + lite, Optional.of("animals"), List.of()))) {
      DataSet same = read(address, formula, Missing.DROP, null);
      assertThat(same.train().features()).isEqualTo(first.train().features());
      assertThat(labels(same.train())).isEqualTo(labels(first.train()));
      for (int i = 0; i < first.train().size(); i++) {
        assertThat(row(same.train(), i)).isEqualTo(row(first.train(), i));
      }
    }
  }

  @Test
  void read_clientColumn_namesTheClients() throws IOException {
    TableAddress address = TableAddress.of("data", csv().toString());
    Samples train = read(address, of("species", "size"), Missing.DROP, "ward").train();
    assertThat(train.cases().labels().orElseThrow().values()).containsExactly("a", "b");
    assertThat(IntStream.range(0, 8).map(train.cases().labels().orElseThrow()::code))
        .containsExactly(1, 0, 1, 0, 0, 1, 0, 1);
    Samples fewer = FirstOfEach.of(train, 1);
    assertThat(IntStream.range(0, 3).map(fewer.cases().labels().orElseThrow()::code))
        .containsExactly(1, 0, 1);
  }

  @Test
  void read_wrongRequests_areExplained() throws IOException {
    Path file = csv();
    TableAddress address = TableAddress.of("data", file.toString());
    refused(() -> read(file, of("specis")), "no column specis", "species", "size, colour");
    refused(() -> read(file, of("species", "sizes")), "no column sizes", "did you mean `size`");
    refused(
        () -> read(address, of("species"), Missing.FAIL, null), "--missing fail", "size in 1 row");
    refused(
        () -> read(address, of("species"), Missing.DROP, "wards"),
        "partition column:wards",
        "ward");
    refused(
        () -> read(address, Formula.parse("species ~ size + weights(year)"), Missing.DROP, null),
        "weights()");
    refused(() -> read(file, Formula.parse("species ~ 1")), "at least one column");
    refused(() -> read(folder.resolve("none.csv"), of("y")), "none.csv");
    Path one = Files.writeString(folder.resolve("one.csv"), "x,y\n1,a\n2,a\n3,a\n4,a\n5,a\n");
    refused(() -> read(one, of("y")), "the response y must have 2 to 1000", "got 1");
    Path few = Files.writeString(folder.resolve("few.csv"), "x,y\n1,a\n2,b\n");
    refused(() -> read(few, of("y")), "at least 5 complete rows", "got 2");
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... parts) {
    assertThatThrownBy(call).isInstanceOf(InvalidInput.class).hasMessageContainingAll(parts);
  }
}
