package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Totals;
import ngd.core.linalg.ExactSum;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.world.Mixing;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers of one process over the in-process transport. Oracle: the simulator. */
class PeerNodeTest {
  @TempDir Path folder;

  private static double[][] run(
      TestFit fit, IntFunction<PeerOptions> options, IntFunction<@Nullable Path> folders)
      throws Exception {
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < fit.clients(); m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      InProcessTransport transport =
          new InProcessTransport("test-" + System.identityHashCode(sites), threads);
      List<Future<double[]>> peers = new ArrayList<>();
      for (int m = 0; m < fit.clients(); m++) {
        PeerSetup setup =
            new PeerSetup(
                new Agreement("00", "test"),
                m,
                sites,
                fit.network(),
                TestFit.STREAMS,
                options.apply(m),
                PeerSetup.messageBytes(fit.clients(), fit.parameters()),
                folders.apply(m));
        peers.add(
            threads.submit(
                () -> {
                  try (PeerNode node = new PeerNode(setup, transport)) {
                    return node.run(fit::program);
                  }
                }));
      }
      double[][] theta = new double[fit.clients()][];
      try {
        for (int m = 0; m < theta.length; m++) {
          theta[m] = peers.get(m).get(100, TimeUnit.SECONDS);
        }
      } finally {
        // Where one has failed, the others would wait for it without end.
        threads.shutdownNow();
      }
      return theta;
    }
  }

  private static PeerOptions with(Mixing mixing) {
    return new PeerOptions(mixing, new Policy.Wait(), NumberCodec.FLOAT64, Masks.NONE);
  }

  @Test
  void run_robustMixing_givesTheSimulatorsBits() throws Exception {
    TestFit fit = new TestFit("ring:2", 7, "ngd", 60, 3);
    for (Mixing mixing :
        List.of(new Mixing.Trimmed(1), new Mixing.Median(), new Mixing.Clipped(0.05))) {
      assertThat(run(fit, _ -> with(mixing), _ -> null)).isDeepEqualTo(fit.simulated(mixing));
    }
  }

  /** Methods that reply, push and hear, on more clients than a test has processes for. */
  @Test
  void run_methodsOfEveryKindOfCall_giveTheSimulatorsBits() throws Exception {
    for (String algorithm :
        List.of(
            "collaborative",
            "d-admm",
            "relaxed-admm",
            "atg",
            "cfa-ge",
            "sgp",
            "extra",
            "bayesian",
            "nids:1",
            "heavy-ball",
            "proxskip",
            "lt-admm-vr",
            "gt-saga",
            "scaffold",
            "fedadam",
            "feddyn",
            "fedpd:1:0.4",
            "dr-dsgd",
            "chi2-dro",
            "mocha",
            "dada")) {
      TestFit fit = new TestFit("ring:2", 8, algorithm, 25, 3);
      assertThat(run(fit, _ -> PeerOptions.PLAIN, _ -> null))
          .as(algorithm)
          .isDeepEqualTo(fit.simulated());
    }
  }

  /** Each peer knows the round's links from the seed; those of other rounds carry nothing. */
  @Test
  void run_networksThatChange_giveTheSimulatorsBits() throws Exception {
    for (TestFit fit :
        List.of(
            new TestFit("base:1", 7, "diging", 41, 3),
            new TestFit("one-peer-exponential", 6, "sgp", 31, 3),
            new TestFit("random-matching", 5, "ngd", 41, 3),
            new TestFit("circle:2 0.2:0.4", 6, "push-diging", 41, 3),
            new TestFit("ring:1 0.1:0.5 bernoulli:0.6", 6, "diging", 60, 3),
            new TestFit("complete 0.1:0.5 cyclic:3", 5, "ngd", 40, 3))) {
      assertThat(run(fit, _ -> PeerOptions.PLAIN, _ -> null))
          .as(fit.toString())
          .isDeepEqualTo(fit.simulated());
    }
  }

  /**
   * Neighbours forget what a peer says it will not ask for again; calls in which they had nothing
   * to say to it may still have been on their way.
   */
  @Test
  void run_networkThatChangesOverManyReceipts_losesNoState() throws Exception {
    TestFit fit = new TestFit("circle:2 0.2:0.4", 6, "push-diging", 1601, 3);
    for (int turn = 0; turn < 2; turn++) {
      assertThat(run(fit, _ -> PeerOptions.PLAIN, _ -> null)).isDeepEqualTo(fit.simulated());
    }
  }

  @Test
  void run_robustMixingOverNetworksThatChange_givesTheSimulatorsBits() throws Exception {
    TestFit fit = new TestFit("complete 0.3:0.4 markov:0.2:0.5", 6, "ngd", 40, 3);
    Mixing mixing = new Mixing.Trimmed(1);
    assertThat(run(fit, _ -> with(mixing), _ -> null)).isDeepEqualTo(fit.simulated(mixing));
  }

  /** Random codecs draw alike in every world, and what error feedback keeps is each peer's own. */
  @Test
  void run_codecs_giveTheSimulatorsBits() throws Exception {
    for (TestFit fit :
        List.of(
            new TestFit("ring:2", 6, "choco top:2", 25, 3),
            new TestFit("ring:2", 6, "beer qsgd:4", 25, 3),
            new TestFit("ring:2", 6, "lead random:2", 25, 3),
            new TestFit("ring:2", 6, "ngd error-feedback:sign", 25, 3),
            new TestFit("ring:1 0.1:0.5 bernoulli:0.6", 6, "diging random:2", 40, 3))) {
      assertThat(run(fit, _ -> PeerOptions.PLAIN, _ -> null))
          .as(fit.toString())
          .isDeepEqualTo(fit.simulated());
    }
  }

  /** The program itself checks the sums; each term alone is noise. */
  @Test
  void run_maskedTerms_sumAsIfTheyWereNot() throws Exception {
    TestFit fit = new TestFit("ring:1", 4, "auto", 60, 3);
    IntFunction<PeerOptions> masked =
        m ->
            new PeerOptions(
                new Mixing.Mean(),
                new Policy.Wait(),
                NumberCodec.FLOAT64,
                (call, terms) -> mask(m, call, terms));
    assertThat(run(fit, masked, _ -> null)).isDeepEqualTo(fit.simulated());
  }

  /** Client 0 adds what client 1 subtracts, and likewise 2 and 3. */
  private static void mask(int client, long call, int[] terms) {
    Random draw = new Random(call * 31 + client / 2);
    for (int at = 0; at < terms.length; at += ExactSum.WORDS) {
      int[] mask = draw.ints(ExactSum.WORDS).toArray();
      if (client % 2 == 1) {
        int[] one = new int[ExactSum.WORDS];
        one[0] = 1;
        for (int i = 0; i < mask.length; i++) {
          mask[i] = ~mask[i];
        }
        ExactSum.addWords(mask, 0, one, 0);
      }
      ExactSum.addWords(terms, at, mask, 0);
    }
  }

  /** Asynchronous NGD has the fixed point of NGD; letters come when they come. */
  @Test
  void run_asyncNgd_comesWhereNgdComes() throws Exception {
    TestFit async = new TestFit("ring:1", 4, "async-ngd", 60_000, 3);
    double[][] ngd = new TestFit("ring:1", 4, "ngd", 1500, 3).simulated();
    double[][] theta = run(async, _ -> PeerOptions.PLAIN, m -> folder.resolve("peer-" + m));
    for (int m = 0; m < 4; m++) {
      assertThat(theta[m]).containsExactly(ngd[m], within(0.1));
    }
  }

  /**
   * Requests and answers are of different lengths, and a client may hear before it writes. One that
   * a busy machine leaves behind takes its last steps alone, towards its own fit: near is not far.
   */
  @Test
  void run_methodsThatGossip_readEachOthersLetters() throws Exception {
    for (String algorithm : List.of("gosgd:1", "ad-psgd")) {
      TestFit gossip = new TestFit("complete", 3, algorithm, 1500, 3);
      double[][] theta = run(gossip, _ -> PeerOptions.PLAIN, _ -> null);
      double[][] ngd = new TestFit("complete", 3, "ngd", 1500, 3).simulated();
      for (int m = 0; m < 3; m++) {
        assertThat(theta[m]).as(algorithm).containsExactly(ngd[m], within(1.5));
      }
    }
  }

  /** The other policies change nothing while everybody is there and in time, or nearly. */
  @Test
  void run_policyLastAndSingleNumbers_comesNearTheSimulator() throws Exception {
    TestFit fit = new TestFit("complete", 4, "ngd", 400, 3);
    PeerOptions options =
        new PeerOptions(new Mixing.Mean(), new Policy.Last(5), NumberCodec.FLOAT32, Masks.NONE);
    double[][] theta = run(fit, _ -> options, _ -> null);
    double[][] exact = fit.simulated();
    for (int m = 0; m < 4; m++) {
      assertThat(theta[m]).containsExactly(exact[m], within(0.05));
    }
  }

  /** The first snapshot meets a full disk; the work goes on, and later ones find room. */
  @Test
  void run_diskFullForAWhile_losesNothing() throws Exception {
    TestFit fit = new TestFit("ring:1", 3, "diging", 6000, 3);
    for (int m = 0; m < 3; m++) {
      Path own = Files.createDirectories(folder.resolve("peer-" + m));
      Files.createSymbolicLink(own.resolve("snapshot.unfinished"), Path.of("/dev/full"));
    }
    double[][] theta;
    try {
      theta = run(fit, _ -> PeerOptions.PLAIN, m -> folder.resolve("peer-" + m));
    } catch (ExecutionException full) {
      // So fast a machine that the first snapshot was the last: it says what to do, and that helps.
      assertThat(full).hasMessageContaining("Free some space and restart the peer");
      theta = run(fit, _ -> PeerOptions.PLAIN, m -> folder.resolve("peer-" + m));
    }
    assertThat(theta).isDeepEqualTo(fit.simulated());
    // Done once, it is not done again: all comes from the disk.
    assertThat(run(fit, _ -> PeerOptions.PLAIN, m -> folder.resolve("peer-" + m)))
        .isDeepEqualTo(fit.simulated());
  }

  @Test
  void run_inAnotherSitesFolder_isRefused() throws Exception {
    TestFit fit = new TestFit("complete", 3, "ngd", 20, 3);
    run(fit, _ -> PeerOptions.PLAIN, m -> folder.resolve("site-" + m));
    assertThatThrownBy(
            () -> run(fit, _ -> PeerOptions.PLAIN, m -> folder.resolve("site-" + (m + 1) % 3)))
        .hasRootCauseInstanceOf(InvalidInput.class)
        .hasMessageContaining("must belong to plan 00, site site-0")
        .hasMessageContaining("site site-1");
  }

  /** Oracle: which client's digest was made another. */
  @Test
  void dissenting_oneClientWithOtherSums_isSeenByAllOthers() {
    Network network = Network.of(Topology.parse("ring:1", 4, TestFit.STREAMS));
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < 4; m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        AllPeers peers =
            new AllPeers(
                network,
                sites,
                _ -> new InProcessTransport("dissent", threads),
                PeerOptions.PLAIN)) {
      byte[] same = new byte[32];
      byte[] other = new byte[32];
      other[7] = 1;
      assertThat(peers.dissenting(m -> m == 2 ? other : same))
          .containsExactly(List.of(2), List.of(2), List.of(0, 1, 3), List.of(2));
      assertThat(peers.dissenting(_ -> other)).containsOnly(List.of());
    }
  }

  /** Sums that differ anywhere, in number, order or bits, have other digests. */
  @Test
  void dissenting_otherSumsSoFar_haveOtherDigests() {
    List<List<Double>> sums =
        List.of(List.of(1.0, 2.0), List.of(2.0, 1.0), List.of(1.0), List.of(1.0, Math.nextUp(2.0)));
    List<String> digests = new ArrayList<>();
    for (List<Double> own : sums) {
      double[] term = own.stream().mapToDouble(x -> x).toArray();
      AgreedTotals agreed = new AgreedTotals(Alone.INSTANCE, List.of(), () -> {});
      agreed.total(term);
      agreed.dissenting(
          digest -> {
            digests.add(java.util.HexFormat.of().formatHex(digest));
            return List.of();
          });
    }
    assertThat(digests).doesNotHaveDuplicates().hasSize(sums.size());
  }

  /** The totals of one client. */
  private enum Alone implements Totals {
    INSTANCE;

    @Override
    public double[] total(double[]... perRow) {
      return perRow[0];
    }

    @Override
    public double max(double... perRow) {
      return perRow[0];
    }
  }
}
