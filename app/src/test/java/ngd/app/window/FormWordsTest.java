package ngd.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The oracles are sentences as a person at the form would say them. */
class FormWordsTest {
  private static final FormWords FORM =
      new FormWords(Map.of("alpha", "Step size α", "network", "Network"));

  @Test
  void inForm_optionsInAnyDress_areCalledByTheirLabels() {
    assertThat(FORM.inForm("alpha: must be a number; got `fast`\n--network: unknown"))
        .isEqualTo("Step size α: must be a number; got `fast`\nNetwork: unknown");
    assertThat(FORM.inForm("mix: works only with --alpha, not with --local-steps"))
        .isEqualTo("mix: works only with “Step size α”, not with “local-steps”");
    assertThat(FORM.inForm("the option `alpha` of `ngd`"))
        .isEqualTo("the option “Step size α” of `ngd`");
  }
}
