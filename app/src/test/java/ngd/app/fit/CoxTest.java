package ngd.app.fit;

import static ngd.app.fit.OracleFits.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Cox models by sums, on real data in unequal sites. Oracle: R's survival on the pooled rows, with
 * times put on the grid by R (oracles/survival_oracle.R).
 */
class CoxTest {
  private static final Path ORACLES = Path.of("../oracles/survival");
  private static final OracleFits FITS = new OracleFits(ORACLES);
  private static final Map<String, Map<String, Double>> R = new LinkedHashMap<>();
  private static final String LUNG = "Surv(time, status = 2) ~ age + sex + ecog";
  private static final String LUNG_TIMES = "60,120,180,240,300,365,450,600,900";

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    R.putAll(FITS.numbers("cox.csv"));
  }

  private static void same(double found, double expected, double share, String what) {
    assertThat(found).as(what).isCloseTo(expected, within(share * (1e-3 + Math.abs(expected))));
  }

  /** Every number that R says of a case. */
  private static void holds(JsonNode found, String name) {
    JsonNode cox = found.get("cox");
    Map<String, Double> errors = R.get(name + " se");
    assertThat(found.get("coefficients").size()).isEqualTo(errors.size());
    for (JsonNode line : found.get("coefficients")) {
      String term = line.get("term").asString();
      double error = errors.get(term);
      assertThat(line.get("estimate").asDouble())
          .as("%s %s", name, term)
          .isCloseTo(R.get(name + " coef").get(term), within(1e-6 * error));
      same(line.get("stdError").asDouble(), error, 1e-7, name + " se " + term);
    }
    Map<String, Double> tests = R.get(name + " test");
    same(cox.get("likelihoodRatio").get("statistic").asDouble(), tests.get("lr"), 1e-7, "lr");
    same(cox.get("score").get("statistic").asDouble(), tests.get("score"), 1e-7, "score");
    same(cox.get("wald").get("statistic").asDouble(), tests.get("wald"), 1e-6, "wald");
    Map<String, Double> logs = R.get(name + " loglik");
    same(found.get("logLikelihood").asDouble(), logs.get("fit"), 1e-10, "log-likelihood");
    same(found.get("aic").asDouble(), R.get(name + " aic").get("aic"), 1e-10, "AIC");
    same(
        cox.get("concordance").asDouble(),
        R.get(name + " concordance").get("within"),
        1e-10,
        name + " concordance");
    assertThat(cox.get("events").asDouble()).isEqualTo(R.get(name + " events").get("n"));
  }

  private static void robust(JsonNode found, String name, String what, double factor) {
    for (JsonNode line : found.get("coefficients")) {
      String term = line.get("term").asString();
      same(
          line.get("stdError").asDouble(),
          factor * R.get(name + " " + what).get(term),
          1e-6,
          name + " " + what + " " + term);
    }
  }

  private static void zph(JsonNode found, String name, String transform) {
    Map<String, Double> expected = R.get(name + " zph-" + transform);
    JsonNode terms = found.get("cox").get("zph").get("terms");
    assertThat(terms.size()).isEqualTo(expected.size());
    for (JsonNode line : terms) {
      same(
          line.get("statistic").asDouble(),
          expected.get(line.get("term").asString()),
          1e-6,
          name + " zph " + line.get("term"));
    }
  }

  /** Oracle: the likelihoods of both models, which R's are held against below. */
  @Test
  void test_ofACoefficient_isTheLikelihoodRatioOfTheModelWithoutIt() {
    String formula = "Surv(time, status = 2) ~ age + sex + strata(site)";
    JsonNode large = FITS.json("lung", formula, "complete", "--test", "age = 0");
    double without =
        FITS.json("lung", formula.replace("age + ", ""), "complete")
            .get("logLikelihood")
            .asDouble();
    assertThat(large.at("/tests/0/likelihoodRatio/statistic").asDouble())
        .isCloseTo(2 * (large.get("logLikelihood").asDouble() - without), within(1e-8));
  }

  @ParameterizedTest
  @CsvSource({"efron, circle:1", "breslow, central", "efron, regular:3"})
  void strataOfSites_lung_areRs(String ties, String network) {
    String formula = LUNG + " + strata(site)";
    String name = "lung-site-" + ties;
    JsonNode found = FITS.json("lung", formula, network, "--ties", ties, "--zph=identity");
    holds(found, name);
    zph(found, name, "identity");
    JsonNode robust = FITS.json("lung", formula, network, "--ties", ties, "--robust", "--zph=log");
    robust(robust, name, "robust", 1);
    zph(robust, name, "log");
    robust(
        FITS.json("lung", formula, network, "--ties", ties, "--cluster", "site"),
        name,
        "cluster",
        Math.sqrt(4.0 / 3));
    String more = formula + " + weights(w) + offset(z)";
    String weighted = "lung-site-weights-" + ties;
    holds(FITS.json("lung", more, network, "--ties", ties), weighted);
    robust(FITS.json("lung", more, network, "--ties", ties, "--robust"), weighted, "robust", 1);
    holds(
        FITS.json(
            "lung",
            "Surv(time, status = 2) ~ age + ecog + strata(site, sex)",
            network,
            "--ties",
            ties),
        "lung-site-sex-" + ties);
  }

  /** The column that says which site has a row may have any name. */
  @Test
  void strataOfSites_cutByAColumnNamedSite_areTheSame() throws IOException {
    String formula = LUNG + " + strata(site)";
    List<String> lines = new ArrayList<>(Files.readAllLines(ORACLES.resolve("lung.csv")));
    lines.set(0, lines.getFirst().replace("hospital", "site"));
    Path table = Files.write(folder.resolve("lung.csv"), lines);
    Command run = OracleFits.fit(table, "site", formula, "circle:1", "--format", "json");
    assertThat(run.code()).as(run.err()).isZero();
    holds(run.json(), "lung-site-efron");
    // Sites that have such a column of their own are told what it means.
    Command sites =
        Command.run(
            "fit",
            "--formula",
            formula,
            "--network",
            "complete",
            "--site",
            "a=" + table,
            "--site",
            "b=" + table);
    assertThat(sites.code()).as(sites.err()).isZero();
    assertThat(sites.out() + sites.err())
        .contains("strata(site) is the column `site` of the tables");
  }

  @ParameterizedTest
  @CsvSource({"efron, regular:3", "breslow, circle:1", "efron, central"})
  void strataOfSites_factorsAndLateEntries_areRs(String ties, String network) {
    String celltype = "Surv(time, status) ~ trt + celltype + karno + strata(site)";
    JsonNode veteran = FITS.json("veteran", celltype, network, "--ties", ties, "--zph=identity");
    holds(veteran, "veteran-site-" + ties);
    zph(veteran, "veteran-site-" + ties, "identity");
    robust(
        FITS.json("veteran", celltype, network, "--ties", ties, "--robust"),
        "veteran-site-" + ties,
        "robust",
        1);
    String weighted = "Surv(time, status) ~ trt + karno + strata(site) + weights(w) + offset(z)";
    holds(FITS.json("veteran", weighted, network, "--ties", ties), "veteran-site-weights-" + ties);
    JsonNode clustered =
        FITS.json("veteran", weighted, network, "--ties", ties, "--cluster", "site");
    robust(clustered, "veteran-site-weights-" + ties, "cluster", Math.sqrt(4.0 / 3));
    // One hospital alone has both treatments, so its score is 0 and the covariance of rank 1.
    assertThat(clustered.get("cox").get("wald").isNull()).isTrue();
    Command printed = FITS.ngd("veteran", weighted, network, "--cluster", "site");
    assertThat(printed.code()).as(printed.err()).isZero();
    assertThat(printed.out()).contains("Wald test: none, the covariance");
    String heart = "Surv(start, stop, event) ~ age + surgery + transplant + strata(site)";
    holds(FITS.json("heart", heart, network, "--ties", ties), "heart-site-" + ties);
    robust(
        FITS.json("heart", heart, network, "--ties", ties, "--robust"),
        "heart-site-" + ties,
        "robust",
        1);
  }

  @ParameterizedTest
  @CsvSource({"efron, circle:1", "breslow, central", "efron, regular:3"})
  void pooledRiskSets_onAGrid_areRs(String ties, String network) throws IOException {
    String name = "lung-grid-" + ties;
    Path out = folder.resolve("lung");
    JsonNode found =
        FITS.json(
            "lung",
            LUNG,
            network,
            "--ties",
            ties,
            "--times",
            LUNG_TIMES,
            "--zph",
            "--out",
            out + "");
    holds(found, name);
    zph(found, name, "km");
    hazard(out, name);
    JsonNode robust =
        FITS.json(
            "lung", LUNG, network, "--ties", ties, "--times", LUNG_TIMES, "--robust", "--zph=log");
    robust(robust, name, "robust", 1);
    zph(robust, name, "log");
    robust(
        FITS.json(
            "lung", LUNG, network, "--ties", ties, "--times", LUNG_TIMES, "--cluster", "site"),
        name,
        "cluster",
        Math.sqrt(4.0 / 3));
    Path strata = folder.resolve("strata");
    String weighted = "Surv(time, status = 2) ~ age + ecog + strata(sex) + weights(w) + offset(z)";
    holds(
        FITS.json(
            "lung", weighted, network, "--ties", ties, "--times", LUNG_TIMES, "--out", strata + ""),
        "lung-grid-weights-" + ties);
    hazard(strata, "lung-grid-weights-" + ties);
  }

  @ParameterizedTest
  @CsvSource({"efron, regular:3", "breslow, circle:1", "efron, central"})
  void pooledRiskSets_factorsAndLateEntries_areRs(String ties, String network) throws IOException {
    JsonNode veteran =
        FITS.json(
            "veteran",
            "Surv(time, status) ~ trt + celltype + karno",
            network,
            "--ties",
            ties,
            "--times",
            "10,20,30,50,80,100,150,200,300,1000",
            "--zph");
    holds(veteran, "veteran-grid-" + ties);
    zph(veteran, "veteran-grid-" + ties, "km");
    String heart = "Surv(start, stop, event) ~ age + surgery + transplant";
    String times = "10,20,30,40,60,80,100,150,200,300,500,1000,2000";
    Path out = folder.resolve("heart");
    holds(
        FITS.json("heart", heart, network, "--ties", ties, "--times", times, "--out", out + ""),
        "heart-grid-" + ties);
    hazard(out, "heart-grid-" + ties);
    robust(
        FITS.json("heart", heart, network, "--ties", ties, "--times", times, "--robust"),
        "heart-grid-" + ties,
        "robust",
        1);
  }

  /** The baseline hazard where R has one. */
  private static void hazard(Path out, String name) throws IOException {
    Map<String, Double> found = new LinkedHashMap<>();
    for (String line : Files.readAllLines(out.resolve("baseline.csv"))) {
      String[] fields = line.split(",", -1);
      if (!fields[0].equals("stratum")) {
        String time = fields[1].replaceFirst("\\.0$", "");
        found.put(fields[0] + "@" + time, Double.parseDouble(fields[4]));
      }
    }
    R.get(name + " hazard").forEach((at, expected) -> same(found.get(at), expected, 1e-7, at));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lung-site-efron | lung | Surv(time, status = 2) ~ age + sex + ecog + strata(site) |",
        "lung-grid-efron | lung | Surv(time, status = 2) ~ age + sex + ecog | " + LUNG_TIMES,
        "veteran-site-efron | veteran | Surv(time, status) ~ trt + celltype + karno + strata(site) |"
      })
  void predict_linearPredictorAndHazardRatio_areRs(
      String name, String data, String formula, String times) {
    Path out = folder.resolve("model");
    List<String> more = new ArrayList<>(List.of("--out", out.toString()));
    if (times != null) {
      more.addAll(List.of("--times", times));
    }
    FITS.json(data, formula, "circle:1", more.toArray(String[]::new));
    String rows = ORACLES.resolve(data + ".csv").toString();
    List<String> links =
        Command.run("predict", "--model", out.toString(), "--data", rows, "--type", "link")
            .out()
            .lines()
            .toList();
    List<String> ratios =
        Command.run("predict", "--model", out.toString(), "--data", rows).out().lines().toList();
    Map<String, Double> expected = R.get(name + " lp");
    assertThat(links).hasSize(1 + expected.size());
    expected.forEach(
        (row, value) -> {
          int line = Integer.parseInt(row);
          // A millionth of the predictor's standard error, which is above 0.1 on these rows.
          assertThat(number(links.get(line))).as(row).isCloseTo(value, within(1e-7));
          assertThat(number(ratios.get(line)) / Math.exp(value)).as(row).isCloseTo(1, within(1e-7));
        });
  }

  private static double number(String line) {
    return Double.parseDouble(line.split(",", -1)[1]);
  }

  @Test
  void grid_notGiven_leavesEverySiteNoneOrEnoughAndSaysIt() throws IOException {
    JsonNode found =
        FITS.json("mgus", "Surv(futime, death) ~ age + sex", "circle:1", "--ties", "breslow");
    List<Double> times = new ArrayList<>(List.of(0.0));
    found.get("cox").get("times").forEach(time -> times.add(time.asDouble()));
    assertThat(times.size()).isGreaterThan(7);
    for (int k = 1; k < times.size(); k++) {
      Map<String, Integer> events = new LinkedHashMap<>();
      Map<String, Integer> leaving = new LinkedHashMap<>();
      List<String> lines = Files.readAllLines(ORACLES.resolve("mgus.csv"));
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",", -1);
        double time = Double.parseDouble(fields[0]);
        if (time > times.get(k - 1) && time <= times.get(k)) {
          leaving.merge(fields[4], 1, Integer::sum);
          events.merge(fields[4] + " " + fields[1], 1, Integer::sum);
        }
      }
      assertThat(events.values()).allMatch(count -> count >= 3);
      assertThat(leaving.values()).allMatch(count -> count >= 3);
    }
    assertThat(FITS.ngd("mgus", "Surv(futime, death) ~ age", "circle:1").out())
        .contains("risk sets pooled at %d times".formatted(times.size() - 1));
  }

  @ParameterizedTest
  @CsvSource({
    "lung, complete, uniform",
    "lung, circle:1, lazy:0.5",
    "lung, central, metropolis",
    "heart, regular:3, uniform",
    "heart, circle:1, lazy:0.5",
    "heart, central, metropolis"
  })
  void rounds_stratifiedByClient_comeToThePooledEstimate(
      String data, String network, String weights) {
    List<String> terms =
        data.equals("lung")
            ? List.of("age", "sex", "ecog")
            : List.of("age", "surgery", "transplant");
    String response = data.equals("lung") ? "Surv(time, status = 2)" : "Surv(start, stop, event)";
    JsonNode found =
        FITS.json(
            data,
            "%s ~ I(age/10) + %s + %s + strata(site)"
                .formatted(response, terms.get(1), terms.get(2)),
            network,
            "--weights",
            weights,
            "--algorithm",
            "diging",
            "--alpha",
            "auto",
            "--rounds",
            "4000");
    for (int j = 0; j < terms.size(); j++) {
      double expected = (j == 0 ? 10 : 1) * R.get(data + "-site-efron coef").get(terms.get(j));
      JsonNode line = found.get("coefficients").get(j);
      same(line.get("estimate").asDouble(), expected, 1e-8, "estimate");
      same(line.get("globalEstimate").asDouble(), expected, 1e-8, "global estimate");
    }
  }

  @Test
  void check_stratifiedByClient_judgesTheStepSize() {
    Command run =
        Command.run(
            "check",
            "--formula",
            "Surv(time, status = 2) ~ I(age/10) + sex + ecog + strata(site)",
            "--data",
            ORACLES.resolve("lung.csv").toString(),
            "--partition",
            "column:hospital",
            "--network",
            "complete",
            "--alpha",
            "0.05");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("cox model", "It converges.");
  }

  @Test
  void times_finerThanASiteAllows_areNamed() {
    Command run = FITS.sites("lung", LUNG, "--times", "10,20,2000");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out() + run.err())
        .contains(
            "a real site would refuse this question: site h1: 1 row with an event between the times"
                + " 0 and 10",
            "nfilter.tab",
            "take fewer times");
  }

  private Command of(String rows, String formula, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), "s,start,time,event,x,g\n" + rows);
    return OracleFits.fit(file, "s", formula, "complete", more);
  }

  /** Two sites of four rows: site, start, time, event, a number and a group. */
  static final String ROWS =
      """
      a,0,1,1,1,u
      a,0,2,1,1,u
      a,0,3,0,0,u
      a,0,4,1,0,u
      b,0,1,1,1,v
      b,0,2,1,1,v
      b,0,3,0,0,v
      b,0,5,0,0,v
      """;

  @Test
  void refusals_nameWhatIsWrong() throws IOException {
    String strata = " + strata(site)";
    String cox = "Surv(time, event) ~ x" + strata;
    refused(of(ROWS, cox), "monotone likelihood", "`x`", "+∞");
    refused(of(ROWS, "Surv(time, event = 9) ~ x" + strata), "must be 1 in at least one row");
    refused(of(ROWS + "a,0,-2,1,1,u\n", cox), "site a, complete row 5", "negative", "-2");
    refused(
        of(ROWS + "b,3,3,1,1,v\n", "Surv(start, time, event) ~ x" + strata),
        "stop must be later than start");
    refused(of(ROWS.replace(",1,1,u", ",2,1,u"), cox), "must be 0 or 1", "status = 2");
    refused(of(ROWS, "Surv(time, event) ~ g" + strata), "`gv`", "at risk together");
    refused(of(ROWS, cox, "--family", "poisson"), "must be cox", "poisson");
    refused(of(ROWS, "event ~ x", "--family", "cox"), "Surv(time, event)");
    refused(of(ROWS, "event ~ x + strata(g)"), "`strata` needs");
    refused(of(ROWS, "Surv(time) ~ x"), "`Surv` takes 2 arguments");
    refused(of(ROWS, cox, "--times", "1,2"), "no strata(site)");
    refused(of(ROWS, "Surv(time, event) ~ x", "--times", "2,1"), "rising");
    refused(
        FITS.ngd("lung", LUNG + strata, "circle:1", "--zph"), "identity or log with strata(site)");
    refused(of(ROWS, cox, "--ridge", "1"), "without a penalty");
    refused(FITS.ngd("lung", LUNG + strata, "circle:1", "--heterogeneity"), "cox family");
    refused(
        of(ROWS, "Surv(time, event) ~ x", "--algorithm", "ngd", "--alpha", "0.1", "--rounds", "5"),
        "strata(site)");
    refused(
        of(ROWS, cox, "--algorithm", "ngd", "--alpha", "0.1", "--rounds", "5", "--batch", "2"),
        "risk sets");
  }

  /**
   * What a column that is the same within strata has of information is rounding, of either sign.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x + k + strata(site,k) | `k",
        "x*k + strata(site,k) | `k",
        "x + s + strata(site) | `s"
      })
  void columnsThatStrataHold_areRefused(String terms, String named) throws IOException {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      StringBuilder rows = new StringBuilder("s,start,time,event,x,k,w\n");
      for (int i = 0; i < 240; i++) {
        rows.append(
            "%s,0,%d,%d,%s,%s,%s\n"
                .formatted(
                    List.of("a", "b", "c").get(i % 3),
                    1 + random.nextInt(30),
                    random.nextInt(2),
                    (random.nextInt(200) - 99) / 50.0,
                    List.of("hi", "lo", "mid").get(random.nextInt(3)),
                    (1 + random.nextInt(4)) * 0.37));
      }
      Path file = Files.writeString(folder.resolve("held.csv"), rows);
      for (String ties : List.of("efron", "breslow")) {
        refused(
            OracleFits.fit(
                file,
                "s",
                "Surv(time, event) ~ " + terms + " + weights(w)",
                "complete",
                "--ties",
                ties),
            named,
            "at risk together");
      }
    }
  }
}
