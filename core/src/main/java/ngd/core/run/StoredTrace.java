package ngd.core.run;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.NumberText;

/** What was measured of one run, read back from a {@code trace.csv}. */
public final class StoredTrace {
  private static final Set<String> NOT_MEASURED = Set.of("algorithm", "round");

  private final String name;
  private final List<String> columns;
  private final List<Double> rounds = new ArrayList<>();
  private final List<List<Double>> values = new ArrayList<>();

  private StoredTrace(String name, List<String> columns) {
    this.name = name;
    this.columns = List.copyOf(columns);
    columns.forEach(column -> values.add(new ArrayList<>()));
  }

  /**
   * The traces of a file, in its order: one, without a name, or one for each algorithm where the
   * file has such a column.
   */
  public static List<StoredTrace> read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new InvalidInput("%s: is missing".formatted(file));
    }
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .ofCsvRecord(file)) {
      return read(file, reader.iterator());
    } catch (CsvParseException | UncheckedIOException e) {
      throw new InvalidInput("%s: cannot be read as CSV: %s".formatted(file, e.getMessage()), e);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static List<StoredTrace> read(Path file, Iterator<CsvRecord> records) {
    List<String> header = records.hasNext() ? records.next().getFields() : List.of();
    int round = header.indexOf("round");
    int algorithm = header.indexOf("algorithm");
    if (round < 0) {
      throw new InvalidInput(
          "%s: the header must have a column `round`; got `%s`"
              .formatted(file, String.join(",", header)));
    }
    List<String> measured = header.stream().filter(name -> !NOT_MEASURED.contains(name)).toList();
    Map<String, StoredTrace> traces = new LinkedHashMap<>();
    while (records.hasNext()) {
      CsvRecord row = records.next();
      if (row.getFieldCount() != header.size()) {
        throw new InvalidInput(
            "%s, line %d: must have %d columns like the header; got %d"
                .formatted(file, row.getStartingLineNumber(), header.size(), row.getFieldCount()));
      }
      StoredTrace trace =
          traces.computeIfAbsent(
              algorithm < 0 ? "" : row.getField(algorithm),
              name -> new StoredTrace(name, measured));
      trace.rounds.add(number(file, row, round, "round"));
      for (int i = 0; i < measured.size(); i++) {
        String column = measured.get(i);
        trace.values.get(i).add(number(file, row, header.indexOf(column), column));
      }
    }
    if (traces.isEmpty()) {
      throw new InvalidInput("%s: must hold at least one measurement; it has none".formatted(file));
    }
    return List.copyOf(traces.values());
  }

  private static double number(Path file, CsvRecord row, int at, String column) {
    String text = row.getField(at);
    return NumberText.read(
        text,
        Double::parseDouble,
        () ->
            "%s, line %d, column `%s`: must be a number; got `%s`"
                .formatted(file, row.getStartingLineNumber(), column, text));
  }

  /** The algorithm, or empty where the file does not tell. */
  public String name() {
    return name;
  }

  /** What was measured, {@code round} left out. */
  public List<String> columns() {
    return columns;
  }

  public int size() {
    return rounds.size();
  }

  public double round(int index) {
    return rounds.get(index);
  }

  public double value(int index, String column) {
    int at = columns.indexOf(column);
    if (at < 0) {
      throw new InvalidInput("trace: columns are %s; got `%s`".formatted(columns, column));
    }
    return values.get(at).get(index);
  }
}
