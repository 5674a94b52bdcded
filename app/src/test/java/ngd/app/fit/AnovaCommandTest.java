package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests of terms and of nested models, and exponentiated coefficients. Oracle: R's anova and exp of
 * its intervals ({@code oracles/reading_oracle.R}).
 */
class AnovaCommandTest {
  private static final String SMALL = "x1 + offset(0.1 * exposure)";
  private static final String LARGE = "x1 + factor(w) + x2 + x1:x2 + offset(0.1 * exposure)";

  @TempDir private Path folder;

  private static Path oracles() {
    Path here = Path.of("").toAbsolutePath();
    Path own = here.resolve("oracles");
    return Files.isDirectory(own) ? own : here.resolveSibling("oracles");
  }

  private static List<NamedCsvRecord> oracle(String name) throws IOException {
    try (CsvReader<NamedCsvRecord> csv =
        CsvReader.builder().ofNamedCsvRecord(oracles().resolve("reading/" + name + ".csv"))) {
      return csv.stream().toList();
    }
  }

  private static double number(NamedCsvRecord line, String field) {
    return Double.parseDouble(line.getField(field));
  }

  private Command fit(String run, String formula, String... more) {
    List<String> line = new ArrayList<>(List.of("fit", "--formula", formula));
    if (!List.of(more).contains("--data")) {
      line.addAll(List.of("--data", oracles().resolve("glm/synthetic.csv").toString()));
    }
    line.addAll(List.of("--partition", "column:site", "--network", "central"));
    line.addAll(List.of("--out", folder.resolve(run).toString()));
    line.addAll(List.of(more));
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    return command;
  }

  private Command anova(String... runs) {
    List<String> line = new ArrayList<>(List.of("anova"));
    for (String run : runs) {
      line.add(run.startsWith("--") ? run : folder.resolve(run).toString());
    }
    return Command.run(line.toArray(String[]::new));
  }

