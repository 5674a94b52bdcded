package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Public data sets cut into unequal and heterogeneous sites, on four kinds of network, with nothing
 * set. Oracle: R's glm() on the pooled rows (oracles/glm_oracle.R).
 *
 * <p>The whole grid is run with {@code -Dngd.grid=full}.
 */
class RealSitesTest {
  /** A data set: its design matrix, its response, and columns to cut it by. */
  private record Rows(
      Glm glm, List<String> terms, List<double[]> x, List<Double> y, List<NamedCsvRecord> raw) {}

  private static final Map<String, Rows> READ = new LinkedHashMap<>();

  /** A data set, how it is cut, into about how many sites, and their network. */
  record Case(String data, String cut, int sites, String network) {}

  /** The largest data set is run on a part of the grid, unless all of it is asked for. */
  private static final List<String> FEW_OF_ADULT =
      List.of(
          "sorted20central",
          "sorted20circle:1",
          "sorted20sparse",
          "column5circle:1",
          "column100central");

  static Stream<Case> cases() {
    boolean full = "full".equals(System.getProperty("ngd.grid"));
    List<Case> cases = new ArrayList<>();
    for (String data : List.of("wine-red", "wine-white", "nmes", "adult")) {
      for (int sites : new int[] {5, 20, 100}) {
        for (String network : List.of("central", "circle:1", "regular:2", "sparse")) {
          for (String cut : List.of("sorted", "column")) {
            boolean few =
                data.equals("adult")
                    ? FEW_OF_ADULT.contains(cut + sites + network)
                    : cut.equals("sorted") || sites == 20;
            if (full || few) {
              cases.add(new Case(data, cut, sites, network));
            }
          }
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_realDataInAnySites_isWhatThePooledRowsGive(Case c) {
    Rows rows = READ.computeIfAbsent(c.data(), RealSitesTest::read);
    Shards shards = c.cut().equals("sorted") ? sorted(rows, c.sites()) : byColumn(rows, c);
    for (PooledFit.Way way : List.of(PooledFit.Way.SUMS, PooledFit.Way.ROUNDS)) {
      Inference found =
          SyntheticSites.fit(
              rows.glm(),
              shards,
              rows.terms(),
              network(c.network(), shards.clients()),
              new PooledFit.Settings(1e-6, way, 100_000, 0),
              Inference.Options.STANDARD);
      assertThat(found.estimate().distance()).isLessThanOrEqualTo(1e-6);
      GlmOracle.of(c.data()).requireCoefficients(found.coefficients(), 1e-5, 1e-5);
    }
  }

  private static Network network(String word, int clients) {
    return word.equals("sparse")
        ? sparse(clients)
        : Network.of(Topology.parse(word, clients, Streams.of(9)));
  }

  /** A cycle through all clients in random order, and a few more links: directed, unbalanced. */
  private static Network sparse(int clients) {
    UniformRandomProvider draw = Streams.of(12).stream(Streams.Purpose.DATA, clients);
    int[] order = new int[clients];
    for (int i = 0; i < clients; i++) {
      int at = draw.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    double[][] w = new double[clients][clients];
    for (int i = 0; i < clients; i++) {
      w[order[i]][order[(i + 1) % clients]] = 1;
    }
    for (int extra = 0; extra < clients / 2; extra++) {
      int m = draw.nextInt(clients);
      int k = draw.nextInt(clients);
      w[m][k] = m == k ? w[m][k] : 1;
    }
    for (double[] row : w) {
      double sum = 0;
      for (double link : row) {
        sum += link;
      }
      for (int k = 0; k < clients; k++) {
        row[k] /= sum;
      }
    }
    return Network.of(w);
  }

  /** By response, in contiguous pieces whose sizes grow as 1, 2, 3, …. */
  private static Shards sorted(Rows rows, int sites) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rows.y().size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingDouble(i -> rows.y().get(i)));
    List<List<Integer>> parts = new ArrayList<>();
    long all = (long) sites * (sites + 1) / 2;
    int from = 0;
    for (int m = 1; m <= sites; m++) {
      int to = (int) ((long) m * (m + 1) / 2 * order.size() / all);
      to = Math.max(to, from + 1);
      parts.add(order.subList(from, m == sites ? order.size() : to));
      from = to;
    }
    return shards(rows, parts);
  }

  /** One site for each value of a column with about this many values. */
  private static Shards byColumn(Rows rows, Case c) {
    Function<NamedCsvRecord, String> value =
        switch (c.data() + c.sites()) {
          case "adult5" -> line -> line.getField("race");
          case "adult20" -> line -> line.getField("occupation");
          case "adult100" -> line -> line.getField("age");
          case "nmes5" -> line -> line.getField("region");
          case "nmes20" -> line -> line.getField("school");
          case "nmes100" -> line -> line.getField("age") + line.getField("region");
          default ->
              switch (c.sites()) {
                case 5 -> line -> line.getField("quality");
                case 20 -> line -> Math.floor(10 * number(line, "pH")) + line.getField("quality");
                default -> line -> line.getField("alcohol");
              };
        };
    Map<String, List<Integer>> parts = new LinkedHashMap<>();
    for (int i = 0; i < rows.y().size(); i++) {
      parts.computeIfAbsent(value.apply(rows.raw().get(i)), k -> new ArrayList<>()).add(i);
    }
    return shards(rows, new ArrayList<>(parts.values()));
  }

  private static Shards shards(Rows rows, List<List<Integer>> parts) {
    Shards.Filler filler =
        Shards.sized(rows.terms().size(), parts.stream().mapToInt(List::size).toArray());
    for (int m = 0; m < parts.size(); m++) {
      for (int i = 0; i < parts.get(m).size(); i++) {
        int row = parts.get(m).get(i);
        filler.put(m, i, rows.x().get(row), rows.y().get(row));
      }
    }
    return filler.done();
  }

  private static Rows read(String data) {
    return switch (data) {
      case "wine-red", "wine-white" -> wine(data.substring(5));
      case "nmes" ->
          design(
              new Poisson(),
              lines("nmes1988/NMES1988.csv", ','),
              line -> number(line, "visits"),
              List.of(
                  "hospital",
                  "factor:health",
                  "chronic",
                  "factor:gender",
                  "school",
                  "factor:insurance"));
      default ->
          design(
              new Logistic(),
              lines("adult/adult.csv.gz", ','),
              line -> line.getField("income").strip().equals(">50K") ? 1 : 0,
              List.of(
                  "age",
                  "education_num",
                  "hours_per_week",
                  "log:capital_gain",
                  "log:capital_loss",
                  "factor:marital_status",
                  "factor:sex",
                  "factor:race"));
    };
  }

  private static Rows wine(String colour) {
    List<NamedCsvRecord> lines = lines("wine-quality/winequality-" + colour + ".csv", ';');
    return design(
        new Linear(),
        lines,
        line -> number(line, "quality"),
        lines.getFirst().getHeader().stream().filter(name -> !name.equals("quality")).toList());
  }

  private static double number(NamedCsvRecord line, String field) {
    return Double.parseDouble(line.getField(field));
  }

  /** The design matrix that R makes: contrasts with the first level, log of 1 + x. */
  private static Rows design(
      Glm glm,
      List<NamedCsvRecord> lines,
      ToDoubleFunction<NamedCsvRecord> response,
      List<String> words) {
    List<String> terms = new ArrayList<>(List.of(Table.INTERCEPT));
    List<ToDoubleFunction<NamedCsvRecord>> columns = new ArrayList<>();
    columns.add(line -> 1);
    for (String word : words) {
      String name = word.substring(word.indexOf(':') + 1);
      if (word.startsWith("factor:")) {
        lines.stream()
            .map(line -> line.getField(name))
            .distinct()
            .sorted()
            .skip(1)
            .forEach(
                level -> {
                  terms.add(name + level);
                  columns.add(line -> line.getField(name).equals(level) ? 1 : 0);
                });
      } else {
        terms.add(name);
        boolean log = word.startsWith("log:");
        columns.add(line -> log ? Math.log(1 + number(line, name)) : number(line, name));
      }
    }
    List<double[]> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (NamedCsvRecord line : lines) {
      x.add(columns.stream().mapToDouble(column -> column.applyAsDouble(line)).toArray());
      y.add(response.applyAsDouble(line));
    }
    return new Rows(glm, terms, x, y, lines);
  }

  private static List<NamedCsvRecord> lines(String name, char separator) {
    Path file = file(name);
    try (InputStream bytes = Files.newInputStream(file);
        InputStream plain = name.endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
        CsvReader<NamedCsvRecord> csv =
            CsvReader.builder()
                .fieldSeparator(separator)
                .ofNamedCsvRecord(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return csv.stream().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(String name) {
    Optional<Path> found =
        Stream.of(
                Optional.ofNullable(System.getenv("NGD_DATA")).orElse(""),
                "../shared/data",
                "../../shared/data")
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder).resolve(name))
            .filter(Files::isRegularFile)
            .findFirst();
    assumeTrue(found.isPresent(), name + " is not at hand (../shared/data or NGD_DATA)");
    return found.get();
  }
}
