package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import ngd.core.WorkFailed;
import ngd.core.algorithm.NotFinite;
import ngd.core.linalg.ExactSum;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.world.Mixing;
import ngd.peer.identity.SiteSignatures;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.Limits;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One of four sites on a ring speaks the protocol and lies about what others said. Oracle: the sum
 * of the terms, known to the test, and who the liar is.
 */
class LyingRelayTest {
  private static final int SITES = 4;
  private static final int LIAR = 1;
  private static final int SUMS = 3;
  private static final String RUN = "00ff";

  /** What the liar does with the terms of the second sum. */
  enum Lie {
    NONE,
    ALTERED,
    OMITTED,
    REPLAYED,
    SWAPPED,
    INVENTED,
    TWO_OWN_TERMS
  }

  private final Network network = Network.of(Topology.parse("ring:1", SITES, TestFit.STREAMS));
  private final List<PeerAddress> sites = new ArrayList<>();
  private final List<KeyPair> keys = new ArrayList<>();
  private final List<PeerNode> nodes = new ArrayList<>();
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService wires = Executors.newVirtualThreadPerTaskExecutor();
  private final InProcessTransport transport =
      new InProcessTransport("lies-" + System.identityHashCode(this), wires);

  @BeforeEach
  void makeKeys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    for (int m = 0; m < SITES; m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
      keys.add(generator.generateKeyPair());
    }
  }

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    List<Future<?>> closing = new ArrayList<>();
    for (AutoCloseable one : open) {
      closing.add(
          wires.submit(
              () -> {
                one.close();
                return null;
              }));
    }
    for (Future<?> one : closing) {
      one.get(20, TimeUnit.SECONDS);
    }
    wires.shutdownNow();
  }

  private PeerNode node(PeerSetup setup, InProcessTransport over) throws Exception {
    PeerNode node = new PeerNode(setup, over);
    open.add(node);
    return node;
  }

  private Signatures signatures(int self) {
    List<PublicKey> all = keys.stream().map(KeyPair::getPublic).toList();
    return Signatures.of(new SiteSignatures(keys.get(self).getPrivate(), all, RUN));
  }

  private PeerSetup setup(int self, Masks masks, Policy policy) {
    return new PeerSetup(
        new Agreement(RUN, "test"),
        self,
        sites,
        network,
        TestFit.STREAMS,
        new PeerOptions(
            new Mixing.Mean(),
            policy,
            NumberCodec.FLOAT64,
            masks,
            signatures(self),
            PeerOptions.LINGER),
        1 << 20,
        null);
  }

  private static double term(int site, int sum) {
    return site + 1 + 100.0 * sum;
  }

  /** What an honest site comes to: all sums, once it is sure of them. */
  private static double[] sums(PeerContext context) {
    double[] sums = new double[SUMS];
    for (int s = 0; s < SUMS; s++) {
      sums[s] = context.totals().total(new double[] {term(context.self(), s)})[0];
    }
    context.requireAgreement();
    return sums;
  }

  /** An honest site; its answer is there before it bids farewell. */
  private Future<double[]> honest(int self, Policy policy) throws Exception {
    PeerNode node = node(setup(self, Masks.NONE, policy), transport);
    nodes.add(node);
    CompletableFuture<double[]> answer = new CompletableFuture<>();
    Future<?> _ =
        threads.submit(
            () -> {
              try {
                node.run(context -> answer.complete(sums(context)));
              } catch (RuntimeException failed) {
                answer.completeExceptionally(failed);
              }
              return null;
            });
    return answer;
  }

  /** The liar's side of the protocol, written out: terms of one number on a ring of four. */
  private final class Liar implements Runnable {
    private final Lie lie;
    private final Links links;
    private final List<Integer> heard = new Neighbourhood(network, LIAR).heard;
    private final Map<Integer, byte[]> before = new TreeMap<>();

    Liar(Lie lie) throws Exception {
      this.lie = lie;
      links =
          new Links(
              new Links.Setup(LIAR, sites, heard, heard, false),
              new Agreement(RUN, "test"),
              transport,
              Limits.of(1 << 20),
              LinkState.START);
      open.add(links);
    }

    @Override
    public void run() {
      try {
        for (int s = 0; s < SUMS; s++) {
          ExactSum sum = new ExactSum();
          sum.add(term(LIAR, s));
          int[] words = new int[ExactSum.WORDS];
          sum.words(words, 0);
          relay(Kind.TOTAL, words, s == 1 ? lie : Lie.NONE);
        }
      } catch (InterruptedException | RuntimeException ended) {
        // The test is over.
      }
    }

    private byte[] signed(long call, Kind kind, int[] words) {
      byte[] statement = Flooding.statement(new byte[0], call, kind, LIAR, words);
      ByteBuffer entry = ByteBuffer.allocate(4 + 4 * words.length + SiteSignatures.BYTES);
      entry.order(ByteOrder.LITTLE_ENDIAN).putInt(LIAR);
      for (int word : words) {
        entry.putInt(word);
      }
      return entry.put(signatures(LIAR).sign(statement)).array();
    }

    private void relay(Kind kind, int[] own, Lie now) throws InterruptedException {
      long first = links.call();
      Map<Integer, List<ByteString>> each = new TreeMap<>();
      for (int to : heard) {
        int[] words = own.clone();
        words[40] += now == Lie.TWO_OWN_TERMS && to == 2 ? 1 : 0;
        each.put(to, List.of(ByteString.copyFrom(signed(first, kind, words))));
      }
      long call = links.sayEach(kind, 0, 0, each);
      Map<Integer, byte[]> terms = new TreeMap<>();
      links.gather(
          call,
          (i, message) ->
              terms.put(heard.get(i), ByteString.copyFrom(message.pieces()).toByteArray()),
          Links.Patience.ENDLESS);
      call = links.say(kind, 0, 0, List.of(told(terms, now)));
      before.putAll(terms);
      links.gather(call, (_, _) -> {}, Links.Patience.ENDLESS);
    }

    /** The terms of sites 0 and 2, as the liar passes them on. */
    private ByteString told(Map<Integer, byte[]> terms, Lie now) {
      byte[] zero = terms.get(0).clone();
      byte[] two = terms.get(2).clone();
      switch (now) {
        case NONE, TWO_OWN_TERMS -> {}
        case ALTERED -> two[4 * 40] ^= 1;
        case OMITTED -> two = new byte[0];
        case REPLAYED -> two = before.get(2);
        case SWAPPED -> {
          byte[] number = {zero[0], zero[1], zero[2], zero[3]};
          System.arraycopy(two, 0, zero, 0, 4);
          System.arraycopy(number, 0, two, 0, 4);
        }
        case INVENTED -> {
          byte[] own = signed(0, Kind.TOTAL, new int[ExactSum.WORDS]);
          own[0] = 2;
          two = own;
        }
      }
      return ByteString.copyFrom(zero).concat(ByteString.copyFrom(two));
    }
  }

  private List<Future<double[]>> answers(Lie lie, Policy policy) throws Exception {
    List<Future<double[]>> answers = new ArrayList<>();
    for (int m = 0; m < SITES; m++) {
      if (m == LIAR) {
        Future<?> _ = threads.submit(new Liar(lie));
      } else {
        answers.add(honest(m, policy));
      }
    }
    return answers;
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "TWO_OWN_TERMS"})
  void sum_aRelayLies_isRefusedWithItsNameAndNobodyHasAnAnswer(Lie lie) throws Exception {
    List<Future<double[]>> answers = answers(lie, new Policy.Wait());
    String why =
        switch (lie) {
          case OMITTED -> "it must pass on the term of site-2, and did not";
          case SWAPPED -> "did not sign, for this sum, the term that is passed on as its own";
          default -> "site-2 did not sign, for this sum, the term that is passed on as its own";
        };
    // Site 0 hears of site 2 from the liar.
    assertThatThrownBy(() -> answers.get(0).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WorkFailed.class)
        .hasMessageContaining("what site-1 passes on was refused 3 times, so there is no answer")
        .hasMessageContaining(why);
    // Site 3, no neighbour of the liar, learns why site 0 is gone.
    Await.until(
        "a refusal",
        () -> nodes.get(2).status().links().stream().anyMatch(link -> link.refusal() != null));
    assertThat(nodes.get(2).status().links())
        .anySatisfy(
            link ->
                assertThat(link.refusal())
                    .contains("it has ended without an answer", "what site-1 passes on"));
    assertThat(answers.get(2).isDone()).isFalse();
    assertThat(nodes.get(0).status().links())
        .filteredOn(link -> link.name().equals("site-1"))
        .allSatisfy(link -> assertThat(link.meter().connections()).isLessThan(6));
  }

  /** So that the test can fail: the same hand, honest, lets all sums be found. */
  @Test
  void sum_theSameRelayHonest_isFound() throws Exception {
    PeerNode[] own = new PeerNode[SITES];
    List<Future<double[]>> answers = new ArrayList<>();
    Future<?> _ = threads.submit(new Liar(Lie.NONE));
    for (int m : new int[] {0, 2, 3}) {
      own[m] = node(setup(m, Masks.NONE, new Policy.Wait()), transport);
      CompletableFuture<double[]> answer = new CompletableFuture<>();
      answers.add(answer);
      Future<?> _ =
          threads.submit(() -> own[m].run(context -> answer.complete(withoutAgreement(context))));
    }
    for (Future<double[]> answer : answers) {
      assertThat(answer.get(20, TimeUnit.SECONDS)).containsExactly(10, 410, 810);
    }
  }

  private static double[] withoutAgreement(PeerContext context) {
    double[] sums = new double[SUMS];
    for (int s = 0; s < SUMS; s++) {
      sums[s] = context.totals().total(new double[] {term(context.self(), s)})[0];
    }
    return sums;
  }

  /** A site may say what it likes of itself, but not one thing to some and another to others. */
  @ParameterizedTest
  @EnumSource(PolicyKind.class)
  void sum_aSiteWithTwoTerms_isNamedUnderEveryPolicy(PolicyKind kind) throws Exception {
    List<Future<double[]>> answers =
        answers(Lie.TWO_OWN_TERMS, kind == PolicyKind.WAIT ? new Policy.Wait() : new Policy.Drop());
    assertThatThrownBy(() -> answers.get(2).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WorkFailed.class)
        .hasMessageContaining("site-1 has given two different terms of one sum");
  }

  enum PolicyKind {
    WAIT,
    DROP
  }

  /** Counts that are none, and a NaN: each said as what it is. */
  @Test
  void max_aSiteThatDoesNotCount_isAnErrorThatSaysSo() throws Exception {
    Masks miscounting =
        (_, own) -> {
          int[] more = words(-2);
          ExactSum.addWords(own, 0, more, 0);
        };
    assertThatThrownBy(() -> largest(miscounting, 5).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WorkFailed.class)
        .hasMessageContaining("maximum: the sites' counts must be whole numbers and add up to 4");
    assertThatThrownBy(() -> largest(Masks.NONE, Double.NaN).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(NotFinite.class)
        .hasMessageContaining("a maximum over all clients is not a number");
    assertThat(largest(Masks.NONE, 5).get(20, TimeUnit.SECONDS)).isEqualTo(5.0);
  }

  private static int[] words(double number) {
    ExactSum sum = new ExactSum();
    sum.add(number);
    int[] words = new int[ExactSum.WORDS];
    sum.words(words, 0);
    return words;
  }

  /** The maximum that site 0 finds, where site 1 has its own number and way to count. */
  private Future<Double> largest(Masks counting, double number) throws Exception {
    List<Future<Double>> found = new ArrayList<>();
    InProcessTransport own =
        new InProcessTransport("max-%s-%d".formatted(number, counting.hashCode()), wires);
    for (int m = 0; m < SITES; m++) {
      PeerNode node = node(setup(m, m == 1 ? counting : Masks.NONE, new Policy.Wait()), own);
      CompletableFuture<Double> answer = new CompletableFuture<>();
      found.add(answer);
      int self = m;
      Future<?> _ =
          threads.submit(
              () ->
                  node.run(
                      context -> {
                        try {
                          return answer.complete(context.totals().max(self == 1 ? number : self));
                        } catch (RuntimeException failed) {
                          return answer.completeExceptionally(failed);
                        }
                      }));
    }
    return found.getFirst();
  }

  /** A neighbour whose every message is refused is asked again more and more seldom. */
  @ParameterizedTest
  @EnumSource(Side.class)
  void gather_aNeighbourAlwaysRefused_isAskedAgainMoreAndMoreSeldom(Side refusing)
      throws Exception {
    Network pair = Network.of(new double[][] {{0.5, 0.5}, {0.5, 0.5}});
    InProcessTransport own = new InProcessTransport("seldom-" + refusing, wires);
    List<Links> both = new ArrayList<>();
    for (int m = 0; m < 2; m++) {
      List<Integer> heard = new Neighbourhood(pair, m).heard;
      both.add(
          new Links(
              new Links.Setup(m, sites, heard, heard, false),
              new Agreement(RUN, "test"),
              own,
              Limits.of(1 << 10),
              LinkState.START));
      both.get(m).say(Kind.TOTAL, 0, 0, List.of(ByteString.copyFrom(new byte[8])));
    }
    List<Long> refused = new ArrayList<>();
    CompletableFuture<Void> seventh = new CompletableFuture<>();
    Future<?> _ =
        threads.submit(
            () ->
                both.get(refusing == Side.DIALS ? 0 : 1)
                    .gather(
                        0,
                        (_, _) -> {
                          refused.add(System.nanoTime());
                          if (refused.size() == 7) {
                            seventh.complete(null);
                          }
                          throw new Refused(Reason.PROTOCOL, "as a test has it");
                        },
                        Links.Patience.ENDLESS));
    open.addAll(both);
    seventh.get(20, TimeUnit.SECONDS);
    // Each pause by itself: a slow machine makes all of them together as long without any.
    for (int at = 2; at < 7; at++) {
      assertThat(refused.get(at) - refused.get(at - 1))
          .as("the pause before refusal %d", at + 1)
          .isGreaterThanOrEqualTo((20_000_000L << (at - 1)) - 1_000_000);
    }
  }

  enum Side {
    DIALS,
    IS_DIALLED
  }
}
