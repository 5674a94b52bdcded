package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cox models and survival curves, asked of a rehearsal and of real peers: the same bits. Oracle:
 * the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameSurvivalTest {
  @TempDir Path dir;

  private BothWorlds worlds() throws IOException {
    return new BothWorlds(dir, Path.of("../oracles/survival/mgus.csv"));
  }

  @ParameterizedTest
  @CsvSource({
    "Surv(futime; death) ~ age + sex + strata(site), identity, hc0",
    "Surv(futime; death) ~ age + strata(sex), km, hc1"
  })
  void cox_peersAndRehearsal_areTheSameBits(String semicolons, String zph, String robust)
      throws Exception {
    String formula = semicolons.replace(';', ',');
    BothWorlds.Answers answers =
        worlds()
            .ask(
                Map.of(
                    "formula", formula,
                    "family", "cox",
                    "ties", "breslow",
                    "zph", zph,
                    "robust", robust));
    answers.requireSame("coefficients.csv", "vcov.csv");
    answers.requireSameParts("cox");
    if (!formula.contains("site")) {
      answers.requireSame("baseline.csv");
    }
  }

  @ParameterizedTest
  @CsvSource({"competing, 'etime, event', sex", "late, 'start, stop, event', group"})
  void incidences_peersAndRehearsal_areTheSameBits(String data, String response, String group)
      throws Exception {
    BothWorlds.Answers answers =
        new BothWorlds(dir, Path.of("../oracles/survival", data + ".csv"))
            .ask(
                Map.of(
                    "formula",
                    "Surv(%s) ~ strata(%s)".formatted(response, group),
                    "family",
                    "survival"));
    answers.requireSame("curves.csv", "incidence.csv");
    answers.requireSameParts("curves", "notes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " + weights(age)", " + weights(age / 70)"})
  void curves_peersAndRehearsal_areTheSameBits(String weights) throws Exception {
    BothWorlds.Answers answers =
        worlds()
            .ask(
                Map.of(
                    "formula", "Surv(futime, death) ~ strata(sex)" + weights,
                    "family", "survival",
                    "conf-type", "log-log",
                    "tau", "200"));
    answers.requireSame("curves.csv");
    answers.requireSameParts("curves", "notes");
  }
}
