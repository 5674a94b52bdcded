package ngd.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class VocabularyTest {
  private static final Vocabulary WORDS =
      new Vocabulary("network", List.of("circle:D", "ring:K", "small-world:K:P", "ring:K:P"));

  @Test
  void parameters_aKnownForm_areThePartsAfterTheWord() {
    assertThat(WORDS.parameters("small-world:3:0.1")).containsExactly("3", "0.1");
    assertThat(WORDS.parameters("ring:3:0.1")).containsExactly("3", "0.1");
  }

  @Test
  void parameters_anUnknownWord_offersTheNearestAndListsAll() {
    assertThatThrownBy(() -> WORDS.parameters("circel:2"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "network: `circel:2` is unknown; did you mean `circle:D`? one of: circle:D,"
                + " ring:K[:P], small-world:K:P");
  }

  @Test
  void parameters_aWrongNumber_saysTheForm() {
    assertThatThrownBy(() -> WORDS.parameters("small-world:3"))
        .hasMessage("network: the form is `small-world:K:P`; got `small-world:3`");
    assertThatThrownBy(() -> WORDS.parameters("ring"))
        .hasMessage("network: the form is `ring:K` or `ring:K:P`; got `ring`");
  }
}
