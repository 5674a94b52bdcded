package ngd.app.federation;

import de.siegmar.fastcsv.reader.CsvReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;

/** A table of an answer, for people. */
final class CsvText {
  private static final int DIGITS = 5;

  private CsvText() {}

  static void print(String csv, PrintWriter out) {
    TextTable table = null;
    for (var line : CsvReader.builder().ofCsvRecord(csv)) {
      List<String> cells = new ArrayList<>();
      for (String field : line.getFields()) {
        cells.add(table == null ? field : shown(field));
      }
      if (table == null) {
        table = new TextTable(cells);
      } else {
        table.add(cells);
      }
    }
    if (table != null) {
      table.print(out);
    }
  }

  private static String shown(String field) {
    try {
      return NumberText.text(Double.parseDouble(field), DIGITS);
    } catch (NumberFormatException words) {
      return field;
    }
  }
}
