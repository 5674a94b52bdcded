package ngd.core.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import ngd.core.inference.PooledFit;
import org.junit.jupiter.api.Test;

/** Oracle: what docs/estimates.md says of the options. */
class PooledKeysTest {
  private static PooledFit.Settings settings(Map<String, String> words) {
    return PooledKeys.settings(Question.of(FitKeys.ALL, words));
  }

  @Test
  void settings_nothingSaid_goToAMillionthOfAStandardError() {
    assertThat(settings(Map.of())).isEqualTo(PooledFit.Settings.STANDARD);
    assertThat(PooledFit.Settings.STANDARD.biasShare()).isEqualTo(1e-6);
  }

  @Test
  void settings_roundsAlone_goToOnePercentUnlessAskedOtherwise() {
    Map<String, String> alone = Map.of("algorithm", "pooled-rounds", "no-last-step", "true");
    assertThat(settings(alone).biasShare()).isEqualTo(0.01);
    assertThat(settings(alone).way()).isEqualTo(PooledFit.Way.ROUNDS_ALONE);
    Map<String, String> nearer = new HashMap<>(alone);
    nearer.put("bias-share", "1e-4");
    assertThat(settings(nearer).biasShare()).isEqualTo(1e-4);
    assertThat(settings(Map.of("algorithm", "pooled-rounds")).way())
        .isEqualTo(PooledFit.Way.ROUNDS);
  }
}
