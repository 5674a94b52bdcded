package ngd.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  private static final List<String> NAMES = List.of("circle", "complete", "central", "torus");

  @ParameterizedTest
  @CsvSource({
    "cirle,circle",
    "CIRCLE,circle",
    "centrall,central",
    "tours,torus",
    "comlete,complete"
  })
  void of_fewEditsAway_isFound(String typed, String meant) {
    assertThat(NearestName.of(typed, NAMES)).contains(meant);
    assertThat(NearestName.hint(typed, NAMES)).isEqualTo("; did you mean `" + meant + "`?");
  }

  @ParameterizedTest
  @CsvSource({"banana", "x", "''", "to"})
  void of_nothingNear_isEmpty(String typed) {
    assertThat(NearestName.of(typed, NAMES)).isEmpty();
    assertThat(NearestName.hint(typed, NAMES)).isEmpty();
  }
}
