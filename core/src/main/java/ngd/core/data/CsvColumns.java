package ngd.core.data;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/** Takes a CSV file's fields as the parser finds them, the header first, and keeps the columns. */
final class CsvColumns extends AbstractBaseCsvCallbackHandler<Integer> {
  private final CsvSource source;
  private final List<String> header = new ArrayList<>();
  private boolean inHeader = true;

  /** For each field of a line, the index of the column it fills; −1 if it is not wanted. */
  private int[] target = {};

  private int labelField = -1;
  private final List<String> names = new ArrayList<>();
  private double[][] columns = {};
  private int[] lines = {};
  private int rows;
  private final List<String> labels = new ArrayList<>();
  private final Map<String, String> distinctLabels = new HashMap<>();

  CsvColumns(CsvSource source) {
    this.source = source;
  }

  @Override
  protected void handleField(int index, char[] text, int offset, int length, boolean quoted) {
    if (inHeader) {
      header.add(new String(text, offset, length).strip());
      return;
    }
    if (index >= target.length) {
      return;
    }
    if (index == labelField) {
      String label = new String(text, offset, length).strip();
      if (label.isEmpty()) {
        throw new InvalidInput(
            "%s: column `%s` must say which client the row belongs to; the cell is empty"
                .formatted(place(), header.get(index)));
      }
      labels.add(distinctLabels.computeIfAbsent(label, own -> own));
    }
    int column = target[index];
    if (column < 0) {
      return;
    }
    double value = NumberParser.parseOrNaN(text, offset, length, source.format().decimal());
    if (Double.isNaN(value)) {
      throw new InvalidInput(
          "%s, column `%s`: must be a finite number; %s"
              .formatted(place(), header.get(index), described(new String(text, offset, length))));
    }
    if (rows == columns[column].length) {
      columns[column] = Arrays.copyOf(columns[column], rows + rows / 2 + 1024);
    }
    columns[column][rows] = value;
  }

  @Override
  protected Integer buildRecord() {
    int fields = getFieldCount();
    if (getRecordType() == RecordType.EMPTY) {
      return fields;
    }
    if (inHeader) {
      resolve();
      inHeader = false;
      return fields;
    }
    if (fields != header.size()) {
      throw new InvalidInput(
          "%s: must have %d fields like the header; got %d"
              .formatted(place(), header.size(), fields));
    }
    if (rows == lines.length) {
      lines = Arrays.copyOf(lines, rows + rows / 2 + 1024);
    }
    lines[rows++] = (int) Math.min(getStartingLineNumber(), Integer.MAX_VALUE);
    return fields;
  }

  /** The table, once all lines have been read. */
  Table table() {
    if (inHeader) {
      throw new InvalidInput(
          "%s: must have a header line and rows; the file is empty".formatted(source.file()));
    }
    if (rows == 0) {
      throw new InvalidInput(
          "%s: must have rows below the header; got none".formatted(source.file()));
    }
    double[][] features = new double[columns.length - 1][];
    for (int j = 1; j < columns.length; j++) {
      features[j - 1] = Arrays.copyOf(columns[j], rows);
      columns[j] = new double[0];
    }
    String file = source.file().toString();
    double[] response = Arrays.copyOf(columns[0], rows);
    Optional<Labels> clients = source.labels().map(name -> Labels.of(name, labels));
    int[] starts = Arrays.copyOf(lines, rows);
    return source.intercept()
        ? Table.withIntercept(file, source.response(), response, names, features, starts, clients)
        : new Table(file, source.response(), response, names, features, starts, clients);
  }

  /** Finds the wanted columns in the header. Column 0 of the table is the response. */
  private void resolve() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < header.size(); i++) {
      if (header.get(i).isEmpty()) {
        throw new InvalidInput(
            "%s, line 1: every column needs a name; column %d of %d has none"
                .formatted(source.file(), i + 1, header.size()));
      }
      if (!seen.add(header.get(i))) {
        throw new InvalidInput(
            "%s, line 1: column names must differ; `%s` occurs twice"
                .formatted(source.file(), header.get(i)));
      }
    }
    int response = find(source.response(), "response");
    labelField = source.labels().map(name -> find(name, "partition column")).orElse(-1);
    Set<Integer> wanted = new HashSet<>();
    for (String feature : source.features()) {
      int field = find(feature, "feature");
      if (field == response) {
        throw new InvalidInput(
            "features: must not hold the response; got `%s` as both".formatted(feature));
      }
      if (!wanted.add(field)) {
        throw new InvalidInput("features: must differ; `%s` was named twice".formatted(feature));
      }
    }
    target = new int[header.size()];
    for (int i = 0; i < target.length; i++) {
      boolean feature =
          source.features().isEmpty() ? i != response && i != labelField : wanted.contains(i);
      if (feature) {
        names.add(header.get(i));
      }
      target[i] = i == response ? 0 : feature ? names.size() : -1;
    }
    if (names.contains(Table.INTERCEPT) && source.intercept()) {
      throw new InvalidInput(
          "%s, line 1: the name `%s` is taken by the intercept; rename the column or leave the"
                  .formatted(source.file(), Table.INTERCEPT)
              + " intercept out");
    }
    if (names.isEmpty() && !source.intercept()) {
      throw new InvalidInput(
          "%s: must have a feature beside the response `%s`, or an intercept; got neither"
              .formatted(source.file(), source.response()));
    }
    columns = new double[names.size() + 1][0];
  }

  private int find(String name, String role) {
    int field = header.indexOf(name);
    if (field < 0) {
      throw new InvalidInput(
          "%s: no column `%s` for the %s%s The columns are %s"
              .formatted(
                  source.file(),
                  name,
                  role,
                  NearestName.of(name, header).map("; did you mean `%s`?"::formatted).orElse("."),
                  String.join(", ", header)));
    }
    return field;
  }

  private String place() {
    return "%s, line %d".formatted(source.file(), getStartingLineNumber());
  }

  private String described(String text) {
    if (text.isBlank()) {
      return "the cell is empty";
    }
    String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
    return source.format().decimal() == '.' && text.matches("\\s*[-+]?\\d+,\\d+\\s*")
        ? "got `%s` (--decimal , reads decimal commas)".formatted(shown)
        : "got `%s`".formatted(shown);
  }
}
