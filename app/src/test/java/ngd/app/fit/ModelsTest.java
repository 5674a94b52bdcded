package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
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

  /** Each case on every network. */
  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (JsonNode json : JsonMapper.shared().readTree(MODELS.resolve("cases.json").toFile())) {
      NETWORKS.forEach(network -> cases.add(new Case(json, network)));
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
            .isCloseTo(value, within(reach(oracle, key) * (1 + Math.abs(value))));
      }
    }
    if (oracle.json().has("theta")) {
      double error = oracle.number("thetaError");
      assertThat(found.at("/model/theta").asDouble())
          .isCloseTo(oracle.number("theta"), within(2e-6 * error));
      assertThat(found.at("/model/thetaStdError").asDouble())
          .isCloseTo(error, within(1e-6 * error));
    }
    tests(oracle, found);
    predictions(oracle, out);
  }

  /** A deviance depends on an estimated theta, of which a millionth of its error may remain. */
  private static double reach(Case oracle, String key) {
    return oracle.json().has("theta") && key.toLowerCase(Locale.ROOT).contains("deviance")
        ? 2e-7
        : 1e-8;
  }

  private static void tests(Case oracle, JsonNode found) {
    int number = 0;
    for (JsonNode test : oracle.json().path("tests")) {
      JsonNode here = found.get("tests").get(number++);
      for (int i = 0; i < test.get("estimate").size(); i++) {
        double error = test.get("stdError").get(i).asDouble();
        JsonNode equation = here.get("equations").get(i);
        assertThat(equation.get("estimate").asDouble())
            .isCloseTo(test.get("estimate").get(i).asDouble(), within(4e-6 * error));
        assertThat(equation.get("stdError").asDouble()).isCloseTo(error, within(1e-6 * error));
      }
      near(here.at("/wald/statistic"), test.get("wald"));
      near(here.at("/wald/pValue"), test.get("waldP"));
      near(here.at("/likelihoodRatio/statistic"), test.get("ratio"));
      near(here.at("/likelihoodRatio/pValue"), test.get("ratioP"));
    }
  }

  private static void near(JsonNode found, JsonNode expected) {
    assertThat(found.asDouble()).isCloseTo(expected.asDouble(), within(1e-5));
  }

  private Command fit(String data, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "fit",
                "--data",
                MODELS.resolve(data + ".csv").toString(),
                "--partition",
                "column:site",
                "--network",
                "circle:1",
                "--format",
                "json"));
    words.addAll(List.of(more));
    return Command.run(words.toArray(String[]::new));
  }

  /**
   * Knots are quantiles to the precision that is said; with them given the fit is the same, which R
   * has checked.
   */
  @Test
  void fit_splineByDegreesOfFreedom_hasKnotsAtPooledQuantiles() throws IOException {
    Command found = fit("birthwt", "--formula", "bwt ~ ns(lwt, df = 4) + smoke");
    assertThat(found.code()).as(found.err()).isEqualTo(0);
    JsonNode basis = found.json().at("/model/bases").get("ns(lwt, df = 4)");
    List<Double> knots = new ArrayList<>();
    basis.get("knots").forEach(knot -> knots.add(knot.asDouble()));
    double low = basis.get("boundaryKnots").get(0).asDouble();
    double high = basis.get("boundaryKnots").get(1).asDouble();
    double[] values = column("birthwt", "lwt");
    Arrays.sort(values);
    double[] shares = {0.05, 0.05 + 0.9 / 4, 0.5, 0.05 + 0.9 * 3 / 4, 0.95};
    double[] all = {low, knots.get(0), knots.get(1), knots.get(2), high};
    for (int i = 0; i < all.length; i++) {
      double quantile = values[(int) Math.round(shares[i] * (values.length - 1))];
      assertThat(all[i]).isCloseTo(quantile, within(4.0));
      double knot = all[i];
      assertThat(Arrays.stream(values).noneMatch(value -> value == knot)).isTrue();
    }
    assertThat(found.json().get("notes").toString()).contains("ns(lwt, df = 4): knots");
    String given =
        "bwt ~ ns(lwt, knots = c(%s, %s, %s), Boundary.knots = c(%s, %s)) + smoke"
            .formatted(knots.get(0), knots.get(1), knots.get(2), low, high);
    JsonNode again = fit("birthwt", "--formula", given).json();
    for (int j = 0; j < 6; j++) {
      assertThat(again.get("coefficients").get(j).get("estimate"))
          .isEqualTo(found.json().get("coefficients").get(j).get("estimate"));
    }
  }

  private static double[] column(String data, String name) throws IOException {
    List<String> lines = Files.readAllLines(MODELS.resolve(data + ".csv"));
    int at = List.of(lines.getFirst().split(",", -1)).indexOf(name);
    return lines.stream()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[at]))
        .toArray();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "birthwt | bwt ~ ns(age, knots = c(25, 60))      | gaussian | above 60 are fewer",
        "birthwt | bwt ~ bs(age, knots = 10)             | gaussian | below 10 are fewer",
        "birthwt | bwt ~ bs(age, knots = 33)             | gaussian | 33 does not: ask for fewer",
        "cars    | mpg ~ ns(hp, df = 20)                 | gaussian | a finer grid than the rows"
            + " allow",
        "birthwt | bwt ~ cut(age, c(0, 99))              | gaussian | must have at least two"
            + " levels",
        "birthwt | bwt ~ poly(smoke, 2)                  | gaussian | number of different values, 2"
            + " over",
        "birthwt | bwt ~ relevel(factor(race), ref = '9')| gaussian | must be one of its levels, 1,"
            + " 2, 3",
        "quine   | Days ~ ns(Sex, df = 2)                | gaussian | must hold numbers; it holds"
            + " text",
        "birthwt | cbind(low, smoke) ~ age               | poisson  | only with the binomial and",
        "birthwt | low ~ I(low = 1)                      | quasi-binomial | separation",
        "warpbreaks | I(20) ~ tension                    | negative-binomial | vary no more than"
            + " Poisson",
        "birthwt | bwt ~ age - 1                         | inverse-gaussian | needs an intercept"
      })
  void fit_impossibleModel_isRefusedWithTheReason(
      String data, String formula, String family, String reason) {
    Command refused = fit(data, "--formula", formula, "--family", family);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains(reason);
  }

  /**
   * A quasi-family's estimate and its distance in standard errors do not know a unit of weights.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quine | Days ~ Age + Sex | quasi-poisson",
        "birthwt | low ~ age + lwt | quasi-binomial"
      })
  void fit_weightsInAnotherUnit_isTheSame(String data, String formula, String family) {
    JsonNode plain = fit(data, "--formula", formula, "--family", family).json();
    for (String unit : List.of("1e-9", "1e6")) {
      JsonNode other =
          fit(
                  data,
                  "--formula",
                  formula
                      + " + weights(%s + 0 * %s)"
                          .formatted(unit, formula.substring(0, formula.indexOf(" "))),
                  "--family",
                  family)
              .json();
      for (int j = 0; j < plain.get("coefficients").size(); j++) {
        String at = "/coefficients/%d/".formatted(j);
        double error = plain.at(at + "stdError").asDouble();
        assertThat(other.at(at + "estimate").asDouble())
            .isCloseTo(plain.at(at + "estimate").asDouble(), within(1e-7 * error));
        assertThat(other.at(at + "stdError").asDouble()).isCloseTo(error, within(1e-6 * error));
      }
      assertThat(other.get("lastSteps")).isEqualTo(plain.get("lastSteps"));
    }
  }

  @Test
  void fit_formulaThatIsWrong_isSaidAloneAndNotToBeMissing() {
    Command refused = fit("birthwt", "--formula", "bwt ~ cut(age, 3)");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("`cut` needs its breaks")
        .doesNotContain("--response", "must be given");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "age + smok = 0 | must begin with a number or a coefficient",
        "age + smoke    | must have one `=`",
        "age = age      | must have a coefficient that does not cancel",
        "age = 0; 2*age = 1 | must not follow from each other",
        "age = 0.01; 2*age = 0.02 | must not follow from each other",
        "age + smoke = 1; 0.1*age = 2; 3*smoke = 7 | must not follow from each other",
        "age = smoke = 0 | must have one `=`",
        "`age` = `smoke` = 0 | must have one `=`",
        "age = 0;       | an equation is empty"
      })
  void test_impossibleEquations_areRefusedWithTheReason(String test, String reason) {
    Command refused = fit("birthwt", "--formula", "bwt ~ age + smoke", "--test", test);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains(reason);
  }

  /** Oracle: the same model with a column whose name has no signs in it, which R has checked. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "I(smoke = 1)TRUE = 100; age = 0",
        "`I(smoke = 1)TRUE` - 100 = 0;`age`=0",
        "2*I( smoke=1 )TRUE = 200; 0 = age"
      })
  void test_nameWithSigns_isFound(String test) {
    Command plain =
        fit("birthwt", "--formula", "bwt ~ age + smoke", "--test", "smoke = 100; age = 0");
    Command signs = fit("birthwt", "--formula", "bwt ~ age + I(smoke = 1)", "--test", test);
    assertThat(signs.code()).as(signs.err()).isEqualTo(0);
    for (String number : List.of("wald", "likelihoodRatio")) {
      String at = "/tests/0/%s/statistic".formatted(number);
      double expected = plain.json().at(at).asDouble();
      assertThat(expected).isPositive();
      assertThat(signs.json().at(at).asDouble()).isCloseTo(expected, within(1e-9 * expected));
    }
  }

  /** In the tail of the normal distribution steps are shorter than those of logits. */
  @ParameterizedTest
  @CsvSource({"logit", "probit", "cloglog"})
  void fit_separatedUnderEachLink_isRefused(String link) {
    Command refused =
        fit(
            "birthwt",
            "--formula",
            "low ~ age + I(low = 1)",
            "--family",
            "binomial",
            "--link",
            link);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("separation", "I(low = 1)");
  }

  /** As R, whose glm() stops at the boundary: some row's mean would be 1. */
  @Test
  void fit_estimateAtTheEdgeOfALink_saysSo() {
    Command edge =
        fit(
            "infert",
            "--formula",
            "case ~ spontaneous + induced + parity",
            "--family",
            "binomial",
            "--link",
            "log");
    assertThat(edge.code()).isEqualTo(1);
    assertThat(edge.err()).contains("under the link log", "try another link");
  }

  /** Losses of any predictor run by methods too, and come to the pooled estimate. */
  @Test
  void fit_methodUnderANewLink_reachesTheGlobalEstimate() {
    Command run =
        fit(
            "infert",
            "--formula",
            "case ~ spontaneous",
            "--family",
            "binomial",
            "--link",
            "cloglog",
            "--algorithm",
            "diging",
            "--alpha",
            "0.05",
            "--weights",
            "lazy:0.5",
            "--rounds",
            "3000");
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    assertThat(run.json().get("distanceToGlobal").asDouble()).isLessThan(1e-6);
    Command refused =
        fit(
            "cars",
            "--formula",
            "mpg ~ wt",
            "--family",
            "gamma",
            "--link",
            "inverse",
            "--algorithm",
            "ngd",
            "--alpha",
            "0.01",
            "--rounds",
            "10");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("works only with a pooled fit by sums");
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
      double low = oracle.json().get("low").get(i).asDouble();
      double high = oracle.json().get("high").get(i).asDouble();
      assertThat(response[i][2]).isCloseTo(low, within(1e-5 * (high - low)));
      assertThat(response[i][3]).isCloseTo(high, within(1e-5 * (high - low)));
    }
  }

  private static double[][] predicted(Path run, Path data, String type) {
    Command predict =
        Command.run(
            "predict",
            "--model",
            run.toString(),
            "--data",
            data.toString(),
            "--type",
            type,
            "--interval");
    assertThat(predict.code()).as(predict.err()).isEqualTo(0);
    return predict
        .out()
        .lines()
        .skip(1)
        .map(line -> Stream.of(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }
}
