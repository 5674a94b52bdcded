package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain text needs no engine; all else asks for one. */
class PlainTableTest {
  @TempDir Path folder;

  private TableAddress written(String text) throws IOException {
    return TableAddress.of("here", Files.writeString(folder.resolve("d.csv"), text).toString());
  }

  private static SiteTable asking() {
    throw new IllegalStateException("an engine was asked");
  }

  private static Optional<SiteTable> plain(TableAddress address) {
    return PlainTable.of(address, PlainTableTest::asking);
  }

  private static List<String> values(SiteTable table, String expression, boolean text) {
    List<String> found = new ArrayList<>();
    table.scan(
        List.of(Formula.parse(expression + " ~ 1").response()),
        row -> found.add(text ? String.valueOf(row.text(0)) : Double.toString(row.number(0))));
    return found;
  }

  @Test
  void open_plainText_isReadWithoutAnEngine() throws IOException {
    String text = "\"x\",s,n,e\r\n1.5,a,1,\r\nNA,\"1\",-0,NA\r\n-2e3,é,123456789012345678,\r\n";
    try (SiteTable table = plain(written(text)).orElseThrow()) {
      assertThat(table.columns())
          .containsExactly(
              new Column("x", ColumnType.NUMBER),
              new Column("s", ColumnType.TEXT),
              new Column("n", ColumnType.NUMBER),
              new Column("e", ColumnType.EMPTY));
      assertThat(values(table, "x", false)).containsExactly("1.5", "NaN", "-2000.0");
      assertThat(values(table, "s", true)).containsExactly("a", "1", "é");
      assertThat(values(table, "n", false)).containsExactly("1.0", "0.0", "1.2345678901234568E17");
      assertThat(values(table, "x + n", false))
          .containsExactly("2.5", "NaN", Double.toString(-2000 + 1.2345678901234568e17));
    }
  }

  /** Oracle: the nearest double, by the JDK's own parser. */
  @Test
  void open_numbersOfAllLengths_areTheNearestDoubles() throws IOException {
    StringBuilder text = new StringBuilder("a,b\n");
    List<String> expected = new ArrayList<>();
    String digits = "9007199254740993123456789";
    for (int length = 1; length <= digits.length(); length++) {
      for (int point = 1; point < length; point++) {
        String number =
            "-%s.%s".formatted(digits.substring(0, point), digits.substring(point, length));
        text.append(number).append(",x\n");
        expected.add(Double.toString(Double.parseDouble(number)));
      }
    }
    try (SiteTable table = plain(written(text.toString())).orElseThrow()) {
      assertThat(values(table, "a", false)).isEqualTo(expected);
    }
  }

  @Test
  void open_whatLeavesADoubt_asksForAnEngine() throws IOException {
    for (String text :
        List.of(
            "a;b\n1;2\n",
            "a\n1\n",
            "a,A\n1,2\n",
            "a,b\n1,2,3\n",
            "a,b\n1,true\n",
            "a,b\n1,2020-01-01\n",
            "a,b\n1,007\n",
            "a,b\n1,\"x,y\"\n",
            "a,b\n1,x\n\n2,y\n",
            "a,b\r\n1,x\n",
            "a,b\n1,it's\n",
            "a,b\n")) {
      assertThat(plain(written(text))).as(text).isEmpty();
    }
    Path latin =
        Files.write(folder.resolve("l.csv"), "a,b\n1,é\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(plain(TableAddress.of("here", latin.toString()))).isEmpty();
    TableAddress queried =
        new TableAddress(
            "here", written("a,b\n1,x\n").location(), Optional.of("select a from data"), List.of());
    assertThat(plain(queried)).isEmpty();
  }

  @Test
  void scan_whatGoesBeyondPlainText_asksForAnEngine() throws IOException {
    try (SiteTable table = plain(written("a,b\n1,x\n0,y\n")).orElseThrow()) {
      for (String expression : List.of("log(a)", "1/a", "lower(b)", "sin(a)")) {
        assertThatThrownBy(() -> values(table, expression, false))
            .as(expression)
            .hasMessage("an engine was asked");
      }
      assertThatThrownBy(() -> table.scan(List.of(new Expression.Name("c")), row -> {}))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("there is no column c");
    }
  }
}
