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
  void next_twoLinesInTurn_areSaidOnceEach() {
    Repeats repeats = new Repeats();
    assertThat(repeats.next("one", 0)).isEqualTo("one");
    assertThat(repeats.next("two", 1)).isEqualTo("two");
    assertThat(repeats.next("one", 2)).isNull();
    assertThat(repeats.next("two", 3)).isNull();
    assertThat(repeats.next("one", 61 * SECOND)).isEqualTo("one times=2");
  }

  /** Whatever somebody from outside sends: an hour of ten different long lines a second. */
  @Test
  void next_linesWithoutEnd_areFewBytesAMinute() {
    Repeats repeats = new Repeats();
    long minutes = 60;
    long bytes = 0;
    int counted = 0;
    for (int i = 0; i < minutes * 600; i++) {
      String line =
          repeats.next("x".repeat(3000) + i + "\n" + i + "y".repeat(3000 + i), i * SECOND / 10);
      line = i % 2 == 0 ? line : repeats.next(i + "z".repeat(5000), i * SECOND / 10);
      if (line != null) {
        bytes += line.length();
        counted += line.contains("others-unsaid=") ? 1 : 0;
        assertThat(line).doesNotContain("\n");
      }
    }
    assertThat(bytes).isLessThan(minutes * Repeats.MOST_LINES * (Repeats.LONGEST + 50));
    assertThat(counted).isPositive();
  }

  @Test
  void plain_whatCouldForgeALine_isEscaped() {
    assertThat(LogText.plain("a\nb\r\u2028c\u202ed\u001b[2J \u00e9\ud83d\ude00", 100))
        .isEqualTo("a\\u000ab\\u000d\\u2028c\\u202ed\\u001b[2J \u00e9\ud83d\ude00");
    assertThat(LogText.plain("abcdef", 3)).isEqualTo("abc …");
  }
}
