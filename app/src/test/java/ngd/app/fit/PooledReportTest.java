package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What a pooled fit says of its own numbers, printed and as JSON. Oracle: docs/estimates.md, and
 * R's lm and glmnet (oracles).
 */
class PooledReportTest {
  @TempDir private Path folder;

  private static Path data() {
    Path here = Path.of("").toAbsolutePath();
    Path own = here.resolve("oracles/glm");
    Path glm = Files.isDirectory(own) ? own : here.resolveSibling("oracles").resolve("glm");
    return glm.resolve("synthetic.csv");
  }

  private static Command fit(String words) {
    Command command =
        Command.line(
            "fit --data %s --features x1,x2 --network regular:2 %s".formatted(data(), words));
    assertThat(command.code()).as(command.err()).isZero();
    return command;
  }

  @Test
  void fit_clusterRobust_usesTheSitesDegreesOfFreedomAndWarnsOfFewSites() {
    String words = "--response binary --family binomial --partition column:site --cluster site";
    assertThat(fit(words).out())
        .contains("t value")
        .contains("cluster-robust by site, t with 23 degrees of freedom")
        .contains("Note: cluster-robust standard errors need many sites: with 24, fewer than 40");
    JsonNode json = fit(words + " --format json").json();
    assertThat(json.get("statistic").asString()).isEqualTo("t");
    assertThat(json.get("dfStatistic").asDouble()).isEqualTo(23);
    assertThat(json.at("/notes/0").asString()).contains("fewer than 40");
  }

  @Test
  void fit_heterogeneity_saysWhichFormItIs() {
    String words = "--response gaussian --clients 8 --heterogeneity";
    assertThat(fit(words).out())
        .contains("Heterogeneity between sites (model-based): F = ")
        .contains("--robust gives a test that does not");
    JsonNode json = fit(words + " --robust --format json").json();
    assertThat(json.at("/heterogeneity/form").asString()).isEqualTo("robust");
    assertThat(json.at("/heterogeneity/distribution").asString()).isEqualTo("chi-squared");
    assertThat(json.get("notes")).isEmpty();
  }

  @Test
  void fit_gaussian_hasTheRSquaredOfLm() {
    String words = "--response gaussian --clients 8";
    assertThat(fit(words).out()).contains("R²: 0.4803, adjusted R²: 0.4787");
    JsonNode json = fit(words + " --format json").json();
    assertThat(json.get("r2").asDouble()).isCloseTo(0.48028672716158144, within(1e-9));
    assertThat(json.get("adjustedR2").asDouble()).isCloseTo(0.47867521313727623, within(1e-9));
    assertThat(json.get("mcFaddenR2").isNull()).isTrue();
    assertThat(fit("--response count --family poisson --clients 8").out())
        .contains("McFadden R²: ")
        .doesNotContain("adjusted");
  }

  @Test
  void fit_ridge_withholdsStandardErrorsAndSaysWhy() throws IOException {
    String words = "--response binary --family binomial --clients 8 --ridge 0.3";
    assertThat(fit(words).out())
        .contains("withheld: ridge estimates are biased")
        .doesNotContain("Pr(>");
    Path run = folder.resolve("run");
    JsonNode json = fit(words + " --format json --out " + run).json();
    assertThat(json.at("/coefficients/1/estimate").asDouble())
        .isCloseTo(0.2701811174906, within(1e-6));
    assertThat(json.at("/coefficients/1/stdError").isNull()).isTrue();
    assertThat(json.at("/coefficients/1/pValue").isNull()).isTrue();
    assertThat(json.at("/coefficients/1/confLow").isNull()).isTrue();
    assertThat(json.get("vcov").isNull()).isTrue();
    assertThat(json.get("withheld").asString()).contains("biased");
    assertThat(run.resolve("vcov.csv")).doesNotExist();
    assertThat(Files.readAllLines(run.resolve("coefficients.csv")).get(1)).endsWith(",,,,,");
    String predict = "predict --model %s --data %s".formatted(run, data());
    assertThat(Command.line(predict).code()).isZero();
    Command interval = Command.line(predict + " --interval");
    assertThat(interval.code()).isEqualTo(2);
    assertThat(interval.err())
        .contains("--interval: needs the covariance of the coefficients, which the fit withheld");
  }

  @Test
  void fit_responseOfZeros_isFittedAndRefusedWhereItsSquaresAreNoNumbers() throws IOException {
    StringBuilder zeros = new StringBuilder("y,x\n");
    StringBuilder huge = new StringBuilder("y,x\n");
    for (int i = 0; i < 40; i++) {
      zeros.append("0,").append(i * 7 % 11).append('\n');
      huge.append(1 + i % 5).append("e155,").append(i * 7 % 11).append('\n');
    }
    Path first = Files.writeString(folder.resolve("zeros.csv"), zeros);
    Command fitted =
        Command.line(
            "fit --site a=%s --site b=%s --formula y~x --network complete --format json"
                .formatted(first, first));
    assertThat(fitted.code()).as(fitted.err()).isZero();
    assertThat(fitted.json().at("/coefficients/1/estimate").asDouble()).isZero();
    Path second = Files.writeString(folder.resolve("huge.csv"), huge);
    Command refused =
        Command.line("fit --data %s --response y --clients 2 --network complete".formatted(second));
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("the response: the squares of its values must sum to a number between")
        .contains("root mean square is 3.32e155");
  }
}
