package ngd.app.fit;

import static ngd.app.fit.OracleFits.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Meta-analysis of the sites' own estimates. Oracle: metafor::rma of glm() fits, site by site
 * (oracles/meta_oracle.R).
 */
class MetaTest {
  @TempDir Path folder;

  private static Command ngd(String data, String formula, String... more) {
    return on("complete", data, formula, more);
  }

  private static Command on(String network, String data, String formula, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.add("--meta");
    return new OracleFits(Path.of("../oracles"))
        .ngd(data, formula, network, all.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, orthodont, mixed/orthodont, distance ~ age, gaussian",
    "central, orthodont, mixed/orthodont, distance ~ age, gaussian",
    "regular:3, sleep, mixed/sleep, Reaction ~ Days, gaussian",
    "circle:1, mgus, survival/mgus, death ~ age + sex, binomial",
    "central, mgus, survival/mgus, death ~ age + sex, binomial",
    "regular:3, mgus, survival/mgus, death ~ age + sex, binomial"
  })
  void meta_sitesOwnEstimates_isMetafors(
      String network, String name, String data, String formula, String family) throws IOException {
    Map<String, Double> expected = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("../oracles/meta/rma.csv"))) {
      String[] fields = line.split(",", -1);
      if (fields[0].equals(name)) {
        expected.put(
            String.join(" ", fields[1], fields[2], fields[3]), Double.parseDouble(fields[4]));
      }
    }
    Command run = on(network, data, formula, "--family", family, "--format", "json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode meta = run.json().get("meta");
    int seen = 0;
    for (JsonNode term : meta.get("terms")) {
      for (JsonNode line : term.get("methods")) {
        String key = term.get("term").asString() + " " + line.get("method").asString() + " ";
        double error = expected.get(key + "se");
        near(line, "estimate", expected.get(key + "estimate"), 1e-6 * error, key);
        near(line, "stdError", error, 1e-6 * error, key);
        near(line, "statistic", expected.get(key + "statistic"), 1e-5, key);
        near(line, "pValue", expected.get(key + "p"), 1e-6, key);
        near(line, "confLow", expected.get(key + "low"), 1e-5 * error, key);
        near(line, "tau2", expected.get(key + "tau2"), 1e-6 * error * error, key);
        near(line, "i2", expected.get(key + "i2"), 1e-5, key);
        near(line, "h2", expected.get(key + "h2"), 1e-6, key);
        near(term, "q", expected.get(key + "q"), 1e-6, key);
        near(term, "pValue", expected.get(key + "qp"), 1e-6, key);
        seen += 10;
      }
    }
    assertThat(seen).isEqualTo(expected.size());
  }

  private static void near(JsonNode of, String key, double expected, double reach, String what) {
    assertThat(of.get(key).asDouble())
        .as(what + key)
        .isCloseTo(expected, within(reach + 1e-9 * Math.abs(expected)));
  }

  @Test
  void meta_printed_saysHowFarItIsFromThePooledAnswer() throws IOException {
    Path out = folder.resolve("run");
    Command run = ngd("mixed/sleep", "Reaction ~ Days", "--out", out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("Meta-analysis of the own estimates of 4 sites", "REML-HK", "From pooled", " SE");
    assertThat(Files.readAllLines(out.resolve("meta.csv"))).hasSize(1 + 2 * 4);
    Path page = folder.resolve("page.html");
    Command report = Command.run("report", out.toString(), "--out", page.toString());
    assertThat(report.code()).as(report.err()).isZero();
    assertThat(Files.readString(page)).contains("Meta-analysis", "REML-HK");
  }

  @Test
  void meta_sitesWithoutEstimates_areLeftOutOrRefused() {
    refused(
        ngd("mixed/sleep", "Reaction ~ Days + hospital"),
        "at least two sites need an estimate",
        "got 0 of 4");
    refused(
        ngd("survival/lung", "Surv(time, status = 2) ~ age + strata(site)"),
        "generalised linear models");
    refused(
        ngd("mixed/sleep", "Reaction ~ Days + (1 | subject)"),
        "meta: does not work with random terms");
  }
}
