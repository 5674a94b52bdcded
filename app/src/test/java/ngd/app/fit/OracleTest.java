package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import ngd.app.Command;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The oracle is the NumPy program in {@code oracles/}, through the commands that people use. */
class OracleTest {
  private static final Path ORACLES = Path.of("..", "oracles");

  @TempDir private Path folder;

  /** A case of the oracle, shown by its name. */
  record Case(JsonNode json) {
    @Override
    public String toString() {
      return text("name");
    }

    String text(String key) {
      return json.get(key).asString();
    }

    double number(String key) {
      return json.get(key).asDouble();
    }

    /** The options that a case states. */
    List<String> options(String... keys) {
      List<String> words = new ArrayList<>();
      for (String key : keys) {
        words.add("--" + key);
        words.add(
            switch (key) {
              case "data" -> ORACLES.resolve(text(key)).toString();
              case "network" ->
                  text(key).startsWith("file:")
                      ? "file:" + ORACLES.resolve(text(key).substring("file:".length()))
                      : text(key);
              default -> text(key);
            });
      }
      if (json.has("intercept") && !json.get("intercept").asBoolean()) {
        words.add("--no-intercept");
      }
      words.addAll(List.of("--format", "json"));
      return words;
    }
  }

  private static Stream<Case> cases(String file, String list) {
    JsonNode all = JsonMapper.shared().readTree(ORACLES.resolve(file).toFile());
    return (list.isEmpty() ? all : all.get(list)).valueStream().map(Case::new);
  }

  static Stream<Case> fits() {
    return cases("fit/cases.json", "");
  }

  static Stream<Case> problems() {
    return cases("theory/cases.json", "problems");
  }

  static Stream<Case> networks() {
    return cases("theory/cases.json", "networks");
  }

  private static JsonNode run(String command, List<String> options) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(options);
    Command result = Command.run(words.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isEqualTo(0);
    return result.json();
  }

  private static Offset<Double> near(double value, double share) {
    return Offset.offset(share * Math.max(1, Math.abs(value)));
  }

  @ParameterizedTest
  @MethodSource("fits")
  void fit_oracleCase_hasTheSameCoefficientsAtEveryClient(Case oracle) throws IOException {
    List<String> options =
        oracle.options(
            "data",
            "response",
            "family",
            "clients",
            "partition",
            "placement",
            "network",
            "weights",
            "alpha",
            "rounds");
    Path out = folder.resolve("run");
    options.addAll(List.of("--out", out.toString()));
    JsonNode json = run("fit", options);

    List<String> expected = Files.readAllLines(ORACLES.resolve(oracle.text("theta")));
    List<String> found = Files.readAllLines(out.resolve("theta.csv"));
    assertThat(found).hasSameSizeAs(expected);
    assertThat(found.getFirst()).isEqualTo(expected.getFirst());
    for (int line = 1; line < found.size(); line++) {
      double[] a = numbers(found.get(line));
      double[] b = numbers(expected.get(line));
      for (int j = 0; j < b.length; j++) {
        assertThat(a[j]).isCloseTo(b[j], near(b[j], 1e-10));
      }
    }
    JsonNode global = oracle.json().get("global");
    for (int j = 0; j < global.size(); j++) {
      double value = global.get(j).asDouble();
      assertThat(json.get("coefficients").get(j).get("globalEstimate").asDouble())
          .isCloseTo(value, near(value, 1e-9));
    }
    assertThat(json.get("distanceToGlobal").asDouble())
        .isCloseTo(oracle.number("distanceToGlobal"), Offset.offset(1e-9));
    assertThat(json.get("consensus").asDouble())
        .isCloseTo(oracle.number("consensus"), Offset.offset(1e-9));
  }

  private static double[] numbers(String line) {
    return Stream.of(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  @ParameterizedTest
  @MethodSource("problems")
  void check_oracleCase_saysTheSame(Case oracle) {
    JsonNode json =
        run(
            "check",
            oracle.options(
                "data",
                "response",
                "family",
                "clients",
                "partition",
                "placement",
                "network",
                "weights",
                "alpha"));
    assertThat(json.get("converges")).isEqualTo(oracle.json().get("converges"));
    for (String key :
        List.of("safeAlpha", "spectralRadius", "stableDistanceToGlobal", "seW", "seScore")) {
      JsonNode expected = oracle.json().get(key);
      if (expected != null && expected.isNumber()) {
        assertThat(json.get(key).isNumber()).as(key + ": " + json.get("notes")).isTrue();
        assertThat(json.get(key).asDouble())
            .as(key)
            .isCloseTo(expected.asDouble(), near(expected.asDouble(), 1e-7));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void network_oracleCase_saysTheSame(Case oracle) {
    JsonNode json = run("network", oracle.options("network", "weights", "clients"));
    for (String key : List.of("edges", "inDegree", "outDegree", "irreducible")) {
      assertThat(json.get(key)).as(key).isEqualTo(oracle.json().get(key));
    }
    assertThat(json.get("unheard").asInt()).isEqualTo(oracle.json().get("unheard").size());
    assertThat(json.get("transient").asInt()).isEqualTo(oracle.json().get("transient").size());
    assertThat(json.get("closedClasses").valueStream().map(JsonNode::asInt))
        .containsExactlyInAnyOrderElementsOf(
            oracle.json().get("closedClasses").valueStream().map(JsonNode::size).toList());
    if (oracle.json().get("period").isNumber()) {
      assertThat(json.get("period").asInt()).isEqualTo(oracle.json().get("period").asInt());
    }
    assertThat(json.at("/balance/se").asDouble())
        .isCloseTo(oracle.number("seW"), Offset.offset(1e-10));
    for (String key : List.of("sigmaMax", "sigmaMinPlus", "rhoSigmaW", "secondEigenvalue")) {
      assertThat(json.get(key).asDouble())
          .as(key)
          .isCloseTo(oracle.number(key), Offset.offset(1e-7));
    }
  }
}
