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
 * Families, links, functions of formulas and meta-analysis, asked of a rehearsal and of real peers:
 * the same bits. Oracle: the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameModelsTest {
  @TempDir Path dir;

  /** Every third row at one site, the others at another. */
  private Path atSites(String data) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../oracles/models/%s.csv".formatted(data)));
    List<String> named = new ArrayList<>(List.of(lines.getFirst() + ",place"));
    for (int i = 1; i < lines.size(); i++) {
      named.add(lines.get(i) + (i % 3 == 0 ? ",h1" : ",h2"));
    }
    return Files.write(dir.resolve("all.csv"), named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quine   | negative-binomial | log     | Days ~ Sex + Eth            | test | SexM = EthN",
        "birthwt | inverse-gaussian  | 1/mu^2  | bwt ~ lwt + smoke           | |",
        "quine   | tweedie:1.5       | log     | Days ~ Sex + Eth            | |",
        "esoph   | quasi-binomial    | cauchit | cbind(ncases, ncontrols) ~ alc + tob | |",
        "birthwt | gaussian          | identity | bwt ~ ns(lwt, df = 3) + scale(age) + poly(age, 2):smoke | |",
        "birthwt | gamma             | log     | bwt ~ lwt + smoke           | meta | true",
        "birthwt | quasi-poisson     | sqrt    | lwt ~ I(smoke = 1) + age    | test | I(smoke = 1)TRUE = 0"
      })
  void peersAndRehearsal_areTheSameBits(
      String data, String family, String link, String formula, String key, String value)
      throws Exception {
    Map<String, String> question =
        new HashMap<>(Map.of("formula", formula, "family", family, "link", link));
    if (key != null) {
      question.put(key, value);
    }
    BothWorlds.Answers answers = new BothWorlds(dir, atSites(data)).ask(question);
    answers.requireSame("coefficients.csv", "vcov.csv");
    answers.requireSameParts("model", "coefficients", "deviance", "dispersion");
    if (key != null) {
      answers.requireSameParts(key.equals("test") ? "tests" : key);
    }
  }
}
