package ngd.sources;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ExcelReaderException;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.jspecify.annotations.Nullable;

/**
 * A sheet of an Excel workbook, {@code book.xlsx} or {@code book.xlsx#Sheet}, copied into DuckDB:
 * the first row that holds anything is the header. It is read twice, first for the columns' types.
 */
final class ExcelSheet {
  /** Rows that go into the table at a time. */
  private static final int BATCH = 1000;

  private static final Pattern PLACE = Pattern.compile("(?i)(.*\\.xlsx)(?:#(.*))?");

  /** The numbers of Excel's own formats of dates and times. */
  private static final Set<Integer> DATE_FORMATS =
      Set.of(14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47);

  /** What of a format does not say how a value is shown: texts, escaped signs, colours. */
  private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"|\\\\.|_.|\\[[^hmsHMS\\]]*]");

  private static final Pattern DATE_SIGNS = Pattern.compile("[ydhmsYDHMS]");

  /** What a cell may hold. */
  private enum Kind {
    NUMBER,
    TRUTH,
    DATE,
    TIME,
    TEXT
  }

  private final String location;
  private final List<String> missing;
  private final Map<Integer, String> header = new TreeMap<>();
  private final Map<Integer, EnumSet<Kind>> kinds = new TreeMap<>();

  private ExcelSheet(String location, List<String> missing) {
    this.location = location;
    this.missing = missing.isEmpty() ? List.of("NA") : missing;
  }

  static boolean isOne(String location) {
    return PLACE.matcher(location).matches();
  }

  /**
   * Copies the sheet into a table.
   *
   * @return the name of the table
   */
  static String copy(String location, List<String> missing, Connection connection)
      throws SQLException {
    ExcelSheet sheet = new ExcelSheet(location, missing);
    try {
      sheet.scan(sheet::seen);
      sheet.requireHeader();
      sheet.fill(connection);
    } catch (IOException | ExcelReaderException e) {
      throw new InvalidInput(
          "%s: must be an Excel workbook (.xlsx); it cannot be read: %s"
              .formatted(location, e.getMessage()),
          e);
    }
    return "sheet";
  }

  /** Takes a row below the header. */
  private interface RowSink {
    void take(Row row) throws SQLException;
  }

  private void scan(RowSink sink) throws IOException, SQLException {
    var place = PLACE.matcher(location);
    if (!place.matches()) {
      throw new IllegalArgumentException(location);
    }
    Path file = Path.of(place.group(1));
    FileRelation.requireThere(file.toString());
    byte[] begin = new byte[4];
    try (var in = Files.newInputStream(file)) {
      if (in.readNBytes(begin, 0, begin.length) < begin.length
          || !ReadableWorkbook.isOOXMLZipHeader(begin)) {
        throw new InvalidInput(
            "%s: must be an Excel workbook (.xlsx); it is not one".formatted(file));
      }
    }
    File opened = file.toFile();
    try (ReadableWorkbook book = new ReadableWorkbook(opened, new ReadingOptions(true, true));
        Stream<Row> rows = sheet(book, place.group(2)).openStream()) {
      boolean below = false;
      for (Iterator<Row> all = rows.iterator(); all.hasNext(); ) {
        Row row = all.next();
        if (isEmpty(row)) {
          continue;
        }
        if (below) {
          sink.take(row);
        } else if (header.isEmpty()) {
          row.forEach(this::named);
        }
        below = true;
      }
    }
  }

  private Sheet sheet(ReadableWorkbook book, @Nullable String name) {
    List<String> names;
    try (Stream<Sheet> sheets = book.getSheets()) {
      names = sheets.map(Sheet::getName).toList();
    }
    if (name == null) {
      return book.getFirstSheet();
    }
    return book.findSheet(name)
        .orElseThrow(
            () ->
                new InvalidInput(
                    "%s: there is no sheet `%s`; there are: %s"
                        .formatted(location, name, String.join(", ", names))));
  }

  private static boolean isEmpty(Row row) {
    return row.stream().allMatch(cell -> cell == null || text(cell).isEmpty());
  }

  private void named(@Nullable Cell cell) {
    if (cell != null && !text(cell).isEmpty()) {
      header.put(cell.getColumnIndex(), text(cell));
    }
  }

  private void seen(Row row) {
    for (Cell cell : row) {
      Kind kind = cell == null ? null : kind(cell);
      if (kind != null) {
        kinds.computeIfAbsent(cell.getColumnIndex(), _ -> EnumSet.noneOf(Kind.class)).add(kind);
      }
    }
  }

  private void requireHeader() {
    if (header.isEmpty()) {
      throw new InvalidInput("%s: must have a header and rows; it is empty".formatted(location));
    }
    for (int column : kinds.keySet()) {
      if (!header.containsKey(column)) {
        throw new InvalidInput(
            "%s: every column needs a name in the first row; the column %s has none"
                .formatted(location, letters(column)));
      }
    }
  }

  /** A column as Excel calls it. */
  private static String letters(int column) {
    String last = Character.toString('A' + column % 26);
    return column < 26 ? last : letters(column / 26 - 1) + last;
  }

  /** What a cell holds; null where its value is missing, as it is where Excel shows an error. */
  private @Nullable Kind kind(Cell cell) {
    Object value = cell.getValue();
    if (cell.getType() == CellType.ERROR || cell.getType() == CellType.EMPTY) {
      return null;
    }
    if (cell.getType() == CellType.FORMULA && value == null) {
      throw new InvalidInput(
          "%s: the formula in %s has no stored value; open the workbook and save it"
              .formatted(location, cell.getAddress()));
    }
    if (value instanceof Boolean) {
      return Kind.TRUTH;
    }
    if (value instanceof BigDecimal) {
      if (!isDate(cell)) {
        return Kind.NUMBER;
      }
      return cell.asDate().toLocalTime().equals(LocalTime.MIDNIGHT) ? Kind.DATE : Kind.TIME;
    }
    String text = text(cell);
    return text.isEmpty() || missing.contains(text) ? null : Kind.TEXT;
  }

  private static boolean isDate(Cell cell) {
    Integer id = cell.getDataFormatId();
    if (id != null && DATE_FORMATS.contains(id)) {
      return true;
    }
    String format = cell.getDataFormatString();
    return format != null
        && !format.toLowerCase(Locale.ROOT).startsWith("general")
        && DATE_SIGNS.matcher(LITERAL.matcher(format).replaceAll("")).find();
  }

  private static String text(Cell cell) {
    return cell.getValue() == null ? "" : cell.getValue().toString().strip();
  }

  private String type(int column) {
    EnumSet<Kind> held = kinds.getOrDefault(column, EnumSet.noneOf(Kind.class));
    if (held.equals(EnumSet.of(Kind.NUMBER))) {
      return "DOUBLE";
    }
    if (held.equals(EnumSet.of(Kind.TRUTH))) {
      return "BOOLEAN";
    }
    if (held.equals(EnumSet.of(Kind.DATE))) {
      return "DATE";
    }
    return !held.isEmpty() && EnumSet.of(Kind.DATE, Kind.TIME).containsAll(held)
        ? "TIMESTAMP"
        : "VARCHAR";
  }

  private void fill(Connection connection) throws IOException, SQLException {
    List<Integer> columns = new ArrayList<>(header.keySet());
    String declared =
        columns.stream()
            .map(column -> Dialect.DUCKDB.name(header.get(column)) + " " + type(column))
            .collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE sheet (%s)".formatted(declared));
    }
    String values = String.join(", ", java.util.Collections.nCopies(columns.size(), "?"));
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO sheet VALUES (%s)".formatted(values))) {
      int[] waiting = new int[1];
      scan(
          row -> {
            for (int c = 0; c < columns.size(); c++) {
              int column = columns.get(c);
              insert.setObject(
                  c + 1, value(row.getOptionalCell(column).orElse(null), type(column)));
            }
            insert.addBatch();
            if (++waiting[0] == BATCH) {
              insert.executeBatch();
              waiting[0] = 0;
            }
          });
      if (waiting[0] > 0) {
        insert.executeBatch();
      }
      connection.commit();
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private @Nullable Object value(@Nullable Cell cell, String type) {
    Kind kind = cell == null ? null : kind(cell);
    if (cell == null || kind == null) {
      return null;
    }
    return switch (type) {
      case "DOUBLE" -> cell.asNumber().doubleValue();
      case "BOOLEAN" -> cell.asBoolean();
      case "DATE" -> cell.asDate().toLocalDate();
      case "TIMESTAMP" -> cell.asDate();
      default -> mixed(cell, kind);
    };
  }

  /** A value in a column of several kinds, as it would stand in a text file. */
  private static String mixed(Cell cell, Kind kind) {
    return switch (kind) {
      case NUMBER -> cell.asNumber().toPlainString();
      case DATE -> cell.asDate().toLocalDate().toString();
      case TIME -> {
        LocalDateTime time = cell.asDate();
        yield time.toLocalDate() + " " + time.toLocalTime();
      }
      case TRUTH -> cell.asBoolean() ? "true" : "false";
      case TEXT -> String.valueOf(cell.getValue());
    };
  }
}
