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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.NumberText;

/** The links of an edge list, with its weights and rounds where it states them. */
final class EdgeList {
  /** More rounds than this are a mistake in the file. */
  private static final int MOST_ROUNDS = 1_000_000;

  private final String name;
  private final int clients;
  private final Columns columns;
  private final boolean weighted;
  private final EdgeNames names;
  private int[] round = new int[256];
  private int[] client = new int[256];
  private int[] hears = new int[256];
  private double[] weight = new double[256];
  private long[] line = new long[256];
  private int count;

  private EdgeList(String name, int clients, Columns columns, EdgeNames names) {
    this.name = name;
    this.clients = clients;
    this.columns = columns;
    this.names = names;
    weighted = columns.weight();
  }

  /** Which columns a file has beside those of the links. */
  private record Columns(boolean weight, boolean round) {
    int count() {
      return 2 + (weight ? 1 : 0) + (round ? 1 : 0);
    }
  }

  static EdgeList read(Topology.EdgeFile file) {
    return with(
        file,
        records -> {
          EdgeList list =
              new EdgeList(
                  file.name(),
                  file.clients(),
                  header(file.name(), records),
                  new EdgeNames(file.name(), file.clients(), file.sites()));
          records.forEachRemaining(list::add);
          return list.sorted();
        });
  }

  static boolean statesWeights(Topology.EdgeFile file) {
    return with(file, records -> header(file.name(), records).weight());
  }

