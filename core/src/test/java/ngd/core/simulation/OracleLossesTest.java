package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.Oracles;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Categories;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Loss;
import ngd.core.model.Losses;
import ngd.core.model.Thresholds;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values, gradients, rounds and pooled minima of losses. Oracle: {@code oracles/losses}, a NumPy
 * program written from the definitions alone.
 */
class OracleLossesTest {
  private static final int CLIENTS = 8;

  /** One of its losses in our words; nothing for the one that we do not have. */
  private static Optional<Loss> loss(String name, String parameters) {
    Map<String, String> numbers = new LinkedHashMap<>();
    for (String one : parameters.split(" ", -1)) {
      if (one.contains("=")) {
        numbers.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
      }
    }
    return switch (name) {
      case "huber" -> Optional.of(Losses.parse("huber:" + numbers.get("delta")).loss());
      case "quantile-uniform" ->
          Optional.of(
              Losses.parse("quantile:%s:%s".formatted(numbers.get("tau"), numbers.get("h")))
                  .loss());
      case "quantile-exact" -> Optional.of(Losses.parse("quantile:" + numbers.get("tau")).loss());
      case "hinge" -> Optional.of(Losses.parse("hinge").loss());
      case "hinge-smooth" -> Optional.of(Losses.parse("hinge:" + numbers.get("h")).loss());
      case "multinomial" ->
          Optional.of(
              new Categories(
                  false,
                  Thresholds.LOGIT,
                  List.of("0", "1", "2"),
                  List.of("(Intercept)", "x1", "x2")));
      case "quantile-gaussian" -> Optional.empty();
      default -> throw new IllegalStateException(name);
    };
  }

  private static Shards shards(String data) {
    List<String[]> lines =
        Oracles.table((data.equals("multinomial") ? "losses/" : "methods/") + data + ".csv");
    int[] sizes = new int[CLIENTS];
    lines.forEach(line -> sizes[Integer.parseInt(line[0])]++);
    int p = lines.getFirst().length - 1;
    Shards.Filler filler = Shards.sized(p, sizes);
    int[] next = new int[CLIENTS];
    for (String[] line : lines) {
      int m = Integer.parseInt(line[0]);
      double[] x = new double[p];
      Arrays.setAll(x, j -> j == 0 ? 1 : Double.parseDouble(line[j + 1]));
      filler.put(m, next[m]++, x, Double.parseDouble(line[1]));
    }
    return filler.done();
  }

  /** Of classes the program has all of one class and then all of the next, and we columns. */
  private static double[] ours(Loss loss, double[] theirs) {
    if (!(loss instanceof Categories classes)) {
      return theirs;
    }
    return Arrays.stream(classes.places()).mapToDouble(place -> theirs[place]).toArray();
  }

  private static double[] numbers(String text) {
    return Arrays.stream(text.split(";")).mapToDouble(Double::parseDouble).toArray();
  }

  private static void assertClose(double[] found, double[] expected, double tolerance) {
    for (int j = 0; j < expected.length; j++) {
      assertThat(found[j]).isCloseTo(expected[j], within(tolerance * (1 + Math.abs(expected[j]))));
    }
  }

  @Test
  void valueAndGradient_fourPoints_areTheOracles() {
    int seen = 0;
    for (String[] line : Oracles.table("losses/values.csv")) {
      Optional<Loss> known = loss(line[0], line[2]);
      if (known.isEmpty()) {
        continue;
      }
      Loss loss = known.get();
      Shards shards = shards(line[1]);
      double[] theta = ours(loss, numbers(line[3]));
      int m = Integer.parseInt(line[4]);
      assertThat(loss.value(shards, m, theta))
          .isCloseTo(Double.parseDouble(line[5]), within(1e-12));
      double[] gradient = new double[theta.length];
      loss.over(shards).gradient(m, theta, 0, gradient, 0);
      assertClose(gradient, ours(loss, numbers(line[6])), 1e-12);
      seen++;
    }
    assertThat(seen).isEqualTo(4 * CLIENTS * 12);
  }

  @Test
  void globalEstimate_allLosses_isTheOracles() {
    for (String[] line : Oracles.table("losses/pooled.csv")) {
      loss(line[0], line[2])
          .ifPresent(
              loss ->
                  assertClose(
                      GlobalEstimate.of(loss, shards(line[1])).theta(),
                      ours(loss, numbers(line[4])),
                      1e-10));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"huber", "quantile-uniform", "hinge", "hinge-smooth", "multinomial"})
  void ngd_threeTenAndFiftySevenRounds_areTheOracles(String name) {
    Map<String, Run<?>> runs = new LinkedHashMap<>();
    for (String[] line : Oracles.table("losses/ngd-%s.csv".formatted(name))) {
      Loss loss = loss(name, line[4]).orElseThrow();
      String key = String.join(",", Arrays.copyOf(line, 5));
      int rounds = Integer.parseInt(line[5]);
      Run<?> run = runs.computeIfAbsent(key, _ -> run(loss, line));
      if (run.round() < rounds) {
        run.advance(rounds - run.round());
      }
      assertThat(run.round()).isEqualTo(rounds);
      double[] expected = Arrays.stream(line).skip(7).mapToDouble(Double::parseDouble).toArray();
      assertClose(run.theta().row(Integer.parseInt(line[6])), ours(loss, expected), 1e-10);
    }
    runs.values().forEach(Run::close);
    assertThat(runs).hasSizeGreaterThanOrEqualTo(10);
  }

  private static Run<?> run(Loss loss, String[] line) {
    Shards shards = shards(line[2]);
    String network =
        line[0].startsWith("file:")
            ? "file:" + Path.of("../oracles/methods", line[0].substring("file:".length()))
            : line[0];
    NamedNetwork w =
        NamedNetwork.of(
            Topology.parse(network, CLIENTS, Streams.of(1)),
            Optional.of(line[1]),
            shards.rowsArray());
    StepSize alpha = StepSize.constant(Double.parseDouble(line[3]));
    Simulation simulation = Simulation.of(w.network(), loss.over(shards));
    return line[4].contains("scaled=1")
        ? simulation.start(new BalancedNgd(alpha, GradientScales.bySize(shards.rowsArray())))
        : simulation.start(new Ngd(alpha));
  }
}
