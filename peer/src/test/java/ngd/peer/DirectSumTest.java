package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import ngd.core.WorkFailed;
import ngd.core.linalg.ExactSum;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.world.Mixing;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.Limits;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.proto.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums where everybody hears everybody. Oracle: the sum of the terms, and how often a signature was
 * made or looked at.
 */
class DirectSumTest {
  private static final int SITES = 4;
  private static final int SUM = 10;

  private final List<PeerAddress> sites = new ArrayList<>();
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService wires = Executors.newVirtualThreadPerTaskExecutor();
  private final InProcessTransport transport =
      new InProcessTransport("direct-" + System.identityHashCode(this), wires);
  private final AtomicInteger signed = new AtomicInteger();
  private final AtomicInteger verified = new AtomicInteger();

  DirectSumTest() {
    for (int m = 0; m < SITES; m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
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

  /** Counts instead of computing. */
  private final class Counting implements Signatures {
    @Override
    public int bytes() {
      return 1;
    }

    @Override
    public byte[] sign(byte[] statement) {
      signed.incrementAndGet();
      return new byte[1];
    }

    @Override
    public boolean verify(int client, byte[] statement, byte[] signature) {
      verified.incrementAndGet();
      return true;
    }
  }

  private static Network network(String name) {
    return Network.of(Topology.parse(name, SITES, TestFit.STREAMS));
  }

  private PeerNode node(int self, Network network) throws Exception {
    PeerNode node =
        new PeerNode(
            new PeerSetup(
                new Agreement("00ff", "test"),
                self,
                sites,
                network,
                TestFit.STREAMS,
                new PeerOptions(
                    new Mixing.Mean(),
                    new Policy.Wait(),
                    NumberCodec.FLOAT64,
                    Masks.NONE,
                    new Counting(),
                    PeerOptions.LINGER),
                1 << 20,
                null),
            transport);
    open.add(node);
    return node;
  }

  private Future<Double> sum(PeerNode node) {
    CompletableFuture<Double> answer = new CompletableFuture<>();
    Future<?> _ =
        threads.submit(
            () -> {
              try {
                node.run(
                    context ->
                        answer.complete(
                            context.totals().total(new double[] {context.self() + 1})[0]));
              } catch (RuntimeException failed) {
                answer.completeExceptionally(failed);
              }
              return null;
            });
    return answer;
  }

  /** The ring's terms are passed on once: each site signs its own and looks at three. */
  @ParameterizedTest
  @CsvSource({"complete, 0, 0", "ring:1, 4, 12"})
  void sum_overANetwork_hasSignaturesWhereTermsArePassedOn(String name, int made, int looked)
      throws Exception {
    List<Future<Double>> answers = new ArrayList<>();
    for (int m = 0; m < SITES; m++) {
      answers.add(sum(node(m, network(name))));
    }
    for (Future<Double> answer : answers) {
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(SUM);
    }
    assertThat(signed).hasValue(made);
    assertThat(verified).hasValue(looked);
  }

  /** Without signatures a neighbour still speaks for itself alone. */
  @Test
  void sum_aNeighbourSaysTheTermOfAnother_isRefused() throws Exception {
    Network complete = network("complete");
    Future<Double> answer = sum(node(0, complete));
    for (int m = 1; m < SITES; m++) {
      List<Integer> heard = new Neighbourhood(complete, m).heard;
      Links links =
          new Links(
              new Links.Setup(m, sites, heard, heard, false),
              new Agreement("00ff", "test"),
              transport,
              Limits.of(1 << 20),
              LinkState.START);
      open.add(links);
      // Site 3 gives its term out for site 2's.
      links.say(Kind.TOTAL, 0, 0, List.of(term(m == 3 ? 2 : m)));
    }
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WorkFailed.class)
        .hasMessageContaining("what site-3 passes on was refused 3 times")
        .hasMessageContaining("it must pass on the term of site-3, and did not");
  }

  private static ByteString term(int client) {
    ExactSum sum = new ExactSum();
    sum.add(client + 1);
    int[] words = new int[ExactSum.WORDS];
    sum.words(words, 0);
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(client);
    for (int word : words) {
      bytes.putInt(word);
    }
    return ByteString.copyFrom(bytes.array());
  }
}
