package ngd.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;

/**
 * A site's table in memory: a response that every family takes, a number, a group, an offset,
 * weights and one of three classes.
 *
 * @param rows a word for each column
 */
record SiteTables(String site, List<List<String>> rows) implements SiteTable {
  private static final List<String> NAMES = List.of("y", "b", "x", "g", "o", "w", "c");

  /** Rows that only this seed has; at any site. */
  static SiteTables drawn(String site, int seed, int count) {
    var draw = Streams.of(23).stream(Streams.Purpose.DATA, seed);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double x = 2 * draw.nextDouble() - 1;
      boolean one = draw.nextDouble() < 1 / (1 + Math.exp(-x));
      rows.add(
          List.of(
              Integer.toString(1 + draw.nextInt(6)),
              one ? "1" : "0",
              Double.toString(x),
              i % 2 == 0 ? "f" : "m",
              Double.toString(0.1 * draw.nextDouble()),
              Integer.toString(1 + draw.nextInt(2)),
              Integer.toString(i % 3)));
    }
    return new SiteTables(site, rows);
  }

  /** The same but for one cell of the second row. */
  SiteTables with(String column, String value) {
    List<List<String>> changed = new ArrayList<>(rows);
    List<String> row = new ArrayList<>(rows.get(1));
    row.set(NAMES.indexOf(column), value);
    changed.set(1, row);
    return new SiteTables(site, changed);
  }

  /** The same as a text file in a folder, with whatever a reader of files can evaluate. */
  SiteTable written(Path folder) throws IOException {
    List<String> lines = new ArrayList<>(List.of(String.join(",", NAMES)));
    rows.forEach(row -> lines.add(String.join(",", row)));
    return TableAddress.of(site, Files.write(folder.resolve(source()), lines).toString()).open();
  }

  @Override
  public String source() {
    return site + ".csv";
  }

  @Override
  public List<Column> columns() {
    return NAMES.stream()
        .map(name -> new Column(name, name.equals("g") ? ColumnType.TEXT : ColumnType.NUMBER))
        .toList();
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    for (List<String> row : rows) {
      sink.accept(
          new RowValues() {
            private String cell(int expression) {
              return row.get(
                  NAMES.indexOf(((Expression.Name) expressions.get(expression)).column()));
            }

            @Override
            public double number(int expression) {
              return Double.parseDouble(cell(expression));
            }

            @Override
            public @Nullable String text(int expression) {
              return cell(expression);
            }
          });
    }
  }

  @Override
  public void close() {}
}
