package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workbooks that two other programs wrote (oracles/xlsx_oracle.py). */
class ExcelTableTest extends EngineContract {
  private static final Path BOOKS = Path.of("../oracles/xlsx");
  @TempDir Path folder;

  private static SiteTable open(String place) {
    return TableAddress.of("here", BOOKS.resolve(place).toString()).open();
  }

  @Override
  SiteTable open() {
    return open("openpyxl.xlsx#visits");
  }

  private static List<String> values(SiteTable table) {
    List<Expression> all =
        table.columns().stream()
            .filter(column -> column.type() != ColumnType.EMPTY)
            .<Expression>map(column -> new Expression.Name(column.name()))
            .toList();
    List<Column> columns =
        table.columns().stream().filter(column -> column.type() != ColumnType.EMPTY).toList();
    List<String> found = new ArrayList<>();
    table.scan(
        all,
        row -> {
          List<String> line = new ArrayList<>();
          for (int i = 0; i < all.size(); i++) {
            line.add(
                columns.get(i).type() == ColumnType.TEXT
                    ? String.valueOf(row.text(i))
                    : Double.toString(row.number(i)));
          }
          found.add(String.join("|", line));
        });
    return found;
  }

  @Test
  void open_anotherWritersWorkbook_holdsTheSame() {
    try (SiteTable one = open();
        SiteTable other = open("xlsxwriter.xlsx#visits")) {
      assertThat(other.columns()).isEqualTo(one.columns());
      assertThat(values(other)).isEqualTo(values(one)).hasSize(5);
    }
  }

  /** Without a sheet's name it is the first; what is mixed is text, as in a text file. */
  @Test
  void open_mixedColumns_areText() {
    for (String book : List.of("openpyxl.xlsx", "xlsxwriter.xlsx")) {
      try (SiteTable table = open(book)) {
        assertThat(table.columns())
            .as(book)
            .containsExactly(
                new Column("code", ColumnType.TEXT),
                new Column("when", ColumnType.TIME),
                new Column("all missing", ColumnType.EMPTY),
                new Column("money", ColumnType.NUMBER));
        assertThat(values(table))
            .containsExactly("1|1.5778368E9|5.5", "null|NaN|NaN", "two|1.5779664E9|7.0");
      }
    }
  }

  @Test
  void open_withAQuery_readsData() {
    TableAddress address =
        new TableAddress(
            "here",
            BOOKS.resolve("openpyxl.xlsx#visits").toString(),
            Optional.of("select id, n * 2 as twice from data where n > 0"),
            List.of());
    try (SiteTable table = address.open()) {
      assertThat(values(table)).containsExactly("1.0|14.0", "2.0|6.0", "5.0|4.0");
    }
  }

  @Test
  void open_whatIsNoWorkbook_isRefused() throws IOException {
    assertThatThrownBy(() -> open("openpyxl.xlsx#Visits 2"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("site here: ")
        .hasMessageEndingWith("there is no sheet `Visits 2`; there are: mixed, visits");
    Path text = Files.writeString(folder.resolve("t.xlsx"), "a,b\n1,2\n");
    assertThatThrownBy(() -> TableAddress.of("b", text.toString()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessage("site b: %s: must be an Excel workbook (.xlsx); it is not one", text);
    Path cut = folder.resolve("cut.xlsx");
    byte[] whole = Files.readAllBytes(BOOKS.resolve("openpyxl.xlsx"));
    Files.write(cut, java.util.Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> TableAddress.of("b", cut.toString()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("site b: " + cut);
    assertThatThrownBy(() -> open("none.xlsx#a")).hasMessageEndingWith("it does not exist");
  }
}
