package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import ngd.core.random.Streams;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.privacy.PrivacyBudget;
import ngd.peer.privacy.PrivacyLog;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/**
 * Power failures under the log of noised gradients. Oracle: POSIX, as the simulated disk has it.
 */
class PrivacyLogPowerTest {
  private static final double[] POINT = {1, 2};
  private static final double[] NOISED = {0.25, -3};

  @Test
  void keep_powerFailsAfterwards_isStillThere() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.EVENTS, 0);
      String word;
      try (PrivacyLog log = budget(disk).log(2)) {
        log.keep(POINT, NOISED);
        word = budget(disk).word();
      }
      disk.crash(draw);
      try (PrivacyLog log = budget(disk).log(2)) {
        assertThat(log.said(POINT)).as("seed %d", seed).isEqualTo(NOISED);
        assertThat(budget(disk).word()).isEqualTo(word);
      }
    }
  }

  private static PrivacyBudget budget(SimulatedDisk disk) {
    String plan =
        new PlanTemplate()
            .with("federation", "test")
            .with("network", "complete")
            .with("formula", "y ~ x")
            .with("algorithm", "ngd")
            .with("alpha", "0.1")
            .with("rounds", "3")
            .with("privacy", "epsilon=5,delta=1e-5,clip=2")
            .text(List.of(new Site("a", "localhost", 1), new Site("b", "localhost", 2)));
    return PrivacyBudget.of(PlanReader.parse(plan).plan(), disk.root().resolve("privacy"), "run");
  }
}
