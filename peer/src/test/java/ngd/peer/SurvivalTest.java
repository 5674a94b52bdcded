package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers that are killed and start again. Oracle: the simulator, which nobody killed. */
class SurvivalTest {
  @TempDir Path folder;

  /** More with {@code -Dngd.kills=50}, over a run that is longer in proportion. */
  private static final int KILLS = Integer.getInteger("ngd.kills", 2);

  @Test
  void run_peersKilledAtRandom_endsWithTheSimulatorsBits() throws Exception {
    TestFit fit = new TestFit("ring:1", 4, "diging", 400 * KILLS, 5);
    UniformRandomProvider draw = TestFit.STREAMS.stream(Streams.Purpose.EVENTS);
    try (Federation federation = new Federation(folder, fit)) {
      for (int kill = 0; kill < KILLS; kill++) {
        // Anywhere in the first nine tenths, whatever the machine's speed.
        int after = (int) ((kill + draw.nextDouble()) * 360);
        int victim = draw.nextInt(fit.clients());
        federation.until(
            "round " + after, () -> federation.round(victim) >= after || !federation.runs(victim));
        assertThat(federation.runs(victim)).as(() -> "peer %d runs".formatted(victim)).isTrue();
        federation.killAndRestart(victim);
      }
      assertThat(federation.results()).isDeepEqualTo(fit.simulated());
    }
  }

  /** Everything at once, as when the power of a building goes. */
  @Test
  void run_allPeersKilledTogether_endsWithTheSimulatorsBits() throws Exception {
    TestFit fit = new TestFit("circle:2", 4, "auto", 600, 5);
    try (Federation federation = new Federation(folder, fit)) {
      federation.until("200 rounds", () -> federation.round(2) >= 200);
      for (int m = 0; m < fit.clients(); m++) {
        federation.kill(m);
      }
      for (int m = 0; m < fit.clients(); m++) {
        federation.killAndRestart(m);
      }
      assertThat(federation.results()).isDeepEqualTo(fit.simulated());
    }
  }

  /**
   * Between sums, without a round: nobody begins anew, and no call ever has two terms. Oracle:
   * decimal arithmetic in this process.
   */
  @Test
  void run_peersKilledAmidSums_goOnWithTheSameTerms() throws Exception {
    int kills = (2 * KILLS + 4) / 5;
    TestFit fit = new TestFit("ring:1", 4, TestFit.SUMS, 30 * kills, 3);
    UniformRandomProvider draw = TestFit.STREAMS.stream(Streams.Purpose.EVENTS);
    try (Federation federation = new Federation(folder, fit)) {
      for (int kill = 0; kill < kills; kill++) {
        int after = 2 + (int) ((kill + draw.nextDouble()) * 27);
        int victim = draw.nextInt(fit.clients());
        federation.until(
            after + " terms",
            () -> federation.terms(victim).size() >= after || !federation.runs(victim));
        assertThat(federation.runs(victim)).as(() -> "peer %d runs".formatted(victim)).isTrue();
        federation.killAndRestart(victim);
      }
      double[] expected = fit.sumsAtOnce();
      for (double[] found : federation.results()) {
        assertThat(found).containsExactly(expected);
      }
      for (int m = 0; m < fit.clients(); m++) {
        List<String> terms = federation.terms(m);
        // A kill costs the sum under way, and at most the two whose snapshot was being written.
        assertThat(terms.size()).isLessThanOrEqualTo(fit.rounds() + 3 * kills);
        assertThat(terms.stream().distinct()).hasSize(fit.rounds());
      }
    }
  }
}