  static boolean statesRounds(Topology.EdgeFile file) {
    return with(file, records -> header(file.name(), records).round());
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

  private static Columns header(String name, Iterator<CsvRecord> records) {
    String form =
        "begin with the header `client,hears`, `client,hears,weight`, `client,hears,round` or"
            + " `client,hears,weight,round`";
    if (!records.hasNext()) {
      throw new InvalidInput("%s: must %s; the file is empty".formatted(name, form));
    }
    CsvRecord first = records.next();
    List<String> names = first.getFields().stream().map(String::strip).toList();
    Columns found = new Columns(names.contains("weight"), names.contains("round"));
    List<String> expected = new ArrayList<>(List.of("client", "hears"));
    if (found.weight()) {
      expected.add("weight");
    }
    if (found.round()) {
      expected.add("round");
    }
    if (!names.equals(expected)) {
      throw new InvalidInput(
          "%s, line %d: must %s; got `%s`"
              .formatted(
                  name, first.getStartingLineNumber(), form, String.join(",", first.getFields())));
    }
    return found;
  }

  private void add(CsvRecord row) {
    long at = row.getStartingLineNumber();
    if (row.getFieldCount() != columns.count()) {
      throw new InvalidInput(
          "%s, line %d: must have %d columns like the header; got %d"
              .formatted(name, at, columns.count(), row.getFieldCount()));
    }
    if (count == client.length) {
      int larger = Graph.offset(2L * count);
      client = Arrays.copyOf(client, larger);
      hears = Arrays.copyOf(hears, larger);
      weight = Arrays.copyOf(weight, larger);
      line = Arrays.copyOf(line, larger);
      round = Arrays.copyOf(round, larger);
    }
    client[count] = names.client(row.getField(0), at, "client");
    hears[count] = names.client(row.getField(1), at, "hears");
    round[count] = columns.round() ? round(row) : 0;
    line[count] = at;
    if (weighted) {
      weight[count] = weight(row);
    } else if (client[count] == hears[count]) {
      throw new InvalidInput(
          "%s, line %d: a client may hear itself only in a file with a weight column; client %s does"
              .formatted(name, at, names.name(client[count])));
    }
    count++;
  }

  private int round(CsvRecord row) {
    String text = row.getField(columns.count() - 1).strip();
    int value =
        NumberText.read(
            text,
            Integer::parseInt,
            () ->
                "%s, line %d, column `round`: must be a whole number; got `%s`"
                    .formatted(name, row.getStartingLineNumber(), text));
    if (value < 0 || value >= MOST_ROUNDS) {
      throw new InvalidInput(
          "%s, line %d, column `round`: must lie in [0, %d], rounds count from 0; got %d"
              .formatted(name, row.getStartingLineNumber(), MOST_ROUNDS - 1, value));
    }
    return value;
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

  /** The same links by round, client and client heard; refuses a link named twice. */
  private EdgeList sorted() {
    long[] keys = new long[count];
    Integer[] order = new Integer[count];
    for (int i = 0; i < count; i++) {
      keys[i] = (long) client[i] * clients + hears[i];
      order[i] = i;
    }
    Comparator<Integer> byRound = Comparator.comparingInt(i -> round[i]);
    Arrays.sort(order, byRound.thenComparingLong(i -> keys[i]));
    EdgeList result = new EdgeList(name, clients, columns, names);
    result.client = new int[count];
    result.hears = new int[count];
    result.weight = new double[count];
    result.line = new long[count];
    result.round = new int[count];
    result.count = count;
    for (int i = 0; i < count; i++) {
      int from = order[i];
      result.client[i] = client[from];
      result.hears[i] = hears[from];
      result.weight[i] = weight[from];
      result.line[i] = line[from];
      result.round[i] = round[from];
      if (i > 0 && keys[order[i - 1]] == keys[from] && round[order[i - 1]] == round[from]) {
        throw new InvalidInput(
            "%s, line %d: each link may be named once%s; client %s hears %s on line %d already"
                .formatted(
                    name,
                    line[from],
                    columns.round() ? " in a round" : "",
                    names.name(client[from]),
                    names.name(hears[from]),
                    line[order[i - 1]]));
      }
    }
    return result;
  }

  /** What the file calls its clients, in their order; empty where it has numbers. */
  List<String> names() {
    return names.all();
  }

  /** The links to others, of any round, whatever their weights. */
  Graph graph() {
    int[] from = new int[count];
    int[] to = new int[count];
    int links = 0;
    LinkSet known = new LinkSet(count);
    for (int i = 0; i < count; i++) {
      long key = (long) client[i] * clients + hears[i];
      boolean again = columns.round() && known.contains(key);
      if (client[i] != hears[i] && !(weighted && weight[i] == 0) && !again) {
        known.add(key);
        from[links] = client[i];
        to[links++] = hears[i];
      }
    }
    if (clients > 1) {
      refuseSilence(from, links, "hear at least one other client");
    }
    return Graph.ofLinks(clients, from, to, links);
  }

  /** The network of each round; who hears nobody in a round keeps what it has. */
  NetworkSchedule cycle(Weights rule) {
    if (rule instanceof Weights.Stated && !weighted) {
      throw noWeights();
    }
    if (count == 0) {
      throw new InvalidInput("%s: must name at least one link; it has none".formatted(name));
    }
    List<Network> rounds = new ArrayList<>();
    int from = 0;
    for (int t = 0; t <= round[count - 1]; t++) {
      int to = from;
      while (to < count && round[to] == t) {
        to++;
      }
      if (to == from) {
        throw new InvalidInput(
            "%s, column `round`: rounds count from 0 without gaps; round %d has no link, and the last is %d"
                .formatted(name, t, round[count - 1]));
      }
      rounds.add(rule instanceof Weights.Stated ? stated(from, to, true) : linked(rule, from, to));
      from = to;
    }
    return NetworkCycle.of(rounds);
  }

  private Network linked(Weights rule, int from, int to) {
    int[] offsets = new int[clients + 1];
    int[] heard = new int[to - from];
    int at = 0;
    int i = from;
    for (int m = 0; m < clients; m++) {
      for (; i < to && client[i] == m; i++) {
        if (hears[i] != m && !(weighted && weight[i] == 0)) {
          heard[at++] = hears[i];
        }
      }
      offsets[m + 1] = at;
    }
    return rule.on(Graph.ofRound(offsets, Arrays.copyOf(heard, at)));
  }

  /** W with the weights that the file states. */
  Network network() {
    if (!weighted) {
      throw noWeights();
    }
    refuseSilence(client, count, "hear at least one client, itself or another");
    return stated(0, count, false);
  }

  private InvalidInput noWeights() {
    return new InvalidInput(
        "%s: weights `file` need the header `client,hears,weight`; the file has no weight column"
            .formatted(name));
  }

  /** The lines [begin, end) as W; a client without any hears itself alone, where it may. */
  private Network stated(int begin, int end, boolean mayBeSilent) {
    LinkWeights w = new LinkWeights(clients);
    int i = begin;
    for (int m = 0; m < clients; m++) {
      double sum = 0;
      int first = i;
      for (; i < end && client[i] == m; i++) {
        sum += weight[i];
        if (weight[i] > 0) {
          w.add(m, hears[i], weight[i]);
        }
      }
      if (first == i && mayBeSilent) {
        w.add(m, m, 1);
      } else if (!(Math.abs(sum - 1) <= Network.ROW_SUM_TOLERANCE)) {
        throw new InvalidInput(
            "%s, column `weight`: the weights of a client must sum to 1 within %s; those of client %s (from line %d on) sum to %s"
                .formatted(name, Network.ROW_SUM_TOLERANCE, names.name(m), line[first], sum));
      }
    }
    return w.network();
  }

  private void refuseSilence(int[] from, int links, String duty) {
    boolean[] named = new boolean[clients];
    for (int i = 0; i < links; i++) {
      named[from[i]] = true;
    }
    for (int m = 0; m < clients; m++) {
      if (!named[m]) {
        throw new InvalidInput(
            "%s: every client must %s; client %s hears none".formatted(name, duty, names.name(m)));
      }
    }
  }
}
