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
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Multiple imputation. Oracle: many imputations of the same rows by mice (oracles/mice_oracle.R),
 * up to Monte Carlo error; Rubin's rules and draws have oracles of their own in core.
 */
class ImputationTest {
  /** More with {@code -Dngd.imputations=200}, which narrows the reach by half. */
  private static final int IMPUTATIONS = Integer.getInteger("ngd.imputations", 8);

  private final OracleFits fits = new OracleFits(Path.of("../oracles/imputation"));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "mar, circle:1, mar, y ~ x + b + g + z, gaussian, ",
    "low, complete, mar, low ~ x + b, binomial, 'g,z,y'",
    "boys, central, boys, hc ~ age + hgt + reg, gaussian, ",
    "air, regular:3, airquality, Ozone ~ Wind + Temp + Solar, gaussian, ",
    "air, circle:1, airquality, Ozone ~ Wind + Temp + Solar, gaussian, "
  })
  void impute_rowsMissingAtRandom_isMiceUpToMonteCarloError(
      String name, String network, String data, String formula, String family, String more)
      throws IOException {
    Map<String, Map<String, Double>> r = fits.numbers("mice.csv");
    List<String> words = new ArrayList<>(List.of("--family", family, "--na", "NA"));
    words.addAll(List.of("--impute", Integer.toString(IMPUTATIONS)));
    if (more != null) {
      words.addAll(List.of("--impute-with", more));
    }
    Path out = folder.resolve("run");
    words.addAll(List.of("--out", out.toString()));
    JsonNode found = fits.json(data, formula, network, words.toArray(String[]::new));
    double theirs = r.get(name + " m").get("m");
    assertThat(found.get("rowsDropped").asLong()).isZero();
    assertThat(found.get("coefficients")).hasSize(r.get(name + " estimate").size());
    for (int j = 0; j < found.get("coefficients").size(); j++) {
      JsonNode line = found.get("coefficients").get(j);
      // Words such as yes are truth values here.
      String term = line.get("term").asString().replace("bTRUE", "byes");
      double between = r.get(name + " b").get(term);
      double within = r.get(name + " ubar").get(term);
      assertThat(line.get("estimate").asDouble())
          .as(term)
          .isCloseTo(
              r.get(name + " estimate").get(term),
              within(4.5 * Math.sqrt(between * (1.0 / IMPUTATIONS + 1 / theirs))));
      JsonNode parts = found.at("/imputation/terms").get(j);
      assertThat(parts.get("within").asDouble()).isCloseTo(within, within(0.15 * within));
      // The ratio of two sample variances: F with these degrees of freedom.
      double reach = 4.5 * Math.sqrt(2.0 / (IMPUTATIONS - 1) + 2 / (theirs - 1));
      assertThat(Math.log(parts.get("between").asDouble() / between)).isBetween(-reach, reach);
    }
    predictions(name, found, out, fits.folder().resolve(data + ".csv"), theirs);
  }

  /**
   * Oracles: R's columns of the model at some rows, with the pooled coefficients, their covariance
   * and the smallest degrees of freedom that the answer has; and the mean of the predictions by
   * mice's imputations, up to Monte Carlo error.
   */
  private void predictions(String name, JsonNode found, Path run, Path table, double theirs)
      throws IOException {
    Map<String, Map<String, Double>> r = fits.numbers("predict.csv");
    Command predicted =
        Command.run(
            "predict", "--model=" + run, "--data=" + table, "--na=NA", "--type=link", "--interval");
    assertThat(predicted.code()).as(predicted.err()).isZero();
    List<String> lines = predicted.out().lines().toList();
    int terms = found.get("coefficients").size();
    double freedom = Double.POSITIVE_INFINITY;
    for (JsonNode part : found.at("/imputation/terms")) {
      freedom = Math.min(freedom, part.get("df").asDouble());
    }
    double critical = TDistribution.of(freedom).inverseSurvivalProbability(0.025);
    Map<String, Double> eta = r.get(name + " eta");
    assertThat(eta).hasSize(8);
    for (String row : eta.keySet()) {
      Map<String, Double> columns = r.get(name + " x" + row);
      assertThat(columns).hasSize(terms);
      List<Double> x = List.copyOf(columns.values());
      double expected = 0;
      double variance = 0;
      for (int j = 0; j < terms; j++) {
        expected += x.get(j) * found.get("coefficients").get(j).get("estimate").asDouble();
        for (int k = 0; k < terms; k++) {
          variance += x.get(j) * x.get(k) * found.get("vcov").get(j).get(k).asDouble();
        }
      }
      double error = Math.sqrt(variance);
      String[] line = lines.get(Integer.parseInt(row)).split(",", -1);
      assertThat(Double.parseDouble(line[1])).isCloseTo(expected, within(1e-9 * error));
      assertThat(Double.parseDouble(line[2]))
          .isCloseTo(expected - critical * error, within(1e-9 * error));
      assertThat(Double.parseDouble(line[3]))
          .isCloseTo(expected + critical * error, within(1e-9 * error));
      double between = r.get(name + " b").get(row);
      assertThat(expected)
          .as("row " + row)
          .isCloseTo(
              eta.get(row), within(4.5 * Math.sqrt(between * (1.0 / IMPUTATIONS + 1 / theirs))));
    }
    for (String row : r.getOrDefault(name + " gap", Map.of()).keySet()) {
      assertThat(lines.get(Integer.parseInt(row))).isEqualTo(row + ",,,");
    }
  }

  /** The seed decides on every draw, the number of threads and the network on none. */
  @Test
  void impute_sameSeed_sameBits() {
    List<String> found = new ArrayList<>();
    for (List<String> way :
        List.of(
            List.of("circle:1", "--seed", "3", "--threads", "1"),
            List.of("complete", "--seed", "3", "--threads", "2"),
            List.of("complete", "--seed", "4"))) {
      List<String> words = new ArrayList<>(way.subList(1, way.size()));
      words.addAll(List.of("--impute", "2", "--impute-iterations", "2", "--na", "NA"));
      found.add(
          fits.json("nhanes2", "chl ~ bmi + age", way.getFirst(), words.toArray(String[]::new))
              .get("coefficients")
              .toString());
    }
    assertThat(found.get(0)).isEqualTo(found.get(1)).isNotEqualTo(found.get(2));
  }

  @Test
  void impute_printedReportedAndPredicted_saysWhatWasMissing() throws IOException {
    Path out = folder.resolve("run");
    Command run =
        fits.ngd(
            "nhanes2",
            "chl ~ bmi + age",
            "complete",
            "--impute",
            "3",
            "--na",
            "NA",
            "--out",
            out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("3 imputations by chained equations, 5 iterations each", "chl in 10 rows")
        .contains("bmi in 9 rows (gaussian)", "fmi", "imputations are few");
    assertThat(Files.readAllLines(out.resolve("imputation.csv"))).hasSize(5);
    Path page = folder.resolve("page.html");
    Command report = Command.run("report", out.toString(), "--out", page.toString());
    assertThat(report.code()).as(report.err()).isZero();
    assertThat(Files.readString(page)).contains("Imputation", "3 imputations by chained equations");
    Path table = Files.writeString(folder.resolve("new.csv"), "bmi,age\n25,20-39\n");
    Command predicted =
        Command.run("predict", "--model", out.toString(), "--data", table.toString(), "--interval");
    assertThat(predicted.code()).as(predicted.err()).isZero();
    refused(Command.run("anova", out.toString(), out.toString()), "without --impute");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "low ~ z|--impute 5|something must be missing",
        "y ~ x|--impute 1|must be at least 2",
        "y ~ x|--impute 5 --missing fail|does not work with --missing fail",
        "y ~ x|--impute 5 --ridge 0.1|does not work with --impute",
        "y ~ x|--impute 5 --test x=0|does not work with --impute",
        "y ~ x|--impute-iterations 3|works only with --impute",
        "y ~ x|--impute-with z|works only with --impute",
        "y ~ x|--impute 5 --impute-with nothing|nothing",
        "y ~ .|--impute 5|without `.`",
        "y ~ z + offset(x)|--impute 5|`x` must not be missing",
        "g ~ x|--impute 5 --family multinomial|generalised linear models",
        "exp(y) ~ x|--impute 5 --family gamma|the response `exp(y)` must not be missing",
        "low ~ x + factor(x)|--impute 5|it is both",
        "y ~ x + I(x * 2)|--impute 5|cannot be imputed from the other variables",
        "y ~ x|--impute 5 --algorithm pooled-rounds|works only with a pooled fit by sums"
      })
  void impute_whatItCannotBe_isRefused(String line) {
    String[] parts = line.split("\\|", -1);
    List<String> words = new ArrayList<>(List.of("--na", "NA"));
    words.addAll(List.of(parts[1].split(" ", -1)));
    refused(fits.ngd("mar", parts[0], "complete", words.toArray(String[]::new)), parts[2]);
  }

  /** A site with few gaps of one kind would show these rows by subtraction. */
  @Test
  void impute_fewGapsAtASite_areWarnedOf() {
    Command run =
        fits.sites("mar", "y ~ g + z", "--impute", "2", "--impute-iterations", "1", "--na", "NA");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).contains("a real site would refuse", "is.na");
  }
}
