package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.GZIPOutputStream;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvSourceTest {
  @TempDir Path folder;

  private Path file(String text) {
    return file("d.csv", text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(String name, byte[] bytes) {
    try {
      return Files.write(folder.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CsvSource of(Path file) {
    return CsvSource.of(file, "y");
  }

  private Table read(String text) {
    return of(file(text)).read();
  }

  private Table read(String text, String... features) {
    return new CsvSource(file(text), "y", List.of(features), false, Optional.empty()).read();
  }

  private static void assertHolds(Table table) {
    assertThat(table.features()).containsExactly("(Intercept)", "a", "b");
    assertThat(table.rows()).isEqualTo(2);
    assertThat(new double[] {table.y(0), table.y(1)}).containsExactly(1, 4);
    assertThat(new double[] {table.x(0, 0), table.x(1, 0)}).containsExactly(1, 1);
    assertThat(new double[] {table.x(0, 1), table.x(1, 1)}).containsExactly(2.5, 5000);
    assertThat(new double[] {table.x(0, 2), table.x(1, 2)}).containsExactly(-3, 0.25);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,y,b\n2.5,1,-3\n5e3,4.0,.25\n",
        "a;y;b\n2.5;1;-3\n5e3;4.0;.25",
        "a\ty\tb\r\n2.5\t1\t-3\r\n5e3\t4.0\t.25\r\n",
        "\ufeffa,y,b\n2.5,1,-3\n5e3,4.0,.25\n",
        "\"a\",\"y\",\"b\"\n\"2.5\",\"1\",\"-3\"\n+5E+3,\"4.0\",.25\n",
        " a , y,b \n 2.5 ,1, \"-3\" \n5e3,4.0,.25\n\n",
        "\n\na;y;b\n\n2.5;1;-3\n\n5e3;4.0;.25\n",
      })
  void read_anyDialect_holdsTheSameNumbers(String text) {
    assertHolds(read(text));
  }

  @Test
  void read_gzipped_isUnpacked() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write("a,y,b\n2.5,1,-3\n5e3,4,.25\n".getBytes(StandardCharsets.UTF_8));
    }
    Table zipped = of(file("d.csv.gz", bytes.toByteArray())).read();
    assertHolds(zipped);
    assertThat(zipped.hash()).isEqualTo(read("a;y;b\n2.5;1;-3\n5e3;4;.25\n").hash());
    byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 12);
    assertThatThrownBy(() -> of(file("cut.gz", cut)).read())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("cut.gz: the gzipped file is damaged or cut short");
  }

  @Test
  void read_delimiterInsideQuotedNames_isNotCounted() {
    Table table = read("\"a;b;c\",y,\"d;e\"\n1,2,3\n");
    assertThat(table.features()).containsExactly("(Intercept)", "a;b;c", "d;e");
  }

  @Test
  void read_featuresNamed_comeInTheOrderOfTheFile() {
    Table table = read("a,y,b,c\n1,2,3,x\n", "b", "a");
    assertThat(table.features()).containsExactly("a", "b");
    assertThat(table.x(0, 1)).isEqualTo(3);
    assertThat(table.hasIntercept()).isFalse();
  }

  @Test
  void place_quotedLineBreaksAndBlankLines_namesTheLineInTheFile() {
    Table table = read("y,a,note\n1,2,\"two\nlines\"\n\n3,4,plain\n", "a");
    assertThat(table.place(0)).endsWith("d.csv, line 2");
    assertThat(table.place(1)).endsWith("d.csv, line 5");
  }

  @Test
  void hash_anotherNumberOrName_isAnother() {
    String hash = read("y,a\n1,2\n").hash();
    assertThat(hash).hasSize(64).isEqualTo(read("y,a\n1.0,2e0\n").hash());
    assertThat(read("y,a\n1,3\n").hash()).isNotEqualTo(hash);
    assertThat(read("y,b\n1,2\n").hash()).isNotEqualTo(hash);
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      textBlock =
          """
          y,a\\n1,x\\n             | d.csv, line 2, column `a`: must be a finite number; got `x`
          y,a\\n1,2\\n3,\\n        | d.csv, line 3, column `a`: must be a finite number; the cell is empty
          y,a\\n1,NaN\\n           | line 2, column `a`: must be a finite number; got `NaN`
          y,a\\n1,2\\nInfinity,2\\n| line 3, column `y`: must be a finite number; got `Infinity`
          y,a\\n1,1e999\\n         | line 2, column `a`: must be a finite number; got `1e999`
          y,a\\n1,1f\\n            | column `a`: must be a finite number; got `1f`
          y,a\\n1,0x10\\n          | column `a`: must be a finite number; got `0x10`
          y;a\\n1;2,5\\n           | got `2,5` (--decimal , reads decimal commas)
          y,a\\n1,2\\n1,2,3\\n     | d.csv, line 3: must have 2 fields like the header; got 3
          y,a\\n1,2\\n7\\n         | d.csv, line 3: must have 2 fields like the header; got 1
          y,a,a\\n1,2,3\\n         | d.csv, line 1: column names must differ; `a` occurs twice
          y,,a\\n1,2,3\\n          | d.csv, line 1: every column needs a name; column 2 of 3 has none
          y,a\\n                   | d.csv: must have rows below the header; got none
          Y2,age\\n1,2\\n          | d.csv: no column `y` for the response; did you mean `Y2`? The columns are Y2, age
          income,age\\n1,2\\n      | d.csv: no column `y` for the response. The columns are income, age
          y,(Intercept)\\n1,1\\n   | the name `(Intercept)` is taken by the intercept
          """)
  void read_wrongFile_saysWhereAndWhat(String text, String message) {
    assertThatThrownBy(() -> read(text.strip().replace("\\n", "\n")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(message);
  }

  @Test
  void read_emptyMissingOrForeignFile_saysSo() {
    assertThatThrownBy(() -> read(""))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("d.csv: must have a header line and rows; the file is empty");
    assertThatThrownBy(() -> of(folder.resolve("none.csv")).read())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("none.csv: no such file");
    assertThatThrownBy(() -> of(folder).read())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("it is a folder");
    byte[] latin = "y,größe\n1,2\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> of(file("latin.csv", latin)).read())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("latin.csv: must be UTF-8 text");
  }

  @Test
  void read_wrongFeatures_areNamed() {
    String text = "y,age,income\n1,2,3\n";
    assertThatThrownBy(() -> read(text, "agee"))
        .hasMessageContaining("no column `agee` for the feature; did you mean `age`?");
    assertThatThrownBy(() -> read(text, "age", "y"))
        .hasMessage("features: must not hold the response; got `y` as both");
    assertThatThrownBy(() -> read(text, "age", "age"))
        .hasMessage("features: must differ; `age` was named twice");
    assertThatThrownBy(() -> read("y\n1\n", new String[0]))
        .hasMessageContaining("must have a feature beside the response `y`, or an intercept");
    assertThat(read("y\n1\n").features()).containsExactly("(Intercept)");
  }

  // ---- a column of clients

  private Table byColumn(String text, String column, String... features) {
    return new CsvSource(file(text), "y", List.of(features), true, Optional.of(column)).read();
  }

  private static Assignment assign(String spec, Table table, OptionalInt clients) {
    return Partition.parse(spec).assign(table, clients, Placement.IN_ORDER, Streams.of(1));
  }

  @Test
  void assign_textColumn_givesOneClientAValueInOrderOfTheValues() {
    Table table = byColumn("y,site,a\n1,Ulm,1\n2,Bonn,2\n3,Ulm,3\n4, Aachen ,4\n", "site");
    assertThat(table.features()).containsExactly("(Intercept)", "a");
    Assignment assignment = assign("column:site", table, OptionalInt.empty());
    assertThat(assignment.sizes()).containsExactly(1, 1, 2);
    assertThat(List.of(0, 1, 2, 3)).map(assignment::client).containsExactly(2, 1, 2, 0);
    Shards shards = assignment.shards(table);
    assertThat(shards.shard(2).y(1)).isEqualTo(3);
    assertThat(shards.shard(2).x(1, 1)).isEqualTo(3);
  }

  @Test
  void assign_numberColumn_isOrderedByNumber() {
    Table table = byColumn("y,site,a\n1,10,1\n2,9,2\n3,9.0,3\n", "site");
    assertThat(assign("column:site", table, OptionalInt.of(2)).sizes()).containsExactly(2, 1);
    assertThat(table.features()).doesNotContain("site");
    assertThat(byColumn("y,site,a\n1,10,1\n2,9,2\n", "site", "site", "a").features())
        .containsExactly("(Intercept)", "site", "a");
    assertThat(
            assign("column:y", byColumn("y,a\n1,5\n0,6\n1,7\n", "y"), OptionalInt.empty()).sizes())
        .containsExactly(1, 2);
  }

  @Test
  void assign_columnAndContradictingClients_isRefused() {
    Table table = byColumn("y,site,a\n1,u,1\n2,v,2\n", "site");
    assertThatThrownBy(() -> assign("column:site", table, OptionalInt.of(3)))
        .hasMessage(
            "clients: must be 2, the number that the partition column:site makes, or left out; got"
                + " 3");
    assertThatThrownBy(() -> byColumn("y,site,a\n1,,1\n", "site"))
        .hasMessageContaining("line 2: column `site` must say which client the row belongs to");
    assertThatThrownBy(() -> byColumn("y,site,a\n1,u,1\n", "sites"))
        .hasMessageContaining("no column `sites` for the partition column; did you mean `site`?");
    assertThatThrownBy(() -> assign("column:other", table, OptionalInt.empty()))
        .hasMessageContaining(
            "partition column:other: needs a table that was read with that column");
  }

  /** Oracle: the same numbers with points, in UTF-8. */
  @Test
  void read_decimalCommasInAnotherEncoding_areTheSameNumbers() throws IOException {
    Path file = folder.resolve("latin.csv");
    TextFormat format = new TextFormat(',', TextFormat.encoding("latin-1"));
    CsvSource source = new CsvSource(file, "y", List.of("größe"), false, Optional.empty(), format);
    Files.write(file, "y;größe\n1,5;-2,25e1\n3;+,5\n".getBytes(format.encoding()));
    Table table = source.read();
    assertThat(table.y(0)).isEqualTo(1.5);
    assertThat(table.hash()).isEqualTo(read("y;größe\n1.5;-2.25e1\n3;+.5\n", "größe").hash());
    Files.write(file, "y;größe\n1.5;2\n".getBytes(format.encoding()));
    assertThatThrownBy(source::read).hasMessageContaining("got `1.5`");
  }
}
