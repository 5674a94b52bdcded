package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Federations from seeds. Oracle: the simulator and exact decimal sums, in {@link FaultFit}. */
class FaultSimulationTest {
  @Test
  void run_sameSeedTwice_givesTheSameLog() {
    for (long seed = 1; seed <= 8; seed++) {
      FaultOutcome once = FaultSimulation.run(seed, FaultMode.LIVENESS, 0);
      FaultOutcome again = FaultSimulation.run(seed, FaultMode.LIVENESS, 0);
      assertThat(again.log()).isEqualTo(once.log());
    }
  }

  /** A power failure after the first snapshots took the folder away in which they were. */
  @Test
  void run_powerFailsSoonAfterTheStart_keepsTheFolderOfItsState() {
    for (long seed : new long[] {28, 50, 63}) {
      FaultOutcome outcome = FaultSimulation.run(seed, FaultMode.LIVENESS, 0);
      assertThat(outcome.violations()).as(String.join("\n", outcome.log())).isEmpty();
      assertThat(outcome.answers()).isEqualTo(outcome.peers());
    }
  }

  /** Oracle: least squares by elimination, in {@link StandingFaults}. */
  @Test
  void standing_questionsWhileSitesCrash_areAnsweredAlikeEverywhere() {
    FaultOutcome outcome =
        FaultSimulation.standing(1, FaultMode.LIVENESS, 3, 2, Duration.ofSeconds(2));
    assertThat(outcome.violations()).as(String.join("\n", outcome.log())).isEmpty();
    assertThat(outcome.answers()).isEqualTo(3);
  }
}
