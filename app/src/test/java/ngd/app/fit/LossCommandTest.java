package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * {@code --loss} on the command line. Oracles: {@code oracles/losses/r.csv} by R's {@code MASS} and
 * {@code sandwich}; linear programs in {@code oracles/losses/pooled.csv}; definitions.
 */
class LossCommandTest {
  private static final String LINEAR =
      "--data ../oracles/methods/linear.csv --formula y~x1+x2+x3 --partition column:client"
          + " --network ring:1 ";
  private static final String LABELS = LINEAR.replace("linear", "logistic");

  @TempDir Path dir;

  private static Command fit(String words) {
    return Command.line("fit " + words);
  }

  private static JsonNode json(String words) {
    Command command = fit("--format json " + words);
    assertThat(command.code()).as(command.err()).isZero();
    return command.json();
  }

  @Test
  void pooled_huberAndQuantiles_areRs() throws IOException {
    Map<String, List<String[]>> cases = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("../oracles/losses/r.csv")).subList(1, 41)) {
      String[] cells = line.split(",", -1);
      cases.computeIfAbsent(cells[0] + " " + cells[1], _ -> new ArrayList<>()).add(cells);
    }
    assertThat(cases).hasSize(10);
    for (List<String[]> lines : cases.values()) {
      String[] first = lines.getFirst();
      Path data =
          Path.of(
              "../oracles", first[0].equals("linear") ? "methods" : "losses", first[0] + ".csv");
      JsonNode found =
          json(
              "--data %s --formula %s --partition column:client --network complete --loss %s"
                  .formatted(data, first[2].replace(" ", ""), first[1]));
      for (int j = 0; j < 4; j++) {
        JsonNode line = found.get("coefficients").get(j);
        double estimate = Double.parseDouble(lines.get(j)[4]);
        double error = Double.parseDouble(lines.get(j)[5]);
        assertThat(line.get("term").asString()).isEqualTo(lines.get(j)[3]);
        assertThat(line.get("estimate").asDouble())
            .as(first[1])
            .isCloseTo(estimate, within(1e-9 * (1 + Math.abs(estimate))));
        assertThat(line.get("stdError").asDouble()).isCloseTo(error, within(1e-9 * error));
      }
      assertThat(found.get("covariance").asString()).isEqualTo("robust (HC0)");
      assertThat(found.get("logLikelihood").isNumber()).isFalse();
    }
  }

  /** D-ADMM comes to the pooled minimum, which is unique here. */
  @ParameterizedTest
  @ValueSource(strings = {"0.5", "0.2", "0.9"})
  void dAdmm_exactQuantile_comesToTheLinearProgram(String tau) throws IOException {
    String[] cells =
        Files.readAllLines(Path.of("../oracles/losses/pooled.csv")).stream()
            .map(line -> line.split(",", -1))
            .filter(line -> line[0].equals("quantile-exact") && line[2].equals("tau=" + tau))
            .findFirst()
            .orElseThrow();
    JsonNode found = json(LINEAR + "--algorithm d-admm:0.3 --rounds 20000 --loss quantile:" + tau);
    String[] theta = cells[4].split(";", -1);
    for (int j = 0; j < theta.length; j++) {
      JsonNode line = found.get("coefficients").get(j);
      double expected = Double.parseDouble(theta[j]);
      assertThat(line.get("globalEstimate").asDouble()).isCloseTo(expected, within(1e-12));
      assertThat(line.get("estimate").asDouble()).isCloseTo(expected, within(1e-8));
    }
  }

  @Test
  void family_andItsLoss_areTheSameQuestion() {
    String rounds = LABELS + "--alpha 0.1 --rounds 20 ";
    assertThat(json(rounds + "--loss binomial").get("coefficients"))
        .isEqualTo(json(rounds + "--family binomial").get("coefficients"));
    assertThat(json(LABELS + "--loss binomial").get("coefficients"))
        .isEqualTo(json(LABELS + "--family binomial").get("coefficients"));
  }

  @Test
  void compareAndCheck_losses_work() {
    Command compared =
        Command.line(
            "compare --format json --algorithms ngd,d-admm --alpha 0.05 --rounds 300 --weights"
                + " metropolis --loss huber:0.5 "
                + LINEAR.strip());
    assertThat(compared.code()).as(compared.err()).isZero();
    assertThat(compared.json().get("algorithms").get(1).get("distanceToGlobal").asDouble())
        .isLessThan(1e-9);
    Command check = Command.line("check --format json --loss huber:0.5 " + LINEAR.strip());
    assertThat(check.code()).as(check.err()).isZero();
    assertThat(check.json().get("converges").asBoolean()).isTrue();
    Command kinked =
        Command.line("check --format json --alpha 0.1 --loss quantile:0.5 " + LINEAR.strip());
    assertThat(kinked.code()).as(kinked.err()).isZero();
    assertThat(kinked.json().get("converges").isNull()).isTrue();
    assertThat(kinked.json().get("reason").asString())
        .contains("the loss `quantile:0.5` has no Hessian");
  }

  @Test
  void alphaAuto_lossThatIsFlatAtZero_comesToTheEstimate() {
    JsonNode found =
        json(
            LABELS
                + "--algorithm extra --weights metropolis --alpha auto --rounds 6000 --loss hinge:0.4");
    assertThat(found.get("distanceToGlobal").asDouble()).isLessThan(1e-6);
  }

  @Test
  void own_lossOnTheClassPath_isFoundAndItsGradientChecked() {
    JsonNode found =
        json(
            LINEAR
                + "--algorithm extra --weights metropolis --alpha 0.2 --rounds 3000 --loss pseudo-huber");
    assertThat(found.get("distanceToGlobal").asDouble()).isLessThan(1e-6);
    Command wrong = fit(LINEAR + "--alpha 0.1 --rounds 3 --loss pseudo-huber:1.01");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .containsPattern(
            "loss `pseudo-huber`: its gradient must be the derivative of its value; for coefficient 0,"
                + " `\\(Intercept\\)`, at client 0 the gradient is \\S+, and differences of the"
                + " value give \\S+ ");
  }

  @Test
  void predict_quantile_isTheLinearPredictor() throws IOException {
    Path run = dir.resolve("run");
    Command command = fit(LINEAR + "--loss quantile:0.8:1.1 --out " + run);
    assertThat(command.code()).as(command.err()).isZero();
    Path out = dir.resolve("p.csv");
    Command predicted =
        Command.line(
            "predict --model %s --data ../oracles/methods/linear.csv --out %s --interval"
                .formatted(run, out));
    assertThat(predicted.code()).as(predicted.err()).isZero();
    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(89);
    // The first row: x = (1, −0.6172, −0.6009, −1.9462), coefficients of losses/r.csv.
    double expected =
        1.447225354781137
            - 0.6172 * 1.081200896322752
            + 0.6009 * 2.096337262618136
            - 1.9462 * 0.9112832711127675;
    assertThat(Double.parseDouble(lines.get(1).split(",", -1)[1]))
        .isCloseTo(expected, within(1e-8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--loss hinge --alpha 0.1 --rounds 3 | labels under the hinge loss must be 0 or 1; got -0.4437",
        "--loss quantile:1.5 --alpha 0.1 --rounds 3 | loss quantile: TAU, the share of responses below the quantile, must lie between 0 and 1; got 1.5",
        "--loss quantile:0.5 | loss: quantile:0.5 has no pooled fit with standard errors, for which its kink must be smoothed",
        "--loss hinge | loss: hinge has no pooled fit with standard errors: its minimiser need not be unique",
        "--loss huber:1 --family poisson | --loss: works only without --family, which names a loss too",
        "--loss huber:1 --ridge 0.1 | ridge: does not work with --loss huber:1",
        "--loss huber:1 --anova | anova: does not work with --loss huber:1",
        "--loss huber:1 --link log | link: does not work with --loss huber:1",
        "--loss quantile:0.5 --alpha auto --rounds 3 | needs a loss with a Hessian",
        "--loss pseudo-huber --algorithm d-admm --rounds 3 | needs a loss whose proximal steps are known",
        "--loss pseudo-huber | loss: pseudo-huber has no pooled fit with standard errors",
        "--loss 0.1 --alpha 0.1 --rounds 3 | `0.1` is unknown; one of: huber:DELTA",
        "--loss 0.3 --alpha 0.1 --rounds 3 | ordered; the share of lost messages is --message-loss 0.3",
      })
  void fit_whatCannotBe_isRefused(String words, String message) {
    Command refused = fit(LINEAR + words);
    assertThat(refused.code()).as(refused.out()).isEqualTo(2);
    assertThat(refused.err()).contains(message);
  }
}
