package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Models with random terms, asked of a rehearsal and of real peers: the same bits. Oracle: the
 * rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameMixedTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "mixed/sleep, gaussian, reml, yes, Reaction ~ Days + (Days | subject)",
    "mixed/sleep, gaussian, reml, no, Reaction ~ Days + (1 | subject) + (1 | site)",
    "glmer/epil, poisson, quadrature, 1, y ~ lbase + visit + (visit | patient)",
    "glmer/verbal, binomial, quadrature, 5, yes ~ anger + (1 | person)"
  })
  void peersAndRehearsal_areTheSameBits_andEffectsStay(
      String data, String family, String key, String value, String formula) throws Exception {
    BothWorlds.Answers answers =
        new BothWorlds(dir, Path.of("../oracles/" + data + ".csv"))
            .ask(Map.of("formula", formula, "family", family, key, value, "anova", "true"));
    answers.requireSame("coefficients.csv", "vcov.csv", "variances.csv");
    answers.requireSameParts("mixed", "anova");
    answers
        .sites()
        .forEach(
            (site, own) ->
                assertThat(own.resolve("random_effects.csv"))
                    .hasSameTextualContentAs(
                        answers
                            .rehearsed()
                            .resolve("sites")
                            .resolve(site)
                            .resolve("random_effects.csv")));
  }
}
