package ngd.core.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.Oracles;
import ngd.core.linalg.Kernels;
import ngd.core.network.Network;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Workers;
import org.junit.jupiter.api.Test;

/** Oracle: {@code oracles/robust}, the rules by an independent program. */
class OracleRobustMixTest {
  /** The vectors of a set, with the weight of each. */
  private record Vectors(List<double[]> rows, List<Double> weights) {
    /** What one of them makes of all, who hears the others with their weights. */
    double[] mixed(Mixing rule, int client) {
      int n = rows.size();
      double[][] w = new double[n][n];
      for (int m = 0; m < n; m++) {
        w[m][m] = 1;
      }
      for (int k = 0; k < n; k++) {
        w[client][k] = weights.get(k);
      }
      Host host = new Host(Kernels.best(), new Workers(1));
      HostRows in = HostRows.in(host.of(rows.toArray(double[][]::new)));
      HostRows out = host.block(n, in.width());
      new RobustMix(Network.of(w), rule).mix(in, RobustMix.Said.of(in), out, client, client + 1);
      return out.row(client);
    }
  }

  private static List<String[]> lines(String file) throws IOException {
    return Oracles.lines(Path.of("robust", file)).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .toList();
  }

  private static double[] numbers(String[] line, int from) {
    List<Double> numbers = new ArrayList<>();
    for (int i = from; i < line.length && !line[i].isEmpty(); i++) {
      numbers.add(Double.parseDouble(line[i]));
    }
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static Optional<Mixing> rule(String name, String parameters) {
    String number = parameters.replaceFirst(".*=", "");
    return Optional.ofNullable(
            switch (name) {
              case "geometric-median" -> parameters.isEmpty() ? name : null;
              case "median" -> name;
              case "krum" -> "krum:" + number;
              case "nearest-mixing" -> "nearest:" + number;
              case "clipped-gossip" -> "clipped:" + number;
              case "bridge" -> "bridge:" + number;
              case "trimmed-mean" -> "trimmed:" + number;
              default -> null;
            })
        .map(Mixing::parse);
  }

  @Test
  void mix_everyRuleAndSet_isTheOraclesVector() throws IOException {
    Map<String, Vectors> sets = new LinkedHashMap<>();
    for (String[] line : lines("vectors.csv")) {
      Vectors set =
          sets.computeIfAbsent(line[0], _ -> new Vectors(new ArrayList<>(), new ArrayList<>()));
      set.rows().add(numbers(line, 3));
      set.weights().add(Double.parseDouble(line[2]));
    }
    int compared = 0;
    for (String[] line : lines("rules.csv")) {
      Optional<Mixing> rule = rule(line[1], line[2]);
      if (rule.isPresent()) {
        double[] found = sets.get(line[0]).mixed(rule.get(), Integer.parseInt(line[3]));
        assertThat(found)
            .as(String.join(" ", line))
            .containsExactly(numbers(line, 4), within(1e-10));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(200);
  }
}
