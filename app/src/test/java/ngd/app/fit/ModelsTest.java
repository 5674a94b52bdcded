package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import ngd.app.Command;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Families, links, formulas and tests of contrasts on data sets that come with R, cut into four
 * unequal sites. The oracle is R ({@code oracles/models_oracle.R}).
 */
class ModelsTest {
  private static final Path MODELS = Path.of("..", "oracles", "models");
  private static final List<String> NETWORKS = List.of("circle:1", "central", "regular:3");

  @TempDir private Path folder;

  /** A case of the oracle, shown by its name. */
  record Case(JsonNode json, String network) {
    @Override
    public String toString() {
      return text("name") + " on " + network;
    }

    String text(String key) {
      return json.get(key).asString();
    }

    double number(String key) {
      return json.get(key).asDouble(Double.NaN);
    }

    List<String> options() {
      List<String> words =
          new ArrayList<>(
              List.of(
                  "--data", MODELS.resolve(text("data") + ".csv").toString(),
                  "--partition", "column:site",
                  "--network", network,
                  "--formula", text("formula"),
                  "--family", text("family"),
                  "--link", text("link"),
                  "--format", "json"));
      json.path("tests")
          .forEach(test -> words.addAll(List.of("--test", test.path("words").asString())));
      return words;
    }
  }

  /** Each case on one of the networks, in turn. */
  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (JsonNode json : JsonMapper.shared().readTree(MODELS.resolve("cases.json").toFile())) {
      cases.add(new Case(json, NETWORKS.get(cases.size() % NETWORKS.size())));
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void fit_dataOfR_isWhatRSaysToAMillionthOfAStandardError(Case oracle) throws IOException {
    Path out = folder.resolve("run");
    List<String> words = new ArrayList<>(List.of("fit"));
    words.addAll(oracle.options());
    words.addAll(List.of("--out", out.toString()));
    Command run = Command.run(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    JsonNode found = run.json();

    List<String> terms = new ArrayList<>();
    found.get("coefficients").forEach(line -> terms.add(line.get("term").asString()));
    List<String> expected = new ArrayList<>();
    oracle.json().get("terms").forEach(term -> expected.add(term.asString()));
    assertThat(terms).isEqualTo(expected);
    for (int j = 0; j < terms.size(); j++) {
      double error = oracle.json().get("stdError").get(j).asDouble();
      JsonNode line = found.get("coefficients").get(j);
      assertThat(line.get("estimate").asDouble())
          .as(terms.get(j))
          .isCloseTo(oracle.json().get("estimate").get(j).asDouble(), within(2e-6 * error));
      assertThat(line.get("stdError").asDouble())
          .as("standard error of " + terms.get(j))
          .isCloseTo(error, within(1e-6 * error));
    }
    for (String key :
        List.of(
            "dispersion",
            "deviance",
            "nullDeviance",
            "dfResidual",
            "dfNull",
            "aic",
            "logLikelihood")) {
      double value = oracle.number(key);
      if (Double.isNaN(value)) {
        assertThat(found.get(key).isNull()).as(key).isTrue();
      } else {
        assertThat(found.get(key).asDouble())
            .as(key)
            .isCloseTo(value, within(1e-8 * (1 + Math.abs(value))));
      }
    }
    if (oracle.json().has("theta")) {
      double error = oracle.number("thetaError");
      assertThat(found.at("/model/theta").asDouble())
          .isCloseTo(oracle.number("theta"), within(2e-6 * error));
      assertThat(found.at("/model/thetaStdError").asDouble())
          .isCloseTo(error, within(1e-6 * error));
    }
    predictions(oracle, out);
  }

  private void predictions(Case oracle, Path run) throws IOException {
    Path data = folder.resolve("new.csv");
    List<String> lines = Files.readAllLines(MODELS.resolve(oracle.text("data") + ".csv"));
    Files.write(data, lines.subList(0, 11));
    double[][] response = predicted(run, data, "response");
    double[][] linear = predicted(run, data, "link");
    for (int i = 0; i < 10; i++) {
      double error = oracle.json().get("linearError").get(i).asDouble();
      double expected = oracle.json().get("linear").get(i).asDouble();
      assertThat(linear[i][1]).isCloseTo(expected, within(2e-6 * error + 1e-12));
      double mean = oracle.json().get("predicted").get(i).asDouble();
      assertThat(response[i][1]).isCloseTo(mean, within(1e-5 * Math.abs(mean)));
    }
  }

  private static double[][] predicted(Path run, Path data, String type) {
    Command predict =
        Command.run(
            "predict", "--model", run.toString(), "--data", data.toString(), "--type", type);
    assertThat(predict.code()).as(predict.err()).isEqualTo(0);
    return predict
        .out()
        .lines()
        .skip(1)
        .map(line -> Stream.of(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }
}
