package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.data.TextFormat;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableTest extends EngineContract {
  @TempDir Path folder;

  private String write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  SiteTable open() {
    return TableAddress.of("here", write("d.csv", CSV)).open();
  }

  private static List<@Nullable String> column(SiteTable table, String name) {
    List<@Nullable String> found = new ArrayList<>();
    boolean text = table.columns().contains(new Column(name, ColumnType.TEXT));
    table.scan(
        List.of(new Expression.Name(name)),
        row -> found.add(text ? row.text(0) : Double.toString(row.number(0))));
    return found;
  }

  @Test
  void open_otherSeparators_areFound() {
    for (String separator : List.of(";", "\t", "|")) {
      String text = "fixed acidity,b\n1.5,x\n2.5,y\n".replace(",", separator);
      try (SiteTable table = TableAddress.of("here", write("d.tsv", text)).open()) {
        assertThat(column(table, "fixed acidity")).containsExactly("1.5", "2.5");
        assertThat(column(table, "b")).containsExactly("x", "y");
      }
    }
  }

  @Test
  void open_missingWords_areMissing() {
    String file = write("d.csv", "a,b\n1,x\n?,?\n3,NA\n,\n");
    try (SiteTable table = new TableAddress("here", file, Optional.empty(), List.of("?")).open()) {
      assertThat(column(table, "a")).containsExactly("1.0", "NaN", "3.0", "NaN");
      assertThat(column(table, "b")).containsExactly("x", null, "NA", null);
    }
    try (SiteTable table = TableAddress.of("here", file).open()) {
      assertThat(table.columns().getFirst().type()).isEqualTo(ColumnType.TEXT);
      assertThat(column(table, "b")).containsExactly("x", "?", null, null);
    }
  }

  /** A text in the last of many rows makes the whole column text, and no reading fails. */
  @Test
  void open_textFarDown_isSeenBeforehand() {
    StringBuilder text = new StringBuilder("a\n");
    for (int i = 0; i < 100_000; i++) {
      text.append(i).append('\n');
    }
    try (SiteTable table = TableAddress.of("here", write("d.csv", text + "end\n")).open()) {
      assertThat(table.columns().getFirst().type()).isEqualTo(ColumnType.TEXT);
      assertThat(column(table, "a")).hasSize(100_001).endsWith("end");
    }
    try (SiteTable table = TableAddress.of("here", write("d.csv", text.toString())).open()) {
      List<@Nullable String> found = column(table, "a");
      for (int i = 0; i < 100_000; i++) {
        assertThat(found.get(i)).isEqualTo(i + ".0");
      }
    }
  }

  /** Small files are read at once, large ones anew for each reading; what they hold is the same. */
  @Test
  void open_smallAndLarge_giveTheSameColumnsAndRows() {
    String rows = "a,b,c,d,e\n1,x,2020-01-02,,true\n,y,2020-01-03,,false\n2.5,,2020-01-04,,true\n";
    StringBuilder text = new StringBuilder(rows);
    while (text.length() <= 1 << 22) {
      text.append("0,z,2021-01-01,,false\n");
    }
    try (SiteTable small = TableAddress.of("here", write("small.csv", rows)).open();
        SiteTable big = TableAddress.of("here", write("big.csv", text.toString())).open()) {
      assertThat(big.columns()).isEqualTo(small.columns());
      assertThat(small.columns().get(3).type()).isEqualTo(ColumnType.EMPTY);
      for (String name : List.of("a", "b", "c", "e")) {
        assertThat(column(big, name).subList(0, 3)).isEqualTo(column(small, name));
      }
    }
  }

  /** What a question sees is one state of a small file, whatever is written to it meanwhile. */
  @Test
  void scan_smallFileThatChanges_givesTheRowsOfItsOpening() {
    try (SiteTable table = TableAddress.of("here", write("d.csv", "a\n1\n")).open()) {
      write("d.csv", "a\n1\n2\n");
      assertThat(column(table, "a")).containsExactly("1.0");
    }
    try (SiteTable table = TableAddress.of("here", folder.resolve("d.csv").toString()).open()) {
      assertThat(column(table, "a")).containsExactly("1.0", "2.0");
    }
  }

  @Test
  void open_gzippedAndManyFiles_areOneTable() throws IOException {
    Path packed = folder.resolve("part-1.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write("a\n1\n2\n".getBytes(StandardCharsets.UTF_8));
    }
    try (SiteTable table = TableAddress.of("here", packed.toString()).open()) {
      assertThat(column(table, "a")).containsExactly("1.0", "2.0");
    }
    write("v1.csv", "a\n1\n");
    write("v2.csv", "a\n2\n");
    try (SiteTable table = TableAddress.of("here", folder.resolve("v*.csv").toString()).open()) {
      assertThat(column(table, "a")).containsExactlyInAnyOrder("1.0", "2.0");
    }
  }

  @Test
  void open_queryOverAFile_seesItAsData() {
    TableAddress address =
        new TableAddress(
            "here",
            write("d.csv", CSV),
            Optional.of("select id, n * 2 as twice from data where n > 0;"),
            List.of());
    try (SiteTable table = address.open()) {
      assertThat(column(table, "twice")).containsExactly("14.0", "6.0", "4.0");
    }
  }

  /** Oracle: SQL's own casts. In DuckDB's reader of text 2.5 would become 3, and true fail. */
  @Test
  void open_castsInAQuery_areThoseOfTheValues() {
    TableAddress address =
        new TableAddress(
            "here",
            write("d.csv", "a,b\n1.5,true\n2.5,false\n"),
            Optional.of("select cast(a as integer) as a, cast(b as integer) as b from data"),
            List.of());
    try (SiteTable table = address.open()) {
      assertThat(column(table, "a")).containsExactly("2.0", "2.0");
      assertThat(column(table, "b")).containsExactly("1.0", "0.0");
    }
  }

  @Test
  void open_errorsOfTheEngine_areShownInFull() {
    for (String query :
        List.of(
            "select b, cast(b as integer) as n from data",
            "select cast(b as integer) as n from data")) {
      TableAddress address =
          new TableAddress(
              "east", write("d.csv", "a,b\n1,7\n2,x\n"), Optional.of(query), List.of());
      assertThatThrownBy(
              () -> {
                try (SiteTable table = address.open()) {
                  column(table, "n");
                }
              })
          .isInstanceOf(InvalidInput.class)
          .hasMessageStartingWith("site east: ")
          .hasMessageContaining("Could not convert string 'x' to INT32")
          .hasMessageContaining("cast(b as integer)");
    }
  }

  private static TableAddress written(Path file, char decimal, String encoding) {
    return new TableAddress(
        "here",
        file.toString(),
        Optional.empty(),
        List.of(),
        new TextFormat(decimal, TextFormat.encoding(encoding)));
  }

  /** Oracle: the same text in UTF-8. */
  @Test
  void open_otherEncodingsAndDecimalCommas_areReadAsWritten() throws IOException {
    String text = "größe;ort\n1,5;Köln\n-2,25e1;Łódź\n;Brno\n";
    for (String encoding : List.of("utf-8", "iso-8859-2", "windows-1250", "utf-16", "utf-16le")) {
      Path file = folder.resolve("e.csv");
      Files.write(file, text.getBytes(TextFormat.encoding(encoding)));
      Path packed = folder.resolve("e.csv.gz");
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
        out.write(text.getBytes(TextFormat.encoding(encoding)));
      }
      for (Path one : List.of(file, packed)) {
        try (SiteTable table = written(one, ',', encoding).open()) {
          assertThat(column(table, "größe")).as(encoding).containsExactly("1.5", "-22.5", "NaN");
          assertThat(column(table, "ort")).as(encoding).containsExactly("Köln", "Łódź", "Brno");
        }
      }
    }
  }

  @Test
  void open_wrongEncoding_isRefusedWithTheOption() throws IOException {
    Path file = folder.resolve("e.csv");
    Files.write(file, "a;ort\n1;Köln\n".getBytes(TextFormat.encoding("latin-1")));
    assertThatThrownBy(() -> TableAddress.of("here", file.toString()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("site here: ")
        .hasMessageEndingWith(
            "e.csv: must be UTF-8 text; line 2 is not. --encoding names the file's encoding, such as windows-1252");
    assertThatThrownBy(() -> written(file, '.', "us-ascii").open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageEndingWith("e.csv: must be US-ASCII text (--encoding); it is not");
  }

  /** The copies are gone with the table. */
  @Test
  void close_ofAnotherEncoding_leavesNoCopy() throws IOException {
    Path file = folder.resolve("e.csv");
    Files.write(file, "a;ort\n1;Köln\n".getBytes(TextFormat.encoding("latin-1")));
    Set<Path> before = copies();
    try (SiteTable table = written(file, '.', "latin-1").open()) {
      assertThat(column(table, "ort")).containsExactly("Köln");
    }
    assertThat(before).containsAll(copies());
  }

  private static Set<Path> copies() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("ngd-utf8-"))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void open_whatCannotBeRead_isRefusedWithTheReason() {
    assertThatThrownBy(() -> TableAddress.of("b", folder.resolve("no.csv").toString()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("site b: ")
        .hasMessageEndingWith("no.csv: must be a readable file; it does not exist");
    assertThatThrownBy(() -> TableAddress.of("b", folder.resolve("*.csv").toString()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("No files found");
    assertThatThrownBy(() -> TableAddress.of("b", folder.toString()).open())
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> TableAddress.of("b", write("d.doc", "x")).open())
        .hasMessageContaining("must be a file that ends in .csv");
    assertThatThrownBy(() -> TableAddress.of("b", write("d.dta", "x")).open())
        .hasMessageStartingWith("site b: data: files of Stata must be exported to .csv");
    assertThatThrownBy(() -> TableAddress.of("b", write("e.csv", "")).open())
        .hasMessageContaining("it is empty");
    assertThatThrownBy(() -> TableAddress.of("b", write("d.parquet", "no parquet")).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("d.parquet cannot be read");
  }
}
