package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Oracle: the times, by hand. */
class PromptEndTest {
  private static final long SECOND = 1_000_000_000L;

  private final PromptEnd end = new PromptEnd();

  @Test
  void late_aSecondAfterTheLastAnswer_isSaidWithTheTime() {
    end.answered(9 * SECOND);
    end.answered(10 * SECOND);
    end.left(11 * SECOND);
    assertThat(end.late(11 * SECOND))
        .hasValueSatisfying(why -> assertThat(why).contains("1.000 s"));
  }

  @Test
  void late_atOnce_isNot() {
    end.answered(10 * SECOND);
    end.left(10 * SECOND + 1);
    assertThat(end.late(10 * SECOND + SECOND / 2)).isEmpty();
  }

  @Test
  void late_whileFaultsGoOn_isNot() {
    end.slowed();
    end.answered(10 * SECOND);
    end.left(40 * SECOND);
    assertThat(end.late(40 * SECOND)).isEmpty();
  }

  @Test
  void late_afterDelays_countsFromFiveSecondsAfterTheLast() {
    end.slowed();
    end.calm(8 * SECOND);
    end.answered(10 * SECOND);
    end.left(13 * SECOND);
    assertThat(end.late(13 * SECOND + SECOND / 2)).isEmpty();
    end.answered(13 * SECOND);
    assertThat(end.late(14 * SECOND)).isPresent();
  }

  @Test
  void late_afterFaults_countsOnceAllCutsAreKnown() {
    end.slowed();
    end.disturbed();
    end.calm(10 * SECOND);
    end.answered(10 * SECOND);
    end.left(35 * SECOND);
    assertThat(end.late(35 * SECOND + SECOND / 2)).isEmpty();
    assertThat(end.late(36 * SECOND)).isPresent();
  }

  @Test
  void late_oneLeftBefore_isNot() {
    end.disturbed();
    end.calm(10 * SECOND);
    end.answered(11 * SECOND);
    end.left(12 * SECOND);
    assertThat(end.late(60 * SECOND)).isEmpty();
  }
}
