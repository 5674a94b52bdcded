package ngd.core.network;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.NumberText;

/** The links of an edge list, and its weights where it states them. */
final class EdgeList {
  private static final List<String> LINKS = List.of("client", "hears");
  private static final List<String> WEIGHTED = List.of("client", "hears", "weight");

  private final String name;
  private final int clients;
  private final boolean weighted;
  private int[] client = new int[256];
  private int[] hears = new int[256];
  private double[] weight = new double[256];
  private long[] line = new long[256];
  private int count;

  private EdgeList(String name, int clients, boolean weighted) {
    this.name = name;
    this.clients = clients;
    this.weighted = weighted;
  }

  static EdgeList read(Topology.EdgeFile file) {
    return with(
        file,
        records -> {
          EdgeList list = new EdgeList(file.name(), file.clients(), header(file.name(), records));
          records.forEachRemaining(list::add);
          return list.sorted();
        });
  }

  static boolean statesWeights(Topology.EdgeFile file) {
    return with(file, records -> header(file.name(), records));
  }

  private static <T> T with(Topology.EdgeFile file, Function<Iterator<CsvRecord>, T> reading) {
    try (CsvReader<CsvRecord> reader = open(file)) {
      return reading.apply(reader.iterator());
    } catch (CsvParseException | UncheckedIOException e) {
      throw new InvalidInput(
          "%s: cannot be read as CSV: %s".formatted(file.name(), e.getMessage()), e);
    } catch (NoSuchFileException e) {
      throw new InvalidInput("%s: there is no such edge file".formatted(file.name()), e);
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: the edge file cannot be read: %s".formatted(file.name(), e.getMessage()), e);
    }
  }

