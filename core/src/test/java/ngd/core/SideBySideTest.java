package ngd.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SideBySideTest {
  private static final List<Integer> THINGS = IntStream.range(0, 100).boxed().toList();

  @Test
  void each_manyThings_standsInTheirOrder() {
    assertThat(SideBySide.each(THINGS, i -> i * i))
        .isEqualTo(THINGS.stream().map(i -> i * i).toList());
  }

  @Test
  void each_severalFailures_throwsTheFirstInOrderAsItWas() {
    InvalidInput first = new InvalidInput("7");
    assertThatThrownBy(
            () ->
                SideBySide.each(
                    THINGS,
                    i -> {
                      if (i == 7) {
                        throw first;
                      }
                      if (i > 7) {
                        throw new InvalidInput("another");
                      }
                      return i;
                    }))
        .isSameAs(first);
  }
}
