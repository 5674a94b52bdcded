package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Dates and times in formulas. Oracle: R's lm (oracles/dates_oracle.R). */
class DatesTest {
  private static final Path ORACLES = Path.of("../oracles/dates");
  private static final String FORMULA =
      "y ~ came + I(left - came) + weekdays(came) + hour(seen) + I(year(came) == 2022)";

  @TempDir Path folder;

  private List<String> sites(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    for (String clinic : List.of("a", "b", "c")) {
      all.addAll(List.of("--site", clinic + "=" + ORACLES.resolve("visits.csv")));
      all.addAll(
          List.of("--query", clinic + "=select * from data where clinic = '" + clinic + "'"));
    }
    return all;
  }

  private static Command run(List<String> words) {
    Command run = Command.run(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    return run;
  }

  @Test
  void fit_datesAndTimes_isRsRegression() throws IOException {
    Path out = folder.resolve("run");
    List<String> words =
        sites("fit", "--formula", FORMULA, "--network", "complete", "--format", "json");
    words.addAll(List.of("--out", out.toString()));
    JsonNode coefficients = run(words).json().get("coefficients");
    List<String> lines = Files.readAllLines(ORACLES.resolve("lm.csv"));
    assertThat(coefficients.size()).isEqualTo(lines.size() - 1);
    for (int i = 0; i < coefficients.size(); i++) {
      String[] expected = lines.get(i + 1).strip().split(",", -1);
      JsonNode found = coefficients.get(i);
      // A comparison is printed with one sign of equality.
      assertThat(found.get("term").asString()).isEqualTo(expected[0].strip().replace("==", "="));
      double error = Double.parseDouble(expected[2]);
      assertThat(found.get("estimate").asDouble())
          .as(expected[0])
          .isCloseTo(Double.parseDouble(expected[1]), within(1e-6 * error));
      assertThat(found.get("stdError").asDouble()).isCloseTo(error, within(1e-6 * error));
    }
    // Residuals of least squares with an intercept sum to 0.
    Command predicted =
        run(
            List.of(
                "predict",
                "--model",
                out.toString(),
                "--data",
                ORACLES.resolve("visits.csv").toString()));
    double fitted =
        predicted
            .out()
            .lines()
            .skip(1)
            .mapToDouble(l -> Double.parseDouble(l.split(",", -1)[1]))
            .sum();
    double y =
        Files.readAllLines(ORACLES.resolve("visits.csv")).stream()
            .skip(1)
            .mapToDouble(l -> Double.parseDouble(Arrays.asList(l.split(",")).get(1)))
            .sum();
    assertThat(fitted).isCloseTo(y, within(1e-6));
  }
}
