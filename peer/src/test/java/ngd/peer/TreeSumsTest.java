package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import ngd.core.WorkFailed;
import ngd.core.inference.FitProgress;
import ngd.core.linalg.ExactSum;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import ngd.peer.SpanningTrees.Tree;
import ngd.peer.bench.BenchSums;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.Limits;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.proto.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Partial sums along two trees. Oracles: plain addition, the simulator, and who was made to lie.
 */
class TreeSumsTest {
  private static final int SITES = 9;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService wires = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Links> open = new ArrayList<>();
  private final Network network =
      Network.of(Topology.parse("small-world:2:0.3", SITES, TestFit.STREAMS));
  private final SpanningTrees trees = SpanningTrees.of(network).orElseThrow();

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    List<Future<?>> closing = new ArrayList<>();
    for (Links one : open) {
      closing.add(wires.submit(one::close));
    }
    for (Future<?> one : closing) {
      one.get(20, TimeUnit.SECONDS);
    }
    wires.shutdownNow();
  }

  /** What a site on the way does to what it says. */
  private interface Lie {
    byte[] told(int call, int to, byte[] honest);
  }

  private static final Lie HONEST = (_, _, honest) -> honest;

  /** The calls of a site that lies. */
  private static final class LyingCalls extends Calls {
    private final Lie lie;

    LyingCalls(Links links, Lie lie) {
      super(links, PeerListener.NONE);
      this.lie = lie;
    }

    @Override
    long sayEach(Kind kind, Map<Integer, List<ByteString>> pieces) {
      int call = (int) next();
      Map<Integer, List<ByteString>> told = new TreeMap<>();
      pieces.forEach(
          (to, honest) -> {
            byte[] bytes = lie.told(call, to, ByteString.copyFrom(honest).toByteArray());
            told.put(to, bytes.length == 0 ? List.of() : List.of(ByteString.copyFrom(bytes)));
          });
      return super.sayEach(kind, told);
    }
  }

  /** A signature that only its client makes: good enough for sites that cannot compute it. */
  private static Signatures signatures(int self) {
    return new Signatures() {
      @Override
      public int bytes() {
        return 36;
      }

      @Override
      public byte[] sign(byte[] statement) {
        byte[] signed = Arrays.copyOf(statement, 36);
        signed[35] = (byte) self;
        return signed;
      }

      @Override
      public boolean verify(int client, byte[] statement, byte[] signature) {
        byte[] good = Arrays.copyOf(statement, 36);
        good[35] = (byte) client;
        return Arrays.equals(good, signature);
      }
    };
  }

  /** What each site comes to, or its failure. */
  private <T> List<CompletableFuture<T>> all(int liar, Lie lie, Function<TreeSums, T> work)
      throws Exception {
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < SITES; m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
    }
    InProcessTransport transport =
        new InProcessTransport("trees-" + System.identityHashCode(sites), wires);
    List<CompletableFuture<T>> found = new ArrayList<>();
    for (int m = SITES - 1; m >= 0; m--) {
      Neighbourhood neighbourhood = new Neighbourhood(network, m);
      Limits limits = Limits.of(1 << 20);
      Links links =
          new Links(
              new Links.Setup(m, sites, neighbourhood.heard, neighbourhood.listeners, false),
              new Agreement("00", "test"),
              transport,
              limits,
              LinkState.START);
      open.add(links);
      TreeSums sums =
          new TreeSums(
              new LyingCalls(links, m == liar ? lie : HONEST),
              neighbourhood,
              trees,
              limits,
              signatures(m));
      CompletableFuture<T> answer = new CompletableFuture<>();
      found.addFirst(answer);
      Future<?> _ =
          threads.submit(
              () -> {
                try {
                  answer.complete(work.apply(sums));
                } catch (RuntimeException failed) {
                  answer.completeExceptionally(failed);
                }
              });
    }
    return found;
  }

  private static int[] words(double number) {
    ExactSum sum = new ExactSum();
    sum.add(number);
    int[] words = new int[ExactSum.WORDS];
    sum.words(words, 0);
    return words;
  }

  private static double number(int[] words) {
    return ExactSum.ofWords(words, 0).value();
  }

  private static Function<TreeSums, Double> sumOf(double each) {
    return sums -> number(sums.sum(words(each), ExactSum.WORDS));
  }

  @Test
  void sum_honestSites_isPlainAddition() throws Exception {
    for (CompletableFuture<Double> one : all(-1, HONEST, sumOf(0.1))) {
      // The exact sum of nine times the double nearest 0.1, rounded once.
      assertThat(one.get(20, TimeUnit.SECONDS)).isEqualTo(0.9);
    }
  }

  /** A site with children in the first tree that is the root of neither. */
  private int relay() {
    Tree first = trees.trees.getFirst();
    return IntStream.range(0, SITES)
        .filter(m -> !first.children.get(m).isEmpty())
        .filter(m -> m != first.root && m != trees.trees.get(1).root)
        .findFirst()
        .orElseThrow();
  }

  /** What one tree carries up is changed; the other carries what it should. */
  @Test
  void sum_aPartialSumChangedInOneTree_isNoticedByAll() throws Exception {
    Tree first = trees.trees.getFirst();
    int liar = relay();
    int when = trees.height() - first.depths[liar];
    Lie lie =
        (call, to, honest) -> {
          if (call == when && to == first.parents[liar]) {
            honest[4 * 34] ^= 1;
          }
          return honest;
        };
    for (CompletableFuture<Double> one : all(liar, lie, sumOf(0.1))) {
      assertThatThrownBy(() -> one.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(WorkFailed.class)
          .hasMessageContaining("both trees must come to the same sum");
    }
  }

  /** A result on its way down is another than the root signed: the one who says so is named. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void sum_aResultChangedOrLeftOutOnItsWayDown_namesWhoPassedItOn(boolean changed)
      throws Exception {
    Tree first = trees.trees.getFirst();
    int liar = relay();
    int victim = first.children.get(liar).getFirst();
    int when = trees.height() + first.depths[liar];
    Lie lie =
        (call, to, honest) -> {
          if (call != when || to != victim) {
            return honest;
          }
          honest[4 * 34] ^= 1;
          return changed ? honest : new byte[0];
        };
    List<CompletableFuture<Double>> found = all(liar, lie, sumOf(0.1));
    assertThatThrownBy(() -> found.get(victim).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WorkFailed.class)
        .hasMessageContaining("what site-%d passes on was refused 3 times".formatted(liar))
        .hasMessageContaining(
            changed ? "did not sign, for this sum, the result" : "partial sums must take");
  }

  @Test
  void digest_honestSites_isTheSameAndChangesWithEveryCommitment() throws Exception {
    Set<String> digests = new HashSet<>();
    for (int other = -1; other < SITES; other++) {
      int changed = other;
      List<CompletableFuture<String>> found =
          all(
              -1,
              HONEST,
              sums -> java.util.HexFormat.of().formatHex(sums.digest(commitment(sums, changed))));
      String first = found.getFirst().get(20, TimeUnit.SECONDS);
      for (CompletableFuture<String> one : found) {
        assertThat(one.get(20, TimeUnit.SECONDS)).isEqualTo(first);
      }
      digests.add(first);
    }
    assertThat(digests).hasSize(SITES + 1);
  }

  private static byte[] commitment(TreeSums sums, int changed) {
    byte[] own = new byte[32];
    own[0] = (byte) sums.self();
    own[1] = (byte) (sums.self() == changed ? 1 : 0);
    return own;
  }

  /** A root that hashed something else for a site, such as what it said before, is named. */
  @Test
  void digest_aCommitmentKeptOut_isNoticedByItsSite() throws Exception {
    Tree first = trees.trees.getFirst();
    int liar = first.root;
    int victim = first.children.get(liar).getLast();
    int slot = 32 + 36 * (first.children.get(liar).size() - 1) + 4;
    Lie lie =
        (call, to, honest) -> {
          if (call == trees.height() && to == victim) {
            Arrays.fill(honest, slot, slot + 32, (byte) 0);
          }
          return honest;
        };
    List<CompletableFuture<byte[]>> found =
        all(liar, lie, sums -> sums.digest(commitment(sums, -1)));
    assertThatThrownBy(() -> found.get(victim).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WorkFailed.class)
        .hasMessageContaining("what site-%d passes on was refused 3 times".formatted(liar))
        .hasMessageContaining("must pass on all commitments, that of site-" + victim);
  }

  @ParameterizedTest
  @CsvSource({"complete, 12, 1", "small-world:2:0.5, 300, 150", "ring:1, 8, 7", "torus, 144, 80"})
  void trees_ofANetwork_spanItAndShareFewLinks(String topology, int clients, int mostShared) {
    Network links = Network.of(Topology.parse(topology, clients, Streams.of(3)));
    List<Tree> both = SpanningTrees.of(links).orElseThrow().trees;
    List<Set<String>> used = new ArrayList<>();
    for (Tree tree : both) {
      Set<String> own = new HashSet<>();
      for (int m = 0; m < clients; m++) {
        int at = m;
        for (int step = 0; at != tree.root; step++) {
          assertThat(links.weight(at, tree.parents[at])).isPositive();
          assertThat(step).isLessThan(clients);
          at = tree.parents[at];
        }
        if (m != tree.root) {
          own.add(Math.min(m, tree.parents[m]) + " " + Math.max(m, tree.parents[m]));
        }
      }
      assertThat(own).hasSize(clients - 1);
      used.add(own);
    }
    assertThat(both.get(0).root).isNotEqualTo(both.get(1).root);
    used.get(0).retainAll(used.get(1));
    assertThat(used.get(0)).hasSizeLessThanOrEqualTo(mostShared);
  }

  /** More sites than terms are flooded among: trees, a circle of masks, signatures. */
  @Test
  void run_manyPeers_comeToTheSimulatorsPooledAnswer() throws Exception {
    BenchSums bench = new BenchSums("small-world:2:0.5", 110, 3, 20);
    BenchSums.Measure found = bench.run();
    Simulation simulation =
        new Simulation(
            bench.network(),
            new Logistic().over(bench.shards(IntStream.range(0, 110).toArray())),
            Streams.of(1),
            1);
    double[] expected =
        simulation.within(
            world -> {
              List<Double> pi = new ArrayList<>();
              for (int m = 0; m < 110; m++) {
                pi.add(1.0 / 110);
              }
              return bench.fit(pi).run(world, FitProgress.NONE).theta();
            });
    assertThat(found.theta()).containsExactlyElementsOf(Arrays.stream(expected).boxed().toList());
  }
}
