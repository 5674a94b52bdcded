package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import ngd.app.Command;
import tools.jackson.databind.JsonNode;

/**
 * What lme4 says of mixed models, beside answers.
 *
 * @param numbers by case and kind of number
 * @param statistic what the ratio of an estimate to its standard error is called there
 */
record MixedOracle(Map<String, Map<String, Double>> numbers, String statistic) {
  /** Derivative-free steps know variances to fewer digits than coefficients. */
  private static final double DEVIATIONS = 2e-6;

  static void same(double found, double expected, double share, String what) {
    assertThat(found).as(what).isCloseTo(expected, within(share * (1e-3 + Math.abs(expected))));
  }

  /** Every number that R says of a case. */
  void holds(JsonNode found, String name) {
    Map<String, Double> errors = numbers.get(name + " se");
    assertThat(found.get("coefficients").size()).isEqualTo(errors.size());
    for (JsonNode line : found.get("coefficients")) {
      String term = line.get("term").asString();
      double error = errors.get(term);
      assertThat(line.get("estimate").asDouble())
          .as("%s %s", name, term)
          .isCloseTo(numbers.get(name + " coef").get(term), within(1e-6 * error));
      same(line.get("stdError").asDouble(), error, 2e-6, name + " se " + term);
      same(
          line.get("statistic").asDouble(),
          numbers.get(name + " " + statistic).get(term),
          1e-5,
          name + " z");
      same(
          line.get("confLow").asDouble(),
          numbers.get(name + " low").get(term),
          1e-5,
          name + " low");
    }
    JsonNode mixed = found.get("mixed");
    Map<String, Double> deviations = new TreeMap<>();
    for (JsonNode group : mixed.get("groups")) {
      String factor = group.get("group").asString();
      assertThat(group.get("groups").asDouble())
          .as("%s groups of %s", name, factor)
          .isEqualTo(numbers.get(name + " groups").get(named(factor)));
      for (int i = 0; i < group.get("effects").size(); i++) {
        String effect = group.get("effects").get(i).get("effect").asString();
        deviations.put(
            named(factor) + "|" + effect + "|", group.get("effects").get(i).get("sd").asDouble());
        for (int j = 0; j < i; j++) {
          String other = group.get("effects").get(j).get("effect").asString();
          deviations.put(
              named(factor) + "|" + other + "|" + effect,
              group.get("correlations").get(i).get(j).asDouble());
        }
      }
    }
    if (mixed.get("residual").isObject()) {
      deviations.put("Residual||", mixed.get("residual").get("sd").asDouble());
    }
    Map<String, Double> expected = numbers.get(name + " sdcor");
    assertThat(deviations.keySet()).isEqualTo(new TreeMap<>(expected).keySet());
    deviations.forEach(
        (what, value) ->
            assertThat(value)
                .as(name + " " + what)
                .isCloseTo(
                    expected.get(what), within(DEVIATIONS * (Math.abs(expected.get(what)) + 1))));
    same(
        mixed.get("criterion").asDouble(),
        numbers.get(name + " criterion").get("value"),
        1e-9,
        name);
    same(
        found.get("logLikelihood").asDouble(),
        numbers.get(name + " loglik").get("value"),
        1e-9,
        name);
    same(found.get("aic").asDouble(), numbers.get(name + " aic").get("value"), 1e-9, name);
    same(found.get("bic").asDouble(), numbers.get(name + " bic").get("value"), 1e-9, name);
    assertThat(found.get("lastSteps").asInt()).as(name + " steps").isLessThanOrEqualTo(25);
    assertThat(mixed.get("singular").asBoolean())
        .as(name + " singular")
        .isEqualTo(numbers.get(name + " singular").get("value") == 1);
  }

  /** What {@code predict(re.form = NA)} says of three rows that were fitted. */
  void predicts(String run, Path rows, String type, String key) {
    int[] asked = rows.endsWith("orthodont.csv") ? new int[] {2, 40, 100} : new int[] {2, 90, 200};
    Command command =
        Command.run("predict", "--model", run, "--data", rows.toString(), "--type", type);
    assertThat(command.code()).as(command.err()).isZero();
    List<String> lines = command.out().lines().toList();
    assertThat(numbers.get(key)).hasSize(asked.length);
    for (int i = 0; i < asked.length; i++) {
      same(
          Double.parseDouble(lines.get(asked[i]).split(",", -1)[1]),
          numbers.get(key).get(Integer.toString(i + 1)),
          2e-6,
          key + " of row " + asked[i]);
    }
  }

  /** The oracle's machines are those of a hospital. */
  private static String named(String factor) {
    return factor.equals("machine") ? "hm" : factor;
  }
}
