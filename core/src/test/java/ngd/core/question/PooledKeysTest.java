package ngd.core.question;

import static org.assertj.core.api.Assertions.assertThat;

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
  void settings_roundsAlone_goToOnePercentUnlessToldOtherwise() {
    assertThat(settings(Map.of("no-last-step", "true")).biasShare()).isEqualTo(0.01);
    assertThat(settings(Map.of("no-last-step", "true", "bias-share", "1e-4")).biasShare())
        .isEqualTo(1e-4);
  }
}
