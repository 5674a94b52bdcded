package ngd.app.federation;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A path of penalised estimates with its cross-validation, asked of a rehearsal and of real peers:
 * the same bits. Oracle: the rehearsal.
 */
class SamePenaltyTest {
  @TempDir Path dir;

  @Test
  void peersAndRehearsal_areTheSameBits() throws Exception {
    BothWorlds.Answers answers =
        new BothWorlds(dir, Path.of("../oracles/penalty/boston.csv"))
            .ask(
                Map.of(
                    "formula", "medv ~ nox + rm + age + dis + ptratio + lstat",
                    "family", "gamma",
                    "penalty", "elastic-net:0.5",
                    "lambda-count", "12",
                    "folds", "5",
                    "select", "min"));
    answers.requireSame("coefficients.csv", "path.csv", "cv.csv");
    answers.requireSameParts("penalty", "coefficients", "withheld");
  }
}
