package ngd.app.federation;

import java.nio.file.Path;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A path of penalised estimates with its cross-validation, asked of a rehearsal and of real peers:
 * the same bits. Oracle: the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SamePenaltyTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "penalty/boston, medv ~ nox + rm + age + dis + ptratio + lstat, gamma, elastic-net:0.5",
    "penalty/boston, medv ~ nox + rm + age + dis + lstat, gaussian, adaptive-lasso",
    "penalty/birthwt, low ~ age + lwt + smoke, binomial, ridge",
    "categories/births, race ~ age + lwt + smoke, multinomial, lasso",
    "penalty/pbc, 'Surv(time, status) ~ age + bili + albumin + protime', cox, lasso"
  })
  void peersAndRehearsal_areTheSameBits(String data, String formula, String family, String penalty)
      throws Exception {
    Map<String, String> question =
        Map.of(
            "formula",
            formula,
            "family",
            family,
            "penalty",
            penalty,
            "lambda-count",
            "12",
            "folds",
            "5",
            "select",
            "min");
    BothWorlds.Answers answers =
        new BothWorlds(dir, Path.of("../oracles/%s.csv".formatted(data))).ask(question);
    answers.requireSame("coefficients.csv", "path.csv", "cv.csv");
    answers.requireSameParts("penalty", "coefficients", "withheld");
  }
}
