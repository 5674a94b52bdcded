package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Losses that are no families', asked of a rehearsal and of real peers: the same bits. Oracle: the
 * rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameLossesTest {
  @TempDir Path dir;

  /** The rows of clients 0 to 3 at one site, the others at another. */
  private Path atSites(String data) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../oracles", data));
    List<String> named = new ArrayList<>(List.of(lines.getFirst() + ",place"));
    lines.stream()
        .skip(1)
        .forEach(line -> named.add(line + (line.charAt(0) < '4' ? ",h1" : ",h2")));
    return Files.write(dir.resolve("all.csv"), named);
  }

  @ParameterizedTest
  @CsvSource({"huber:0.8", "quantile:0.3:0.5"})
  void peersAndRehearsal_pooled_areTheSameBits(String loss) throws Exception {
    BothWorlds.Answers answers =
        new BothWorlds(dir, atSites("methods/linear.csv"))
            .ask(Map.of("formula", "y ~ x1 + x2 + x3", "loss", loss));
    answers.requireSame("coefficients.csv", "vcov.csv");
    answers.requireSameParts("model", "coefficients", "deviance");
  }

  @ParameterizedTest
  @CsvSource({
    "methods/linear.csv, y ~ x1 + x2 + x3, huber:0.8, ngd, 0.05",
    "methods/linear.csv, y ~ x1 + x2 + x3, quantile:0.3, d-admm:0.5, ",
    "methods/linear.csv, y ~ x1 + x2 + x3, pseudo-huber, balanced-ngd, 0.05",
    "methods/logistic.csv, y ~ x1 + x2 + x3, hinge, ngd, 0.05",
    "methods/logistic.csv, y ~ x1 + x2 + x3, hinge:0.5, ngd, 0.05",
    "losses/multinomial.csv, y ~ x1 + x2, multinomial, ngd, 0.05",
  })
  void peersAndRehearsal_inRounds_areTheSameBits(
      String data, String formula, String loss, String algorithm, String alpha) throws Exception {
    Map<String, String> question =
        new HashMap<>(
            Map.of("formula", formula, "loss", loss, "algorithm", algorithm, "rounds", "40"));
    if (alpha != null) {
      question.put("alpha", alpha);
    }
    new BothWorlds(dir, atSites(data)).ask(question).requireSameLines("theta.csv");
  }
}
