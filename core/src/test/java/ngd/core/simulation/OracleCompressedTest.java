package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.compressed.Beer;
import ngd.core.algorithm.compressed.Choco;
import ngd.core.algorithm.compressed.Lead;
import ngd.core.codec.Codec;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: {@code oracles/methods}, the same rounds by an independent program. */
class OracleCompressedTest {
  private static final int CLIENTS = 8;

  private static List<String[]> lines(String name) {
    try {
      return Oracles.lines(Path.of("methods", name + ".csv")).stream()
          .skip(1)
          .map(line -> line.split(",", -1))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The rows of all clients, an intercept before the columns. */
  private static Shards shards(String model) {
    double[][][] x = new double[CLIENTS][][];
    double[][] y = new double[CLIENTS][];
    List<String[]> lines = lines(model);
    for (int m = 0; m < CLIENTS; m++) {
      String own = Integer.toString(m);
      List<String[]> rows = lines.stream().filter(line -> line[0].equals(own)).toList();
      y[m] = rows.stream().mapToDouble(row -> Double.parseDouble(row[1])).toArray();
      x[m] =
          rows.stream()
              .map(
                  row ->
                      new double[] {
                        1,
                        Double.parseDouble(row[2]),
                        Double.parseDouble(row[3]),
                        Double.parseDouble(row[4])
                      })
              .toArray(double[][]::new);
    }
    return Shards.of(x, y);
  }

  private static Network network(String links, String weights) {
    double[][] w = new double[CLIENTS][CLIENTS];
    if (links.endsWith("mutual.csv")) {
      for (String[] line : lines("mutual")) {
        w[Integer.parseInt(line[0])][Integer.parseInt(line[1])] = 1;
      }
    } else {
      Network plain = Network.of(Topology.parse(links, CLIENTS, Streams.of(1)));
      for (int m = 0; m < CLIENTS; m++) {
        for (int k = 0; k < CLIENTS; k++) {
          w[m][k] = plain.weight(m, k) > 0 && m != k ? 1 : 0;
        }
      }
    }
    double[] degree = Arrays.stream(w).mapToDouble(row -> Arrays.stream(row).sum()).toArray();
    double lazy = weights.equals("lazy-metropolis") ? 0.5 : 1;
    for (int m = 0; m < CLIENTS; m++) {
      double own = 1;
      for (int k = 0; k < CLIENTS; k++) {
        w[m][k] *= lazy / (1 + Math.max(degree[m], degree[k]));
        own -= w[m][k];
      }
      w[m][m] = own;
    }
    return Network.of(w);
  }

  private static Algorithm.Rounds<?> method(
      String name, StepSize alpha, Map<String, String> given, GradientScales scales) {
    double gamma = Double.parseDouble(given.getOrDefault("gamma", ""));
    Codec codec = Codec.parse(given.getOrDefault("code", ""));
    return switch (name) {
      case "choco" -> new Choco(alpha, gamma, codec, 0, scales);
      case "beer" -> new Beer(alpha, gamma, codec, scales);
      default ->
          new Lead(
              alpha, gamma, Double.parseDouble(given.getOrDefault("mom", "")), codec, 0, scales);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"choco", "beer", "lead"})
  void run_everyCase_equalsTheIndependentProgram(String name) {
    Map<List<String>, Map<Integer, double[][]>> cases = new LinkedHashMap<>();
    for (String[] line : lines(name)) {
      double[] theta = Arrays.stream(line, 7, 11).mapToDouble(Double::parseDouble).toArray();
      cases.computeIfAbsent(List.of(line).subList(0, 5), _ -> new LinkedHashMap<>())
              .computeIfAbsent(Integer.parseInt(line[5]), _ -> new double[CLIENTS][])[
              Integer.parseInt(line[6])] =
          theta;
    }
    assertThat(cases).hasSizeGreaterThan(10);
    for (Map.Entry<List<String>, Map<Integer, double[][]>> one : cases.entrySet()) {
      List<String> words = one.getKey();
      Map<String, String> given = new HashMap<>();
      for (String word : words.get(4).split(" ", -1)) {
        String[] pair = word.split("=", 2);
        given.put(pair[0], pair[1]);
      }
      Shards shards = shards(words.get(2));
      int[] sizes = new int[CLIENTS];
      Arrays.setAll(sizes, m -> shards.shard(m).rows());
      Simulation simulation =
          new Simulation(
              network(words.get(0), words.get(1)),
              (words.get(2).equals("linear") ? new Linear() : new Logistic()).over(shards),
              Streams.of(1),
              1);
      Algorithm.Rounds<?> method =
          method(
              name,
              StepSize.constant(Double.parseDouble(words.get(3))),
              given,
              GradientScales.bySize(sizes));
      try (Run<?> run = simulation.start(method)) {
        one.getValue()
            .forEach(
                (rounds, theta) -> {
                  run.advance(rounds - run.round());
                  for (int m = 0; m < CLIENTS; m++) {
                    assertThat(run.theta().row(m))
                        .as("%s, round %d, client %d", words, rounds, m)
                        .containsExactly(theta[m], within(1e-10));
                  }
                });
      }
    }
  }
}
