package ngd.core.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;

/** Cuts the bytes of a {@link PlainText} file into fields; whatever leaves a doubt ends it. */
final class PlainTextParser {
  private static final int LONGEST_LINE = 1 << 20;

  /** Quotes that first come further down might not be seen by an engine that takes a sample. */
  private static final int LINES_BEFORE_QUOTES = 1000;

  private static final String BYTE_ORDER_MARK = "\ufeff";

  /**
   * Bytes at which a field ends, or which separate, quote, escape or comment in some dialect, or
   * which no text has.
   */
  private static final boolean[] ENDS = new boolean[256];

  static {
    Arrays.fill(ENDS, 0, ' ', true);
    for (char c : ",;|'\"\\#\u007f".toCharArray()) {
      ENDS[c] = true;
    }
  }

  private final byte[] bytes;
  private final byte[][] missing;
  private final boolean[] startsMissing = new boolean[256];
  private final boolean carriageReturns;
  private PlainColumn[] columns = {};
  private int[] lines = new int[1024];
  private int rows;
  private boolean quotes;

  /** The end of the field that was found last, and where its text lies. */
  private int at;

  private int from;
  private int to;

  /**
   * @param missing the words for a missing value, beside empty fields
   */
  PlainTextParser(byte[] bytes, List<String> missing) {
    this.bytes = bytes;
    this.missing =
        missing.stream()
            .filter(word -> !word.isEmpty())
            .map(word -> word.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    for (byte[] word : this.missing) {
      startsMissing[word[0] & 0xff] = true;
    }
    int newline = 0;
    while (newline < bytes.length && bytes[newline] != '\n') {
      newline++;
    }
    carriageReturns = newline > 0 && newline < bytes.length && bytes[newline - 1] == '\r';
  }

  /** The columns; nothing where the file is not plain. */
  Optional<PlainText> parse() {
    Optional<List<String>> names = header();
    if (names.isEmpty() || at == bytes.length || !rest()) {
      return Optional.empty();
    }
    List<Column> found = new ArrayList<>();
    Map<String, HeldValues> values = new HashMap<>();
    for (int c = 0; c < columns.length; c++) {
      String name = names.get().get(c);
      ColumnType type = columns[c].type();
      HeldValues held = type == null ? null : columns[c].values();
      if (type == null || held == null) {
        return Optional.empty();
      }
      found.add(new Column(name, type));
      if (type != ColumnType.EMPTY) {
        values.put(name, held);
      }
    }
    return Optional.of(new PlainText(List.copyOf(found), values, rows));
  }

  private Optional<List<String>> header() {
    List<String> names = new ArrayList<>();
    Set<String> different = new HashSet<>();
    do {
      if (!field() || isMissing()) {
        return Optional.empty();
      }
      String name = PlainWords.text(Arrays.copyOfRange(bytes, from, to)).orElse("");
      // Engines compare names whatever their case.
      if (!name.equals(name.strip())
          || name.isEmpty()
          || name.startsWith(BYTE_ORDER_MARK)
          || !different.add(name.toLowerCase(Locale.ROOT))) {
        return Optional.empty();
      }
      names.add(name);
    } while (comma());
    columns = new PlainColumn[names.size()];
    Arrays.setAll(columns, c -> new PlainColumn());
    return names.size() > 1 && lineEnds() ? Optional.of(names) : Optional.empty();
  }

  /** Reads the lines after the header. */
  private boolean rest() {
    while (at < bytes.length) {
      int start = at;
      if (rows == lines.length) {
        lines = Arrays.copyOf(lines, rows + (rows >> 1));
      }
      lines[rows] = start;
      boolean before = quotes;
      for (int c = 0; c < columns.length; c++) {
        if ((c > 0 && !comma()) || !field() || !take(c)) {
          return false;
        }
      }
      boolean late = quotes && !before && rows > LINES_BEFORE_QUOTES;
      if (late || at == start || at - start > LONGEST_LINE || !lineEnds()) {
        return false;
      }
      rows++;
    }
    return true;
  }

  /** Hands the field to its column, which may have to begin again. */
  private boolean take(int c) {
    PlainColumn column = columns[c];
    if (isMissing()) {
      column.addMissing();
      return true;
    }
    if (column.add(bytes, from, to)) {
      return true;
    }
    column.restart();
    int here = at;
    for (int row = 0; row <= rows; row++) {
      at = lines[row];
      for (int skipped = 0; skipped < c; skipped++) {
        if (!field() || !comma()) {
          return false;
        }
      }
      if (!field() || !(isMissing() ? column.addMissing() : column.add(bytes, from, to))) {
        return false;
      }
    }
    at = here;
    return true;
  }

  /** Finds the text of the next field; false where it is not plain. */
  private boolean field() {
    int i = at;
    boolean quoted = i < bytes.length && bytes[i] == '"';
    i += quoted ? 1 : 0;
    from = i;
    while (i < bytes.length && !ENDS[bytes[i] & 0xff]) {
      i++;
    }
    to = i;
    if (quoted) {
      if (i == bytes.length || bytes[i] != '"') {
        return false;
      }
      quotes = true;
      i++;
    }
    at = i;
    return i == bytes.length || bytes[i] == ',' || bytes[i] == '\n' || bytes[i] == '\r';
  }

  private boolean comma() {
    boolean here = at < bytes.length && bytes[at] == ',';
    at += here ? 1 : 0;
    return here;
  }

  /** Goes past the end of a line, which must be written like that of the first. */
  private boolean lineEnds() {
    if (at == bytes.length) {
      return true;
    }
    if (carriageReturns) {
      if (bytes[at] != '\r') {
        return false;
      }
      at++;
    }
    return at < bytes.length && bytes[at++] == '\n';
  }

  private boolean isMissing() {
    if (from == to) {
      return true;
    }
    if (startsMissing[bytes[from] & 0xff]) {
      for (byte[] word : missing) {
        if (Arrays.equals(word, 0, word.length, bytes, from, to)) {
          return true;
        }
      }
    }
    return false;
  }
}
