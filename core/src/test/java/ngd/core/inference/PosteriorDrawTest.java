package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import ngd.core.data.Shards;
import ngd.core.model.Categories;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Regression;
import ngd.core.model.Thresholds;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Parameters drawn around pooled fits. Oracle: the same deviates around lm(), glm() and multinom()
 * of all rows (mice_oracle.R).
 */
class PosteriorDrawTest {
  private static final List<String> LEVELS = List.of("a", "b", "c");

  @ParameterizedTest
  @CsvSource({"linear, 1e-6", "logistic, 1e-6", "multinomial, 1e-4"})
  void at_givenDeviates_isTheDefinition(String name, double reach) throws IOException {
    Map<String, Map<String, Double>> r = RubinsRulesTest.numbers("draws.csv", name);
    List<String> columns =
        switch (name) {
          case "linear" -> List.of("(Intercept)", "b", "gb", "gc", "z", "y");
          case "logistic" -> List.of("(Intercept)", "x", "gb", "gc", "z", "y");
          default -> List.of("(Intercept)", "x", "b", "z", "y");
        };
    Regression model =
        switch (name) {
          case "linear" -> new Linear();
          case "logistic" -> new Logistic();
          default -> new Categories(false, Thresholds.LOGIT, LEVELS, columns);
        };
    List<String> terms =
        model instanceof Categories
            ? LEVELS.stream()
                .skip(1)
                .flatMap(level -> columns.stream().map(column -> level + ":" + column))
                .toList()
            : columns;
    Network network = Network.of(new Topology.Circle(4, 1));
    PosteriorDraw drawn =
        new Simulation(network, model.over(rows(name, columns.size())), Streams.of(1), 1)
            .within(
                (world, _) -> {
                  PooledEstimate estimate =
                      PooledFit.on(network, model, terms, PooledFit.Settings.STANDARD)
                          .run(world, FitProgress.NONE);
                  Inference inference = Inference.of(estimate, Inference.Options.STANDARD);
                  double chi = r.get("chi").get("1");
                  return PosteriorDraw.at(
                      estimate.theta(),
                      inference.covariance().orElseThrow(),
                      model instanceof Linear ? inference.fit().dispersion() : 1,
                      chi > 0 ? inference.fit().residualFreedom() / chi : 1,
                      r.get("normal").values().stream().mapToDouble(z -> z).toArray());
                });
    for (int j = 0; j < terms.size(); j++) {
      String at = Integer.toString(j + 1);
      double error = r.get("se").get(at);
      assertThat(drawn.coefficients()[j])
          .as(terms.get(j))
          .isCloseTo(r.get("drawn").get(at), within(reach * error));
    }
    double deviation = r.get("deviation").get("1");
    assertThat(drawn.deviation()).isCloseTo(deviation, within(1e-6 * deviation));
  }

  /** The complete rows of mar.csv, at four clients of unequal sizes. */
  private static Shards rows(String name, int width) throws IOException {
    List<String[]> lines =
        Files.readAllLines(Path.of("../oracles/imputation/mar.csv")).stream()
            .skip(1)
            .map(line -> line.split(",", -1))
            .filter(fields -> !List.of(fields).contains("NA"))
            .toList();
    int[] sizes = new int[4];
    lines.forEach(fields -> sizes[fields[6].charAt(1) - '1']++);
    Shards.Filler filler = Shards.sized(width, sizes);
    int[] next = new int[4];
    for (String[] fields : lines) {
      int m = fields[6].charAt(1) - '1';
      double y = Double.parseDouble(fields[0]);
      double x = Double.parseDouble(fields[2]);
      double b = fields[3].equals("TRUE") || fields[3].equals("yes") ? 1 : 0;
      double gb = fields[4].equals("b") ? 1 : 0;
      double gc = fields[4].equals("c") ? 1 : 0;
      double z = Double.parseDouble(fields[5]);
      switch (name) {
        case "linear" -> filler.put(m, next[m]++, new double[] {1, b, gb, gc, z, y}, x);
        case "logistic" -> filler.put(m, next[m]++, new double[] {1, x, gb, gc, z, y}, b);
        default ->
            filler.put(m, next[m]++, new double[] {1, x, b, z, y}, LEVELS.indexOf(fields[4]));
      }
    }
    return filler.done();
  }
}
