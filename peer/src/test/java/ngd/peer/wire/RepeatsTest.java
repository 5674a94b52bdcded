package ngd.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The oracle is a count of what was put in. */
class RepeatsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void next_theSameLine_isSaidAtOnceAndThenOnceAMinuteWithItsNumber() {
    Repeats repeats = new Repeats();
    assertThat(repeats.next("refused", 0)).isEqualTo("refused");
    for (int i = 1; i < 30; i++) {
      assertThat(repeats.next("refused", i * 2L * SECOND)).isNull();
    }
    assertThat(repeats.next("refused", 60 * SECOND)).isEqualTo("refused times=30");
    assertThat(repeats.next("refused", 200 * SECOND)).isEqualTo("refused");
  }

  @Test
  void next_anotherLine_isSaid() {
    Repeats repeats = new Repeats();
    assertThat(repeats.next("one", 0)).isEqualTo("one");
    assertThat(repeats.next("two", 1)).isEqualTo("two");
    assertThat(repeats.next("one", 2)).isEqualTo("one");
  }
}
