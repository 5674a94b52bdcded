package ngd.app.federation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Imputed rows, asked of a rehearsal and of real peers, each of which fills its own gaps: the same
 * bits. Oracle: the rehearsal.
 */
class SameImputationTest {
  @TempDir Path dir;

  @Test
  void peersAndRehearsal_areTheSameBits() throws Exception {
    StringBuilder rows = new StringBuilder("y,x,b,hospital\n");
    for (int i = 0; i < 420; i++) {
      rows.append(
          "%s,%s,%s,%s%n"
              .formatted(
                  i % 7 == 0 ? "" : Double.toString(i * 13 % 29 / 7.0),
                  i % 5 == 0 ? "" : Double.toString(i * 17 % 31 / 5.0),
                  i % 4 == 0 ? "" : i * 11 % 13 < 6 ? "u" : "v",
                  i % 3 == 0 ? "h1" : "h2"));
    }
    BothWorlds.Answers answers =
        new BothWorlds(dir, Files.writeString(dir.resolve("rows.csv"), rows))
            .ask(
                Map.of(
                    "formula", "y ~ x + b",
                    "family", "gaussian",
                    "impute", "2",
                    "impute-iterations", "1"));
    answers.requireSame("coefficients.csv", "vcov.csv", "imputation.csv");
    answers.requireSameParts("model", "coefficients", "imputation", "notes");
  }
}
