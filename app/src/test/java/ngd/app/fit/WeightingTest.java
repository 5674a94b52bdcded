package ngd.app.fit;

import static ngd.app.fit.OracleFits.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Outcomes weighted by the inverse probability of a treatment. Oracle: weighted glm() and its
 * stacked estimating equations, differentiated numerically (oracles/ipw_oracle.R).
 */
class WeightingTest {
  private static final String SMOKING = "smoke ~ age + lwt + race + ht";
  private static final String DRUG = "trt = 2 ~ age + sex + log(bili) + factor(stage)";

  private final OracleFits fits = new OracleFits(Path.of("../oracles/weighting"));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "birthwt-ate, complete, birthwt, bwt ~ smoke, gaussian, --estimand ate",
        "birthwt-ate, circle:1, birthwt, bwt ~ smoke, gaussian, --estimand ate",
        "birthwt-ate, central, birthwt, bwt ~ smoke, gaussian, --estimand ate",
        "birthwt-ate, regular:3, birthwt, bwt ~ smoke, gaussian, --estimand ate",
        "pbc-atc, circle:1, pbc, albumin ~ factor(trt), gaussian, --estimand atc",
        "pbc-atc, regular:3, pbc, albumin ~ factor(trt), gaussian, --estimand atc",
        "birthwt-att, circle:1, birthwt, low ~ smoke + age, binomial, --estimand att",
        "birthwt-stabilised, ring:1, birthwt, ftv ~ smoke + age, poisson, --stabilised",
        "birthwt-overlap, complete, birthwt, bwt ~ smoke * ht, gaussian, --estimand overlap",
        "pbc-atc, circle:2, pbc, albumin ~ factor(trt), gaussian, --estimand atc",
        "pbc-gamma, complete, pbc, protime ~ factor(trt) + age, gamma, --stabilised",
        "pbc-probit, central, pbc, ascites ~ factor(trt), binomial, --link probit --estimand att"
      })
  void treatment_weightedOutcome_isTheStackedEquations(
      String name, String network, String data, String formula, String family, String more)
      throws IOException {
    Map<String, Map<String, Double>> r = fits.numbers("r.csv");
    List<String> words = new ArrayList<>(List.of(more.split(" ", -1)));
    words.addAll(List.of("--family", family));
    words.addAll(List.of("--treatment", data.equals("pbc") ? DRUG : SMOKING));
    JsonNode found = fits.json(data, formula, network, words.toArray(String[]::new));
    Map<String, Double> errors = r.get(name + " se");
    assertThat(found.get("coefficients")).hasSize(errors.size());
    for (JsonNode line : found.get("coefficients")) {
      String term = line.get("term").asString();
      double error = errors.get(term);
      near(line.get("estimate"), r.get(name + " estimate").get(term), 2e-6 * error);
      near(line.get("stdError"), error, 1e-6 * error);
    }
    List<String> terms = new ArrayList<>(errors.keySet());
    r.getOrDefault(name + " cov", Map.of())
        .forEach(
            (pair, value) -> {
              String[] both = pair.split("\\*", -1);
              near(
                  found.get("vcov").get(terms.indexOf(both[0])).get(terms.indexOf(both[1])),
                  value,
                  1e-6 * errors.get(both[0]) * errors.get(both[1]));
            });
    JsonNode weighting = found.get("weighting");
    for (JsonNode line : weighting.get("treatment")) {
      double error = line.get("stdError").asDouble();
      near(
          line.get("estimate"),
          r.get(name + " treatment").get(line.get("term").asString()),
          2e-6 * error);
    }
    for (String group : List.of("treated", "others")) {
      near(weighting.get(group).get("effective"), r.get(name + " effective").get(group), 1e-5);
    }
    assertThat(weighting.get("balance")).hasSize(r.get(name + " before").size());
    for (JsonNode line : weighting.get("balance")) {
      String term = line.get("term").asString();
      near(line.get("difference"), r.get(name + " before").get(term), 1e-9);
      near(line.get("weightedDifference"), r.get(name + " after").get(term), 1e-6);
    }
  }

  private static void near(JsonNode found, double expected, double reach) {
    assertThat(found.asDouble()).isCloseTo(expected, within(reach + 1e-10 * Math.abs(expected)));
  }

  @Test
  void treatment_clusteredBySite_sumsInfluencesOfSites() throws IOException {
    Map<String, Map<String, Double>> r = fits.numbers("r.csv");
    JsonNode found =
        fits.json(
            "birthwt", "bwt ~ smoke", "complete", "--treatment", SMOKING, "--cluster", "site");
    for (JsonNode line : found.get("coefficients")) {
      double error = r.get("birthwt-ate clustered").get(line.get("term").asString());
      near(line.get("stdError"), error, 1e-6 * error);
    }
    assertThat(found.get("covariance").asString())
        .isEqualTo("cluster-robust by site, weights estimated");
  }

  /** Rows are left out where either model lacks something; factors keep the levels of the rest. */
  @Test
  void treatment_missingInEitherModel_leavesRowsOutOfBoth() throws IOException {
    Path table = folder.resolve("gaps.csv");
    Path whole = folder.resolve("whole.csv");
    List<String> lines = Files.readAllLines(Path.of("../oracles/weighting/birthwt.csv"));
    List<String> gaps = new ArrayList<>(lines);
    gaps.add("0,,150,white,1,0,0,0,1,2500,h1");
    gaps.add("0,30,150,white,1,0,0,0,1,,h2");
    Files.write(table, gaps);
    Files.write(whole, lines);
    List<String> found = new ArrayList<>();
    for (Path file : List.of(table, whole)) {
      Command run =
          OracleFits.fit(
              file,
              "hospital",
              "bwt ~ smoke",
              "complete",
              "--treatment",
              SMOKING,
              "--format",
              "json");
      assertThat(run.code()).as(run.err()).isZero();
      found.add(run.json().get("coefficients").toString());
      assertThat(run.json().get("rows").asLong()).isEqualTo(189);
    }
    assertThat(found.get(0)).isEqualTo(found.get(1));
  }

  @Test
  void treatment_printedAndReported_saysBalance() throws IOException {
    Path out = folder.resolve("run");
    Command run =
        fits.ngd(
            "birthwt", "bwt ~ smoke", "complete", "--treatment", SMOKING, "--out", out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("74 treated (as good as 41.22)", "lwt", "+0.287", "weights estimated");
    assertThat(Files.readAllLines(out.resolve("balance.csv"))).hasSize(6);
    Path page = folder.resolve("page.html");
    Command report = Command.run("report", out.toString(), "--out", page.toString());
    assertThat(report.code()).as(report.err()).isZero();
    assertThat(Files.readString(page)).contains("Weights and balance", "as good as 41.22");
    refused(Command.run("anova", out.toString(), out.toString()), "without --treatment");
  }

  /** Oracle: R's coefficients of both models of the response. */
  @ParameterizedTest
  @CsvSource({
    "birthwt-ate, bwt ~ smoke, gaussian, ate",
    "birthwt-att, low ~ smoke + age, binomial, att"
  })
  void predict_weightedOutcome_isOfRsCoefficients(
      String name, String formula, String family, String estimand) throws IOException {
    Map<String, Double> of = fits.numbers("r.csv").get(name + " estimate");
    Path out = folder.resolve("run");
    Command run =
        fits.ngd(
            "birthwt",
            formula,
            "complete",
            "--family",
            family,
            "--treatment",
            SMOKING,
            "--estimand",
            estimand,
            "--out",
            out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    Path rows = Path.of("../oracles/weighting/birthwt.csv");
    Command predicted =
        Command.run("predict", "--model", out.toString(), "--data", rows.toString());
    assertThat(predicted.code()).as(predicted.err()).isZero();
    List<String> data = Files.readAllLines(rows);
    List<String> lines = predicted.out().lines().toList();
    assertThat(lines).hasSameSizeAs(data);
    for (int i = 1; i < lines.size(); i++) {
      String[] row = data.get(i).split(",", -1);
      double eta =
          of.get("(Intercept)")
              + of.get("smoke") * Double.parseDouble(row[4])
              + of.getOrDefault("age", 0.0) * Double.parseDouble(row[1]);
      double expected = family.equals("gaussian") ? eta : 1 / (1 + Math.exp(-eta));
      assertThat(Double.parseDouble(lines.get(i).split(",", -1)[1]))
          .isCloseTo(expected, within(1e-6 * Math.abs(expected)));
    }
  }

  /**
   * What docs/weighting.md says of two predictors with two values: the weights of their four cells
   * are known, so that the treated's sum of weights tells how many are in each. Oracle: the rows.
   */
  @Test
  void balance_ofTwoClassedPredictors_saysTheirCellsAmongTheTreated() throws IOException {
    JsonNode found =
        fits.json(
            "birthwt",
            "bwt ~ smoke",
            "complete",
            "--treatment",
            "smoke ~ I(age < 23) + I(lwt < 121)");
    double[] gamma = new double[3];
    JsonNode weighting = found.get("weighting");
    for (int j = 0; j < gamma.length; j++) {
      gamma[j] = weighting.get("treatment").get(j).get("estimate").asDouble();
    }
    JsonNode treated = weighting.get("treated");
    double n = treated.get("rows").asDouble();
    double young = n * weighting.get("balance").get(0).get("treated").asDouble();
    double light = n * weighting.get("balance").get(1).get("treated").asDouble();
    double none = 1 + Math.exp(-gamma[0]);
    double first = 1 + Math.exp(-gamma[0] - gamma[1]);
    double second = 1 + Math.exp(-gamma[0] - gamma[2]);
    double both = 1 + Math.exp(-gamma[0] - gamma[1] - gamma[2]);
    double said =
        (treated.get("weight").asDouble()
                - first * young
                - second * light
                - none * (n - young - light))
            / (both - first - second + none);
    long counted =
        Files.readAllLines(Path.of("../oracles/weighting/birthwt.csv")).stream()
            .skip(1)
            .map(line -> line.split(",", -1))
            .filter(row -> row[4].equals("1"))
            .filter(row -> Integer.parseInt(row[1]) < 23 && Integer.parseInt(row[2]) < 121)
            .count();
    assertThat(said).isCloseTo((double) counted, within(1e-6));
  }

  @Test
  void treatment_smallCellsAtASite_areWarnedOf() {
    Command run = fits.sites("birthwt", "bwt ~ smoke", "--treatment", "smoke ~ age + ht");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out() + run.err()).contains("a real site would refuse", "ht");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bwt ~ age|smoke ~ age|--level 0.9|must be a predictor of --formula",
        "smoke ~ age|smoke ~ lwt|--level 0.9|must be a predictor of --formula",
        "bwt ~ smoke|smoke ~ .|--level 0.9|its named predictors",
        "bwt ~ smoke|smoke ~|--level 0.9|treatment",
        "bwt ~ smoke + weights(lwt)|smoke ~ age|--level 0.9|without `.`, weights(…)",
        "bwt ~ smoke|smoke ~ age|--estimand atx|must be one of ate, att, atc, overlap",
        "bwt ~ smoke|smoke ~ age|--estimand att --stabilised|--estimand ate",
        "bwt ~ smoke|smoke ~ age|--ridge 0.1|does not work with --treatment",
        "bwt ~ smoke|smoke ~ age|--anova|does not work with --treatment",
        "bwt ~ smoke|smoke ~ age|--meta|does not work with --treatment",
        "bwt ~ smoke|smoke ~ age|--heterogeneity|does not work with --treatment",
        "bwt ~ smoke|smoke ~ age|--algorithm pooled-rounds|works only with a pooled fit by sums",
        "race ~ smoke|smoke ~ age|--family multinomial|generalised linear models",
        "bwt ~ lwt|lwt ~ age|--level 0.9|labels of the binomial family must be 0 or 1"
      })
  void treatment_whatItCannotBe_isRefused(String line) {
    String[] parts = line.split("\\|", -1);
    List<String> words = new ArrayList<>(List.of("--treatment", parts[1]));
    words.addAll(List.of(parts[2].split(" ", -1)));
    refused(fits.ngd("birthwt", parts[0], "complete", words.toArray(String[]::new)), parts[3]);
  }

  @Test
  void estimand_withoutTreatment_isRefused() {
    refused(fits.ngd("birthwt", "bwt ~ smoke", "complete", "--estimand", "att"), "--treatment");
  }
}
