package ngd.app.federation;

import java.nio.file.Path;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Outcomes weighted by a treatment's probability, asked of a rehearsal and of real peers: the same
 * bits. Oracle: the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameWeightingTest {
  @TempDir Path dir;

  @Test
  void peersAndRehearsal_areTheSameBits() throws Exception {
    BothWorlds.Answers answers =
        new BothWorlds(dir, Path.of("../oracles/weighting/birthwt.csv"))
            .ask(
                Map.of(
                    "formula", "bwt ~ smoke",
                    "family", "gaussian",
                    "treatment", "smoke ~ age + lwt",
                    "stabilised", "true"));
    answers.requireSame("coefficients.csv", "vcov.csv", "balance.csv");
    answers.requireSameParts("model", "coefficients", "weighting", "covariance", "residuals");
  }
}
