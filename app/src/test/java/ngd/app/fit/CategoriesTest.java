package ngd.app.fit;

import static ngd.app.fit.OracleFits.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Responses with more than two levels by sums, on real data in unequal sites. Oracle:
 * nnet::multinom, and MASS::polr with ordinal::clm, on the pooled rows
 * (oracles/categories_oracle.R).
 */
class CategoriesTest {
  private static final Path ORACLES = Path.of("../oracles/categories");
  private static final OracleFits FITS = new OracleFits(ORACLES);
  private static final Map<String, Map<String, Double>> R = new LinkedHashMap<>();
  private static final String WEIGHTS = "very low<low<middle<high";

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    R.putAll(FITS.numbers("r.csv"));
  }

  private static void same(double found, double expected, double share, String what) {
    assertThat(found).as(what).isCloseTo(expected, within(share * (1e-3 + Math.abs(expected))));
  }

  /** Every number that R says of a case, in R's order. */
  private static void holds(JsonNode found, String name) {
    Map<String, Double> errors = R.get(name + " se");
    List<String> order = List.copyOf(errors.keySet());
    JsonNode lines = found.get("coefficients");
    assertThat(lines.size()).as(name).isEqualTo(order.size());
    for (int j = 0; j < order.size(); j++) {
      JsonNode line = lines.get(j);
      assertThat(line.get("term").asString()).isEqualTo(plain(order.get(j)));
      double error = errors.get(order.get(j));
      assertThat(line.get("estimate").asDouble())
          .as("%s %s", name, order.get(j))
          .isCloseTo(R.get(name + " coef").get(order.get(j)), within(1e-6 * error));
      same(line.get("stdError").asDouble(), error, 1e-6, name + " se " + order.get(j));
      for (int k = 0; k < j; k++) {
        double other = errors.get(order.get(k));
        assertThat(found.get("vcov").get(j).get(k).asDouble())
            .as("%s %s and %s", name, order.get(j), order.get(k))
            .isCloseTo(
                R.get(name + " vcov").get(order.get(j) + " " + order.get(k)),
                within(2e-6 * error * other));
      }
    }
    same(found.get("deviance").asDouble(), R.get(name + " deviance").get("value"), 1e-10, name);
    same(found.get("aic").asDouble(), R.get(name + " aic").get("value"), 1e-10, name);
    same(
        found.get("logLikelihood").asDouble(),
        -R.get(name + " deviance").get("value") / 2,
        1e-10,
        name);
    assertThat(found.get("lastSteps").asInt()).as(name + " steps").isLessThanOrEqualTo(12);
  }

  /** The oracle's splines say which package they are of. */
  private static String plain(String term) {
    return term.replace("splines::", "");
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, logit",
    "central, logit",
    "regular:3, logit",
    "circle:1, probit",
    "central, cloglog"
  })
  void housing_ofCountedRows_isPolrs(String network, String link) {
    holds(
        FITS.json(
            "housing",
            "Sat ~ Infl + Type + Cont + weights(Freq)",
            network,
            "--family",
            "ordered",
            "--order",
            "Low<Medium<High",
            "--link",
            link),
        "housing-" + link);
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, logit, wine-logit, rating ~ temp + contact",
    "central, probit, wine-probit, rating ~ temp + contact",
    "regular:3, cloglog, wine-cloglog, factor(rating) ~ temp + contact - 1",
    "circle:1, logit, wine-interaction, rating ~ temp * contact"
  })
  void wine_ofNumbers_isPolrsInTheOrderOfTheNumbers(
      String network, String link, String name, String formula) {
    holds(FITS.json("wine", formula, network, "--family", "ordered", "--link", link), name);
  }

  @ParameterizedTest
  @CsvSource({
    "births, logit, weight ~ age + lwt + smoke + factor(race)",
    "births-weights, probit, weight ~ age + lwt + smoke + offset(o) + weights(w)",
    "births-spline, logit, 'weight ~ ns(age, knots = 23, Boundary.knots = c(14, 36)) + lwt'"
  })
  void births_withOffsetsWeightsAndSplines_arePolrs(String name, String link, String formula) {
    holds(
        FITS.json(
            "births",
            formula,
            "circle:1",
            "--family",
            "ordered",
            "--order",
            WEIGHTS,
            "--link",
            link),
        name);
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, births, race, race ~ age + lwt + smoke",
    "central, births, race-weights, race ~ age + log(lwt) + factor(smoke) + weights(w)",
    "circle:1, births, race-relevel, 'relevel(race, ref = 3) ~ age + smoke'",
    "central, births, race-relevel, 'factor(race, ref = 3) ~ age + smoke'",
    "circle:1, births, race-through, race ~ 0 + lwt + smoke",
    "circle:1, housing, housing-multinomial, Sat ~ Infl + Type + Cont + weights(Freq)",
    "regular:3, housing, housing-multinomial, Sat ~ Infl + Type + Cont + weights(Freq)",
    "central, students, students, exercise ~ sex + pulse + age"
  })
  void baselineLogits_areMultinoms(String network, String data, String name, String formula) {
    holds(FITS.json(data, formula, network, "--family", "multinomial"), name);
  }

  @Test
  void order_choosesTheBaseline_andAlsoThresholds() {
    holds(
        FITS.json(
            "students",
            "exercise ~ sex + pulse",
            "circle:1",
            "--family",
            "multinomial",
            "--order",
            "None < Some < Freq"),
        "students-order");
    holds(
        FITS.json(
            "students",
            "exercise ~ sex + pulse + smoke",
            "central",
            "--family",
            "ordered",
            "--order",
            "None<Some<Freq"),
        "students-ordered");
  }

  @Test
  void dictionary_statesTheOrderToo() throws IOException {
    Path dictionary =
        Files.writeString(
            folder.resolve("dictionary.yaml"),
            """
            exercise: {type: text, levels: [None, Some, Freq]}
            sex: {type: text}
            pulse: {type: number}
            smoke: {type: text}
            """);
    Command run =
        FITS.sites(
            List.of("h1", "h2", "h3"),
            "students",
            "exercise ~ sex + pulse + smoke",
            "--family",
            "ordered",
            "--dictionary",
            dictionary.toString(),
            "--format",
            "json");
    assertThat(run.code()).as(run.err()).isZero();
    holds(run.json(), "students-ordered");
  }

  @Test
  void anova_ofTerms_isLikelihoodRatios() {
    terms(
        FITS.json(
            "births", "race ~ age + lwt + smoke", "circle:1", "--family", "multinomial", "--anova"),
        "race-anova");
    terms(
        FITS.json(
            "births",
            "weight ~ age + factor(race) + lwt",
            "circle:1",
            "--family",
            "ordered",
            "--order",
            WEIGHTS,
            "--anova"),
        "births-anova");
  }

  private static void terms(JsonNode found, String name) {
    Map<String, Double> expected = R.get(name + " chisq");
    assertThat(found.get("anova").get("terms").size()).isEqualTo(expected.size());
    for (JsonNode line : found.get("anova").get("terms")) {
      String term = line.get("term").asString();
      same(line.get("statistic").asDouble(), expected.get(term), 1e-8, name + term);
      same(line.get("pValue").asDouble(), R.get(name + " p").get(term), 1e-7, name + term);
    }
    same(found.get("nullDeviance").asDouble(), R.get(name + " null").get("value"), 1e-10, name);
  }

  @Test
  void anova_ofRuns_andTestsOfEquations_areRs() {
    String large = folder.resolve("large").toString();
    String small = folder.resolve("small").toString();
    Command fitted =
        FITS.ngd(
            "births",
            "race ~ age + lwt + smoke",
            "circle:1",
            "--family",
            "multinomial",
            "--test",
            "2:age = 0; 3:age = 0",
            "--out",
            large);
    assertThat(fitted.code()).as(fitted.err()).isZero();
    assertThat(
            FITS.ngd(
                    "births",
                    "race ~ lwt + smoke",
                    "central",
                    "--family",
                    "multinomial",
                    "--out",
                    small)
                .code())
        .isZero();
    Command run = Command.run("anova", small, large, "--format", "json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode second = run.json().get("models").get(1);
    double ratio = R.get("race-test lr").get("value");
    same(second.get("statistic").asDouble(), ratio, 1e-8, "models");
    assertThat(second.get("df").asInt()).isEqualTo(2);
    JsonNode test =
        FITS.json(
                "births",
                "race ~ age + lwt + smoke",
                "circle:1",
                "--family",
                "multinomial",
                "--test",
                "2:age = 0; 3:age = 0")
            .get("tests")
            .get(0);
    same(test.get("likelihoodRatio").get("statistic").asDouble(), ratio, 1e-7, "ratio");
    same(
        test.get("wald").get("statistic").asDouble(),
        R.get("race-test wald").get("value"),
        1e-6,
        "wald");
    JsonNode ordered =
        FITS.json(
                "births",
                "weight ~ age + lwt",
                "circle:1",
                "--family",
                "ordered",
                "--order",
                WEIGHTS,
                "--test",
                "age = lwt")
            .get("tests")
            .get(0);
    same(
        ordered.get("likelihoodRatio").get("statistic").asDouble(),
        R.get("births-test lr").get("value"),
        1e-6,
        "ordered ratio");
    same(
        ordered.get("wald").get("statistic").asDouble(),
        R.get("births-test wald").get("value"),
        1e-6,
        "ordered wald");
  }

  @ParameterizedTest
  @CsvSource({
    "housing-logit, housing, Sat ~ Infl + Type + Cont + weights(Freq), Low<Medium<High,"
        + " '1,20,50,70'",
    "housing-probit, housing, Sat ~ Infl + Type + Cont + weights(Freq), Low<Medium<High,"
        + " '1,20,50,70'",
    "housing-cloglog, housing, Sat ~ Infl + Type + Cont + weights(Freq), Low<Medium<High,"
        + " '1,20,50,70'",
    "students, students, exercise ~ sex + pulse + age, , '1,40,100'",
    "housing-multinomial, housing, Sat ~ Infl + Type + Cont + weights(Freq), , '1,20,50,70'",
    "births, births, weight ~ age + lwt + smoke + factor(race), very low<low<middle<high,"
        + " '3,60,120,188'",
    "race, births, race ~ age + lwt + smoke, , '3,60,120,188'"
  })
  void predictions_areClassesAndTheirProbabilities(
      String name, String data, String formula, String order, String rows) throws IOException {
    String out = folder.resolve("run").toString();
    Command fitted =
        order == null
            ? FITS.ngd(data, formula, "circle:1", "--out", out, "--family", "multinomial")
            : FITS.ngd(
                data,
                formula,
                "circle:1",
                "--out",
                out,
                "--family",
                "ordered",
                "--order",
                order,
                "--link",
                name.endsWith("probit")
                    ? "probit"
                    : name.endsWith("cloglog") ? "cloglog" : "logit");
    assertThat(fitted.code()).as(fitted.err()).isZero();
    Command run =
        Command.run("predict", "--model", out, "--data", ORACLES.resolve(data + ".csv").toString());
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    String[] head = lines.getFirst().split(",", -1);
    String[] chosen = rows.split(",", -1);
    for (int i = 0; i < chosen.length; i++) {
      String[] fields = lines.get(Integer.parseInt(chosen[i])).split(",", -1);
      assertThat(head.length).isEqualTo(fields.length);
      double most = 0;
      for (int k = 2; k < fields.length; k++) {
        String level = head[k].substring(2, head[k].length() - 1);
        double share = Double.parseDouble(fields[k]);
        assertThat(share)
            .as("%s, row %s, %s", name, chosen[i], level)
            .isCloseTo(R.get(name + " prob").get((i + 1) + " " + level), within(2e-6));
        most = Math.max(most, share);
      }
      int likely = R.get(name + " class").get(Integer.toString(i + 1)).intValue();
      assertThat(Double.parseDouble(fields[1 + likely])).isEqualTo(most);
      assertThat("p(%s)".formatted(fields[1])).isEqualTo(head[1 + likely]);
    }
    refused(
        Command.run(
            "predict",
            "--interval",
            "--model",
            out,
            "--data",
            ORACLES.resolve(data + ".csv").toString()),
        "--interval: does not work");
  }

  @Test
  void table_andReport_nameLevelsAndThresholds() throws IOException {
    Path out = folder.resolve("run");
    Command run =
        FITS.ngd(
            "births",
            "weight ~ age + smoke",
            "circle:1",
            "--family",
            "ordered",
            "--order",
            WEIGHTS,
            "--exponentiate",
            "--out",
            out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "ordered regression with logit link",
            "very low|low",
            "Levels: very low < low < middle < high",
            "Odds ratio");
    Command report = Command.run("report", out.toString());
    assertThat(report.code()).as(report.err()).isZero();
    String page = Files.readString(out.resolve("report.html"));
    assertThat(page).contains("very low &lt; low &lt; middle &lt; high", "middle|high");
    // The forest plot is of covariates alone.
    Path plot = folder.resolve("forest.svg");
    Command figure = Command.run("plot", out.toString(), "--out", plot.toString());
    assertThat(figure.code()).as(figure.err()).isZero();
    assertThat(Files.readString(plot)).contains("smoke").doesNotContain("middle|high");
    assertThat(Files.readString(out.resolve("coefficients.csv")))
        .contains("odds_ratio", "middle|high,");
  }

  private static Command births(String formula, String family, String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "--family";
    all[1] = family;
    System.arraycopy(more, 0, all, 2, more.length);
    return FITS.ngd("births", formula, "circle:1", all);
  }

  @Test
  void refusals_nameWhatIsWrong() {
    refused(
        births("smoke ~ age", "multinomial"),
        "`smoke`",
        "at least 3 levels",
        "0 and 1",
        "binomial");
    refused(births("weight ~ age", "ordered"), "order of the levels of `weight`", "--order");
    refused(births("weight ~ age", "ordered", "--order", "low<middle<high"), "others: very low");
    refused(births("weight ~ age", "ordered", "--order", WEIGHTS + "<huge"), "none has huge");
    refused(births("race ~ age", "ordered", "--order", "1<2<2"), "once");
    refused(births("race ~ age", "ordered", "--order", "1"), "low<middle<high");
    refused(births("race ~ age", "poisson", "--order", "1<2<3"), "multinomial and ordered");
    refused(births("race ~ age + I(race * 2)", "multinomial"), "separation", "I(race * 2)");
    refused(
        births(
            "weight ~ age + I(weight = 'high')", "ordered", "--order", WEIGHTS, "--link", "probit"),
        "separation",
        "middle|high");
    refused(
        births("race ~ age + weights(I(race < 3) * 1)", "multinomial"),
        "positive weight",
        "none has `3`");
    refused(births("race ~ age", "multinomial", "--algorithm", "pooled-rounds"), "by sums");
    refused(
        births("race ~ age", "ordered", "--algorithm", "ngd", "--alpha", "1", "--rounds", "2"),
        "ordered works only with a pooled fit by sums");
    refused(births("race ~ age", "multinomial", "--robust"), "robust: does not work");
    refused(births("race ~ age", "ordered", "--ridge", "0.1"), "ridge: does not work");
    refused(births("race ~ age", "ordered", "--meta"), "meta: does not work");
    refused(births("race ~ age + offset(o)", "multinomial"), "offset(…) does not work");
    refused(births("cbind(race, smoke) ~ age", "multinomial"), "binomial and quasi-binomial");
    refused(births("race ~ age", "multinomial", "--link", "probit"), "must be logit");
    refused(births("race ~ age", "ordered", "--link", "log"), "one of logit, probit, cloglog");
    refused(births("relevel(race, ref = 2) ~ age", "ordered"), "no reference level");
    refused(births("relevel(race, ref = 7) ~ age", "multinomial"), "must be one of its levels");
    refused(births("factor(race) ~ age", "gaussian"), "multinomial and ordered");
    refused(births("poly(race, 2) ~ age", "multinomial"), "on the left of `~`");
    refused(births("race ~ age + (1 | smoke)", "multinomial"), "must be gaussian");
    refused(births("race ~ age + I(2 * age)", "multinomial"), "`I(2 * age)` is redundant");
  }

  @Test
  void rulesOfSites_areOfTheLevelsOfTheResponseToo() {
    Command run = FITS.sites("wine", "rating ~ temp", "--family", "ordered");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err())
        .contains("a real site would refuse this question: site h1: rating = 1 in")
        .contains("(nfilter.tab)");
    assertThat(run.out()).contains("4|5");
  }
}
