package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.peer.wire.PeerAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes over a network that a test can cut. Oracles: the simulator; counted bytes. */
class PartitionTest {
  @TempDir Path folder;

  /**
   * How long a partition lasts once it is noticed; longer with {@code -Dngd.partition.ms=10000}.
   */
  private static final long MILLISECONDS = Integer.getInteger("ngd.partition.ms", 0);

  /** PeerAddress 3 dials nobody, so whoever reaches it comes over the proxy. */
  private static List<PeerAddress> behind(Proxy proxy, List<PeerAddress> listening) {
    List<PeerAddress> dialled = new ArrayList<>(listening);
    PeerAddress last = listening.getLast();
    dialled.set(
        last.number(), new PeerAddress(last.number(), last.name(), last.host(), proxy.port()));
    return dialled;
  }

  @Test
  void run_partitionThatHeals_endsWithTheSimulatorsBits() throws Exception {
    TestFit fit = new TestFit("ring:1", 4, "ngd", 2000, 5);
    List<PeerAddress> listening = AllPeers.sites(4);
    try (Proxy proxy = new Proxy(listening.getLast().port());
        Federation federation =
            new Federation(folder, fit, "wait", behind(proxy, listening), listening)) {
      federation.until("300 rounds", () -> federation.round(3) >= 300);
      proxy.cut();
      String missed = "unreachable=[%s]".formatted(listening.getLast().name());
      federation.until("the partition is noticed", () -> federation.status(0).contains(missed));
      long noticed = System.nanoTime();
      federation.until(
          "the partition has lasted",
          () -> System.nanoTime() - noticed >= MILLISECONDS * 1_000_000);
      assertThat(federation.round(0)).isLessThan(2000);
      proxy.heal();
      assertThat(federation.results()).isDeepEqualTo(fit.simulated());
    }
  }

  /** Without a neighbour the others go on, and all end near the fit; nobody waits forever. */
  @Test
  void run_policyDrop_goesOnWithoutTheOneThatIsCutOff() throws Exception {
    TestFit fit = new TestFit("complete", 4, "ngd", 1500, 3);
    List<PeerAddress> listening = AllPeers.sites(4);
    try (Proxy proxy = new Proxy(listening.getLast().port());
        Federation federation =
            new Federation(folder, fit, "drop", behind(proxy, listening), listening)) {
      federation.until("200 rounds", () -> federation.round(0) >= 200);
      proxy.cut();
      int before = federation.round(0);
      federation.until("200 more rounds", () -> federation.round(0) >= before + 200);
      proxy.heal();
      double[][] theta = federation.results();
      double[][] all = fit.simulated();
      // A busy machine may drop others too, but not for long: near is twice as far as 0 is.
      for (int m = 0; m < 3; m++) {
        assertThat(distance(theta[m], all[m])).isLessThan(2 * distance(new double[3], all[m]));
      }
    }
  }

  private static double distance(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += (a[j] - b[j]) * (a[j] - b[j]);
    }
    return Math.sqrt(sum);
  }

  /** 61,706 numbers of 8 bytes: what goes over the wire is little more than that. */
  @Test
  void run_largeVectors_takeLittleMoreThanTheirNumbers() throws Exception {
    TestFit fit = new TestFit("complete", 2, "ngd", 20, 61_706);
    List<PeerAddress> listening = AllPeers.sites(2);
    try (Proxy proxy = new Proxy(listening.getLast().port());
        Federation federation =
            new Federation(folder, fit, "wait", behind(proxy, listening), listening)) {
      assertThat(federation.results()).isDeepEqualTo(fit.simulated());
      double payload = 2.0 * fit.rounds() * fit.parameters() * Double.BYTES;
      assertThat(proxy.bytes() / payload).isBetween(1.0, 1.2);
    }
  }
}