  private static CsvReader<CsvRecord> open(Topology.EdgeFile file) throws IOException {
    CsvReader.CsvReaderBuilder csv =
        CsvReader.builder()
            .detectBomHeader(true)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE);
    if (file.text().isPresent()) {
      return csv.ofCsvRecord(new StringReader(file.text().get()));
    }
    Path path = Path.of(file.name());
    if (Files.isDirectory(path)) {
      throw new InvalidInput("%s: must be an edge file; it is a folder".formatted(path));
    }
    return csv.ofCsvRecord(path);
  }

  private static boolean header(String name, Iterator<CsvRecord> records) {
    if (!records.hasNext()) {
      throw new InvalidInput(
          "%s: must begin with the header `client,hears` or `client,hears,weight`; the file is empty"
              .formatted(name));
    }
    CsvRecord first = records.next();
    List<String> names = first.getFields().stream().map(String::strip).toList();
    if (!names.equals(LINKS) && !names.equals(WEIGHTED)) {
      throw new InvalidInput(
          "%s, line %d: the header must be `client,hears` or `client,hears,weight`; got `%s`"
              .formatted(name, first.getStartingLineNumber(), String.join(",", first.getFields())));
    }
    return names.equals(WEIGHTED);
  }

  private void add(CsvRecord row) {
    long at = row.getStartingLineNumber();
    int columns = weighted ? 3 : 2;
    if (row.getFieldCount() != columns) {
      throw new InvalidInput(
          "%s, line %d: must have %d columns like the header; got %d"
              .formatted(name, at, columns, row.getFieldCount()));
    }
    if (count == client.length) {
      int larger = Graph.offset(2L * count);
      client = Arrays.copyOf(client, larger);
      hears = Arrays.copyOf(hears, larger);
      weight = Arrays.copyOf(weight, larger);
      line = Arrays.copyOf(line, larger);
    }
    client[count] = client(row, 0, "client");
    hears[count] = client(row, 1, "hears");
    line[count] = at;
    if (weighted) {
      weight[count] = weight(row);
    } else if (client[count] == hears[count]) {
      throw new InvalidInput(
          "%s, line %d: a client may hear itself only in a file with a weight column; client %d does"
              .formatted(name, at, client[count]));
    }
    count++;
  }

  private int client(CsvRecord row, int column, String title) {
    String text = row.getField(column).strip();
    long value =
        NumberText.read(
            text,
            Long::parseLong,
            () ->
                "%s, line %d, column `%s`: must be a whole number, a client; got `%s`"
                    .formatted(name, row.getStartingLineNumber(), title, text));
    if (value < 0 || value >= clients) {
      throw new InvalidInput(
          "%s, line %d, column `%s`: must lie in [0, %d], the clients of this network; got %d"
              .formatted(name, row.getStartingLineNumber(), title, clients - 1, value));
    }
    return (int) value;
  }

  private double weight(CsvRecord row) {
    String text = row.getField(2).strip();
    double value =
        NumberText.read(
            text,
            Double::parseDouble,
            () ->
                "%s, line %d, column `weight`: must be a number; got `%s`"
                    .formatted(name, row.getStartingLineNumber(), text));
    if (!(value >= 0 && value <= 1 + Network.ROW_SUM_TOLERANCE)) {
      throw new InvalidInput(
          "%s, line %d, column `weight`: must lie in [0, 1], a share of an average; got %s"
              .formatted(name, row.getStartingLineNumber(), text));
    }
    return value;
  }

  /** The same links by client and then by the client heard; refuses a link named twice. */
  private EdgeList sorted() {
    long[] keys = new long[count];
    Integer[] order = new Integer[count];
    for (int i = 0; i < count; i++) {
      keys[i] = (long) client[i] * clients + hears[i];
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> Long.compare(keys[a], keys[b]));
    EdgeList result = new EdgeList(name, clients, weighted);
    result.client = new int[count];
    result.hears = new int[count];
    result.weight = new double[count];
    result.line = new long[count];
    result.count = count;
    for (int i = 0; i < count; i++) {
      int from = order[i];
      result.client[i] = client[from];
      result.hears[i] = hears[from];
      result.weight[i] = weight[from];
      result.line[i] = line[from];
      if (i > 0 && keys[order[i - 1]] == keys[from]) {
        throw new InvalidInput(
            "%s, line %d: each link may be named once; client %d hears %d on line %d already"
                .formatted(name, line[from], client[from], hears[from], line[order[i - 1]]));
      }
    }
    return result;
  }

  /** The links to others, whatever their weights. */
  Graph graph() {
    int[] from = new int[count];
    int[] to = new int[count];
    int links = 0;
    for (int i = 0; i < count; i++) {
      if (client[i] != hears[i] && !(weighted && weight[i] == 0)) {
        from[links] = client[i];
        to[links++] = hears[i];
      }
    }
    if (clients > 1) {
      refuseSilence(from, links, "hear at least one other client");
    }
    return Graph.ofLinks(clients, from, to, links);
  }

  /** W with the weights that the file states. */
  Network network() {
    if (!weighted) {
      throw new InvalidInput(
          "%s: weights `file` need the header `client,hears,weight`; the file has no weight column"
              .formatted(name));
    }
    refuseSilence(client, count, "hear at least one client, itself or another");
    int[] offsets = new int[clients + 1];
    int[] heard = new int[count];
    double[] positive = new double[count];
    int at = 0;
    int i = 0;
    for (int m = 0; m < clients; m++) {
      double sum = 0;
      long first = line[i];
      for (; i < count && client[i] == m; i++) {
        sum += weight[i];
        if (weight[i] > 0) {
          heard[at] = hears[i];
          positive[at++] = weight[i];
        }
      }
      if (!(Math.abs(sum - 1) <= Network.ROW_SUM_TOLERANCE)) {
        throw new InvalidInput(
            "%s, column `weight`: the weights of a client must sum to 1 within %s; those of client %d (from line %d on) sum to %s"
                .formatted(name, Network.ROW_SUM_TOLERANCE, m, first, sum));
      }
      offsets[m + 1] = at;
    }
    return new Network(offsets, Arrays.copyOf(heard, at), Arrays.copyOf(positive, at));
  }

  private void refuseSilence(int[] from, int links, String duty) {
    boolean[] named = new boolean[clients];
    for (int i = 0; i < links; i++) {
      named[from[i]] = true;
    }
    for (int m = 0; m < clients; m++) {
      if (!named[m]) {
        throw new InvalidInput(
            "%s: every client must %s; client %d hears none".formatted(name, duty, m));
      }
    }
  }
}