  private JsonNode result(String run) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve(run + "/result.json")));
  }

  @ParameterizedTest
  @CsvSource({
    "gaussian, gaussian, --family=gaussian",
    "logit, binary, --family=binomial",
    "probit, binary, --family=binomial --link=probit",
    "poisson, count, --family=poisson",
    "gamma, positive, --family=gamma",
    "negative, over, --family=negative-binomial:1.5"
  })
  void anova_everyFamily_saysWhatRSays(String name, String response, String family)
      throws IOException {
    List<String> options = new ArrayList<>(List.of(family.split(" ", -1)));
    fit("small", response + " ~ " + SMALL, options.toArray(String[]::new));
    options.add("--anova");
    fit("large", response + " ~ " + LARGE, options.toArray(String[]::new));
    List<NamedCsvRecord> truth = oracle(name + ".terms");
    JsonNode lines = result("large").at("/anova/terms");
    assertThat(lines).hasSize(truth.size() - 1);
    for (int i = 1; i < truth.size(); i++) {
      NamedCsvRecord line = truth.get(i);
      JsonNode found = lines.get(i - 1);
      assertThat(found.get("term").asString()).isEqualTo(line.getField("term"));
      assertThat(found.get("df").asInt()).isEqualTo((int) number(line, "df"));
      assertThat(found.get("dfResidual").asInt()).isEqualTo((int) number(line, "df_residual"));
      for (String[] pair :
          List.of(
              new String[] {"deviance", "deviance"},
              new String[] {"residualDeviance", "residual_deviance"},
              new String[] {"statistic", "statistic"})) {
        double expected = number(line, pair[1]);
        assertThat(found.get(pair[0]).asDouble())
            .as(pair[0])
            .isCloseTo(expected, within(1e-6 * (1 + Math.abs(expected))));
      }
      double chance = number(line, "p_value");
      assertThat(found.get("pValue").asDouble()).isCloseTo(chance, within(1e-6 * chance));
    }
    // The order on the command line does not matter.
    JsonNode pair = anova("large", "small", "--format=json").json().at("/models/1");
    List<NamedCsvRecord> nested = oracle(name + ".nested");
    assertThat(pair.get("df").asInt()).isEqualTo((int) number(nested.get(0), "value"));
    double deviance = number(nested.get(1), "value");
    assertThat(pair.get("deviance").asDouble()).isCloseTo(deviance, within(1e-6 * deviance));
    double chance = number(nested.get(2), "value");
    assertThat(pair.get("pValue").asDouble()).isCloseTo(chance, within(1e-5 * chance));
  }

  @ParameterizedTest
  @CsvSource({
    "logit, binary, binomial, Odds ratio, odds_ratio",
    "poisson, count, poisson, Rate ratio, rate_ratio",
    "negative, over, negative-binomial:1.5, Rate ratio, rate_ratio",
    "gamma, positive, gamma, Mean ratio, mean_ratio"
  })
  void exponentiate_everyLogarithm_isTheRatioThatRComputes(
      String name, String response, String family, String words, String column) throws IOException {
    Command command =
        fit("run", response + " ~ x1 + x2", "--family", family, "--exponentiate", "--level", "0.9");
    assertThat(command.out()).contains(words + " ", " 5 %  ", " 95 %  ").doesNotContain("Estimate");
    List<String> lines = Files.readAllLines(folder.resolve("run/coefficients.csv"));
    assertThat(lines.getFirst())
        .endsWith("conf_high,%s,%s_low,%s_high".formatted(column, column, column));
    List<NamedCsvRecord> truth = oracle(name + ".ratios");
    for (int j = 0; j < truth.size(); j++) {
      String[] fields = lines.get(j + 1).split(",", -1);
      JsonNode one = result("run").at("/coefficients/" + j);
      String[] keys = {"ratio", "ratioLow", "ratioHigh"};
      String[] names = {"ratio", "low", "high"};
      for (int k = 0; k < 3; k++) {
        double expected = number(truth.get(j), names[k]);
        assertThat(one.get(keys[k]).asDouble()).isCloseTo(expected, within(1e-5 * expected));
        assertThat(Double.parseDouble(fields[7 + k])).isEqualTo(one.get(keys[k]).asDouble());
      }
    }
  }

  @Test
  void anova_oneRun_showsItsTermsOrSaysHowToGetThem() {
    fit("run", "gaussian ~ x1 + x2", "--anova", "--robust");
    Command shown = anova("run");
    assertThat(shown.code()).isZero();
    assertThat(shown.out())
        .contains("Null model", "Pr(>F)", "x1 ", "x2 ", "take the model's variance for granted");
    fit("plain", "gaussian ~ x1 + x2");
    Command refused = anova("plain");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("must be fitted with --anova");
  }

  @Test
  void anova_modelsThatCannotBeCompared_areRefusedWithTheReason() throws IOException {
    fit("x1", "count ~ x1", "--family", "poisson");
    fit("x2", "count ~ x2", "--family", "poisson");
    fit("both", "count ~ x1 + x2", "--family", "poisson");
    fit("offset", "count ~ x1 + x2 + offset(log(exposure))", "--family", "poisson");
    fit("weights", "count ~ x1 + x2 + weights(exposure)", "--family", "poisson");
    fit("none", "count ~ x1 - 1", "--family", "poisson");
    fit("gaussian", "count ~ x1 + x2");
    fit("other", "over ~ x1 + x2", "--family", "poisson");
    fit("ridge", "count ~ x1 + x2", "--family", "poisson", "--ridge", "1");
    fit("cluster", "count ~ x1 + x2", "--family", "poisson", "--cluster", "site");
    fit("method", "count ~ x1", "--alpha", "0.001", "--rounds", "1");
    Path fewer = folder.resolve("fewer.csv");
    List<String> rows = Files.readAllLines(oracles().resolve("glm/synthetic.csv"));
    Files.write(fewer, rows.subList(0, rows.size() - 1));
    fit("fewer", "count ~ x1 + x2", "--family", "poisson", "--data", fewer.toString());
    refused("x1", "x2", "must be nested in", "both have the same", "it lacks x1");
    refused("x1", "offset", "one null deviance");
    refused("x1", "weights", "one null deviance");
    refused("none", "both", "both have an intercept or both have none");
    refused("x1", "gaussian", "must be of one family; got poisson with log link and gaussian");
    refused("x1", "other", "must have one response; got count and over");
    refused("x1", "ridge", "without --ridge");
    refused("x1", "cluster", "without --cluster");
    refused("x1", "method", "must be from a pooled fit");
    refused("x1", "fewer", "648 rows and 647 rows");
    refused("both", "both", "both have the same");
    refused("x1", "absent", "does not exist");
    assertThat(Command.run("anova").err()).contains("at least one run folder must be given");
    // Three models, the dispersion that of the largest.
    fit("null", "count ~ 1", "--family", "poisson");
    assertThat(anova("both", "null", "x1").out())
        .contains("Model 1: count ~ 1 ", "Model 3: count ~ x1 + x2 ", "Pr(>Chi)");
  }

  /** One of the last words is in the message. */
  private void refused(String first, String second, String... words) {
    Command command = anova(first, second);
    assertThat(command.code()).as(second).isEqualTo(2);
    assertThat(command.err()).containsAnyOf(words);
    assertThat(command.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--exponentiate | --exponentiate: works only with a pooled fit with a logit or log link",
        "--exponentiate --family binomial --link probit | logit or log link",
        "--anova --ridge 1 | --anova: works only with a pooled fit with Newton steps, without"
            + " --ridge",
        "--anova --cluster site | without --ridge and --cluster",
        "--anova --alpha 0.1 --rounds 3 | --anova: works only with a pooled fit"
      })
  void fit_optionsThatDoNotApply_areRefused(String words, String message) {
    Command command =
        Command.line(
            "fit --data %s --response binary --features x1 --clients 4 --network central %s"
                .formatted(oracles().resolve("glm/synthetic.csv"), words));
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err()).contains(message);
  }

  /**
   * R's survival: anova(coxph(Surv(t, status == 2) ~ age), coxph(… ~ age + factor(sex))) with times
   * rounded up to the grid.
   */
  @Test
  void nestedCoxModels_areTestedByTheirPartialLikelihoods() {
    for (String formula : List.of("age", "age + factor(sex)")) {
      Command done =
          Command.run(
              "fit",
              "--data",
              oracles().resolve("survival/lung.csv").toString(),
              "--partition",
              "column:hospital",
              "--network",
              "complete",
              "--times",
              "60,120,180,240,300,365,450,540,730,1100",
              "--formula",
              "Surv(time, status = 2) ~ " + formula,
              "--out",
              folder.resolve(formula.equals("age") ? "age" : "both").toString());
      assertThat(done.code()).as(done.err()).isZero();
    }
    JsonNode second =
        Command.run(
                "anova",
                folder.resolve("age").toString(),
                folder.resolve("both").toString(),
                "--format",
                "json")
            .json()
            .at("/models/1");
    assertThat(second.get("deviance").asDouble()).isCloseTo(11.2682169802583, within(1e-7));
    assertThat(second.get("pValue").asDouble()).isCloseTo(0.000788454235316911, within(1e-10));
  }
}
