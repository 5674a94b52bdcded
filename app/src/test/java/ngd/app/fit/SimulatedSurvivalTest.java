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

/** Simulated events in time. Oracle: the coefficients simulated from. */
class SimulatedSurvivalTest {
  private static final double[] TRUTH = {0.8, -0.5, 0, 0.3, 0.4};
  private static final String DATA = " --simulate survival --rows 3000 --clients 10 --network ";

  @TempDir Path folder;

  private static JsonNode json(String line) {
    Command run = Command.line(line + " --format json");
    assertThat(run.code()).as(run.err()).isZero();
    return run.json();
  }

  private static void refused(String line, String... words) {
    Command run = Command.line(line);
    assertThat(run.code()).as(run.out()).isEqualTo(2);
    assertThat(run.err()).contains(words);
  }

  @Test
  void fit_pooled_findsTheCoefficientsAndPredicts() throws IOException {
    Path out = folder.resolve("run");
    JsonNode found = json("fit" + DATA + "circle:1 --zph=identity --out " + out);
    assertThat(found.at("/model/family").asString()).isEqualTo("cox");
    assertThat(found.at("/cox/riskSets").asString()).isEqualTo("site");
    double squares = 0;
    for (int j = 0; j < TRUTH.length; j++) {
      JsonNode line = found.get("coefficients").get(j);
      double z = (line.get("estimate").asDouble() - TRUTH[j]) / line.get("stdError").asDouble();
      squares += z * z;
    }
    // The 0.9999 quantile of chi-squared with 5 degrees of freedom.
    assertThat(squares).isLessThan(25.8);
    assertThat(found.at("/cox/zph/terms/5/pValue").asDouble()).isGreaterThan(1e-4);
    Path rows = Files.writeString(folder.resolve("new.csv"), "x1,x2,x3,x4,x5\n1,0,0,0,0\n");
    Command predicted =
        Command.line("predict --type link --model %s --data %s".formatted(out, rows));
    assertThat(predicted.code()).as(predicted.err()).isZero();
    assertThat(
            Double.parseDouble(
                predicted.out().lines().skip(1).findFirst().orElseThrow().split(",", -1)[1]))
        .isCloseTo(found.at("/coefficients/0/estimate").asDouble(), within(1e-12));
  }

  @Test
  void methods_inRounds_knowTheTruthAndComeToThePooledEstimate() {
    JsonNode found = json("fit" + DATA + "complete --algorithm diging --alpha auto --rounds 900");
    for (int j = 0; j < TRUTH.length; j++) {
      JsonNode line = found.get("coefficients").get(j);
      assertThat(line.get("truth").asDouble()).isEqualTo(TRUTH[j]);
      assertThat(line.get("estimate").asDouble())
          .isCloseTo(line.get("globalEstimate").asDouble(), within(1e-7))
          .isCloseTo(TRUTH[j], within(0.2));
    }
    Command compared =
        Command.line("compare" + DATA + "complete --algorithms ngd,diging --alpha 0.1 --rounds 20");
    assertThat(compared.code()).as(compared.err()).isZero();
    Command checked = Command.line("check" + DATA + "circle:1 --alpha 0.2");
    assertThat(checked.code()).as(checked.err()).isZero();
    assertThat(checked.out()).contains("cox model", "It converges.");
  }

  @Test
  void refusals_nameWhatIsWrong() {
    refused("fit" + DATA + "circle:1 --partition sorted", "--partition", "by their", "events");
    refused("fit" + DATA + "circle:1 --partition dirichlet:1", "--partition", "events");
    refused("fit" + DATA + "circle:1 --family poisson", "must be cox", "poisson");
    refused("fit" + DATA + "circle:1 --times 1,2", "--times", "strata(site)");
    refused("fit" + DATA + "circle:1 --tau 1", "--tau", "survival curves");
    refused("fit" + DATA + "circle:1 --alpha 0.1 --rounds 5 --batch 10", "--batch", "risk sets");
    refused(
        "fit" + DATA + "circle:1 --alpha 0.1 --rounds 5 --privacy epsilon=1,delta=1e-5",
        "--privacy",
        "risk sets");
  }
}
