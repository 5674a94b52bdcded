package ngd.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import ngd.core.data.CsvSource;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Families;
import ngd.core.model.Glm;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The committed output of {@code oracles/ngd_oracle.py}, and what its cases are made of. */
public final class Oracles {
  private Oracles() {}

  /** The folder {@code oracles} of the repository, above the one that the tests run in. */
  private static Path folder() {
    Path here = Path.of("").toAbsolutePath();
    for (Path at = here; at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("oracles/ngd_oracle.py"))) {
        return at.resolve("oracles");
      }
    }
    throw new IllegalStateException("no folder `oracles` above " + here);
  }

  /** A file of {@code oracles/methods}, line by line without its head. */
  public static List<String[]> methods(String file) {
    try (Stream<String> lines = Files.lines(folder().resolve("methods").resolve(file))) {
      return lines.skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /** The names of all tables of {@code oracles/methods}, without {@code .csv}. */
  public static List<String> methodFiles() {
    try (Stream<Path> files = Files.list(folder().resolve("methods"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".csv"))
          .map(name -> name.substring(0, name.length() - ".csv".length()))
          .toList();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  private static JsonNode json(String file) {
    return JsonMapper.shared().readTree(folder().resolve(file).toFile());
  }

  /** The lines of a file in the folder {@code oracles}. */
  public static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(folder().resolve(file));
  }

  private static Stream<Case> cases(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(Case::new);
  }

  public static Stream<Case> fits() {
    return cases(json("fit/cases.json"));
  }

  public static Stream<Case> exposures() {
    return cases(json("exposure/cases.json"));
  }

  public static Stream<Case> networks() {
    return cases(json("theory/cases.json").get("networks"));
  }

  public static Stream<Case> problems() {
    return cases(json("theory/cases.json").get("problems"));
  }

  public static Stream<Case> steps() {
    return cases(json("steps/cases.json").get("problems"));
  }

  /** Cases of a kind of privacy account. */
  public static Stream<Case> privacy(String kind) {
    return cases(json("privacy/cases.json").get(kind));
  }

  /** Budgets of noise in sums, with what estimates then vary by. */
  public static Stream<Case> centralNoise() {
    return cases(json("privacy/central_noise.json"));
  }

  /** The rows of a CSV file without quotes, its header left out. */
  public static List<String[]> table(String file) {
    try {
      return lines(Path.of(file)).stream().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A list of numbers. */
  public static double[] numbers(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .mapToDouble(JsonNode::doubleValue)
        .toArray();
  }

  public static int[] integers(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).mapToInt(JsonNode::intValue).toArray();
  }

  /** One case: a network, and where it is a fit or a problem also data. */
  public record Case(JsonNode json) {
    public String text(String key) {
      return json.get(key).stringValue();
    }

    public double number(String key) {
      return json.get(key).doubleValue();
    }

    public int clients() {
      return json.get("clients").intValue();
    }

    public Topology topology() {
      String spec = text("network");
      String absolute =
          spec.startsWith("file:") ? "file:" + folder().resolve(spec.substring(5)) : spec;
      return Topology.parse(absolute, clients(), Streams.of(1));
    }

    public Weights weights() {
      return Weights.parse(text("weights"), topology(), new int[0]);
    }

    public Network network() {
      return Network.of(topology(), weights());
    }

    public Glm family() {
      return Families.parse(text("family"));
    }

    public Table table() {
      return new CsvSource(
              folder().resolve(text("data")),
              text("response"),
              List.of(),
              json.get("intercept").booleanValue(),
              Optional.empty())
          .read();
    }

    public Shards shards(Table table) {
      return Partition.parse(text("partition"))
          .assign(
              table, OptionalInt.of(clients()), Placement.parse(text("placement")), Streams.of(1))
          .shards(table);
    }

    /** A file of one row a client, its first column the client's number, checked to be that. */
    public double[][] matrix(String key) {
      try {
        List<String> lines = Files.readAllLines(folder().resolve(text(key)));
        double[][] matrix = new double[lines.size() - 1][];
        for (int m = 0; m < matrix.length; m++) {
          String[] cells = lines.get(m + 1).split(",", -1);
          if (Integer.parseInt(cells[0]) != m) {
            throw new IllegalStateException("client %d: got `%s`".formatted(m, cells[0]));
          }
          matrix[m] = Stream.of(cells).skip(1).mapToDouble(Double::parseDouble).toArray();
        }
        return matrix;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String toString() {
      return text("name");
    }
  }
}
