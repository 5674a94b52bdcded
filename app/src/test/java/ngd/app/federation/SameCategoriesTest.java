package ngd.app.federation;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Responses with more than two levels, asked of a rehearsal and of real peers: the same bits.
 * Oracle: the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameCategoriesTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "race ~ age + lwt + smoke, multinomial, logit, , 2:smoke = 3:smoke",
    "weight ~ lwt + smoke + offset(o), ordered, probit, very low<low<middle<high, smoke = 0"
  })
  void peersAndRehearsal_areTheSameBits(
      String formula, String family, String link, String order, String test) throws Exception {
    Map<String, String> question =
        new HashMap<>(
            Map.of(
                "formula", formula, "family", family, "link", link, "anova", "true", "test", test));
    if (order != null) {
      question.put("order", order);
    }
    BothWorlds.Answers answers =
        new BothWorlds(dir, Path.of("../oracles/categories/births.csv")).ask(question);
    answers.requireSame("coefficients.csv", "vcov.csv");
    answers.requireSameParts("model", "coefficients", "anova", "tests", "deviance", "aic");
  }
}
