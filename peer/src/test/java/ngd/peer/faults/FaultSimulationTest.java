package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Federations from seeds. Oracle: the simulator and exact decimal sums, in {@link FaultFit}. */
class FaultSimulationTest {
  @Test
  void run_sameSeedTwice_givesTheSameLog() {
    for (long seed = 1; seed <= 12; seed++) {
      FaultOutcome once = FaultSimulation.run(seed, FaultMode.LIVENESS, 0);
      FaultOutcome again = FaultSimulation.run(seed, FaultMode.LIVENESS, 0);
      assertThat(again.log()).isEqualTo(once.log());
    }
  }
}
