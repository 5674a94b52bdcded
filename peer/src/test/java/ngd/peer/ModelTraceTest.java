package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import ngd.core.file.Sha256;
import ngd.core.file.WholeFile;
import ngd.core.network.Network;
import ngd.core.world.Mixing;
import ngd.peer.durable.Checkpoints;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.PeerSnapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records what two real peers do, as events of the model: {@code model/check} then finds whether
 * each recorded run is a behaviour of {@code model/Peers.tla}. Here the oracle is the sum, and the
 * order in which some events must stand. With {@code -Dngd.traces=FOLDER} the runs are written
 * there.
 */
class ModelTraceTest {
  private static final int SUMS = 3;
  private static final int END = SUMS + 3;
  private static final int NEVER = Integer.MAX_VALUE;
  private static final List<String> NAMES = List.of("a", "b");
  private static final Network PAIR = Network.of(new double[][] {{0.5, 0.5}, {0.5, 0.5}});
  private static final MethodDescriptor<Frame, Frame> METHOD =
      MethodDescriptor.<Frame, Frame>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("ngd.peer.Neighbour/Link")
          .setRequestMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .build();

  @TempDir Path folder;
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService carriers = Executors.newVirtualThreadPerTaskExecutor();
  private final String wire = "trace-" + System.identityHashCode(this);
  private Server between;

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Peer a, which dials, finds this where it looks for b, and is passed on. */
  @BeforeEach
  void listen() throws Exception {
    between =
        InProcessServerBuilder.forName(wire + "-0/1")
            .executor(carriers)
            .addService(
                ServerServiceDefinition.builder("ngd.peer.Neighbour")
                    .addMethod(METHOD, (call, _) -> new Passing(call))
                    .build())
            .build()
            .start();
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    between.shutdownNow();
    carriers.shutdownNow();
  }

  /** One stream, passed on frame by frame both ways. */
  private final class Passing extends ServerCall.Listener<Frame> {
    private final ManagedChannel channel =
        InProcessChannelBuilder.forName(wire + "-1/1").executor(carriers).build();
    private final ClientCall<Frame, Frame> to = channel.newCall(METHOD, CallOptions.DEFAULT);

    Passing(ServerCall<Frame, Frame> from) {
      from.sendHeaders(new Metadata());
      to.start(
          new ClientCall.Listener<>() {
            @Override
            public void onMessage(Frame frame) {
              seen(frame);
              from.sendMessage(frame);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              from.close(status, new Metadata());
              channel.shutdown();
            }
          },
          new Metadata());
      to.request(Integer.MAX_VALUE);
      from.request(Integer.MAX_VALUE);
    }

    @Override
    public void onMessage(Frame frame) {
      seen(frame);
      to.sendMessage(frame);
    }

    @Override
    public void onHalfClose() {
      to.halfClose();
    }

    @Override
    public void onCancel() {
      to.cancel("the other side is gone", null);
    }
  }

  private void seen(Frame frame) {
    int by = frame.getSender();
    switch (frame.getContentCase()) {
      case GREETING ->
          events.add(
              "[kind |-> \"greeting\", by |-> \"%s\", needs |-> %d, offers |-> %d]"
                  .formatted(
                      NAMES.get(by),
                      frame.getGreeting().getNeeds(),
                      frame.getGreeting().getOffers()));
      case PART -> event("part", by, frame.getPart().getCall());
      case RECEIPT -> {
        event("receipt", by, frame.getReceipt().getDurable());
        if (frame.getReceipt().getConfirmed() > 0) {
          event("farewell", by);
        }
      }
      default -> {}
    }
  }

  private void event(String kind, int by, long call) {
    events.add(
        "[kind |-> \"%s\", by |-> \"%s\", call |-> %d]".formatted(kind, NAMES.get(by), call));
  }

  private void event(String kind, int by) {
    events.add("[kind |-> \"%s\", by |-> \"%s\"]".formatted(kind, NAMES.get(by)));
  }

  private PeerNode node(int self) throws Exception {
    List<PeerAddress> sites =
        List.of(new PeerAddress(0, "a", "", 0), new PeerAddress(1, "b", "", 0));
    return new PeerNode(
        new PeerSetup(
            new Agreement("00", "test"),
            self,
            sites,
            PAIR,
            TestFit.STREAMS,
            new PeerOptions(
                new Mixing.Mean(),
                new Policy.Wait(),
                NumberCodec.FLOAT64,
                Masks.NONE,
                Signatures.NONE,
                Duration.ofMinutes(5)),
            1 << 20,
            folder.resolve(NAMES.get(self))),
        new InProcessTransport(wire + "-" + self, carriers));
  }

  /**
   * Runs a peer until it has left, or is killed.
   *
   * @param last the calls after which it is killed; one more than all of them for the moment at
   *     which it has its answer, and {@link #NEVER}
   */
  private Future<double[]> start(int self, int last) throws Exception {
    PeerNode node = node(self);
    long before = node.status().call();
    return threads.submit(
        () -> {
          double[] sums;
          try (node) {
            sums =
                node.run(
                    context -> sums(context, before, last),
                    _ -> {
                      event("answer", self);
                      killAfter(END + 1, last);
                    });
          } catch (Killed killed) {
            event("killed", self);
            throw killed;
          }
          event("left", self);
          return sums;
        });
  }

  private static void killAfter(int call, int last) {
    if (call == last) {
      throw new Killed();
    }
  }

  private double[] sums(PeerContext context, long before, int last) {
    int self = context.self();
    context.commit(Sha256.of(NAMES.get(self).getBytes(StandardCharsets.UTF_8)));
    done(self, 2, before, last);
    double[] sums = new double[SUMS];
    for (int s = 0; s < SUMS; s++) {
      sums[s] = context.totals().total(new double[] {(s + 1) * (self + 1)})[0];
      done(self, s + 3, before, last);
    }
    context.requireAgreement();
    done(self, END, before, last);
    return sums;
  }

  /** A run that goes on from the disk passes calls that were done before: no events. */
  private void done(int self, int call, long before, int last) {
    if (call > before) {
      event("done", self, call);
      killAfter(call, last);
    }
  }

  /** Starts a peer again; it goes on from its newest snapshot. */
  private Future<double[]> back(int self, int last) throws Exception {
    try (Checkpoints disk =
        new Checkpoints(
            folder.resolve(NAMES.get(self)), "plan 00, site %s".formatted(NAMES.get(self)))) {
      Optional<byte[]> newest = disk.newest();
      event(
          "back",
          self,
          newest.isEmpty() ? 0 : PeerSnapshot.parseFrom(newest.get()).getLinks().getCall());
    }
    return start(self, last);
  }

  private void killed(Future<double[]> peer) {
    assertThatThrownBy(() -> peer.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(Killed.class);
  }

  /** The terms are 1 and 2, 2 and 4, 3 and 6. */
  private static void answers(Future<double[]> peer) throws Exception {
    assertThat(peer.get(60, TimeUnit.SECONDS)).containsExactly(3, 6, 9);
  }

  /** What every run shows, and the run itself where it is asked for. */
  private void keep(String name) throws Exception {
    List<String> run = List.copyOf(events);
    for (String who : NAMES) {
      List<String> own =
          run.stream().filter(e -> e.contains("by |-> \"%s\"".formatted(who))).toList();
      assertThat(own).filteredOn(e -> e.contains("left")).hasSize(1);
      int answer = own.indexOf("[kind |-> \"answer\", by |-> \"%s\"]".formatted(who));
      int farewell = own.indexOf("[kind |-> \"farewell\", by |-> \"%s\"]".formatted(who));
      assertThat(answer).isNotNegative().isLessThan(farewell);
    }
    String traces = System.getProperty("ngd.traces", "");
    if (!traces.isEmpty()) {
      WholeFile.write(
          Path.of(traces).resolve(name + ".tla"),
          """
          ---- MODULE TraceData ----
          \\* Recorded by ModelTraceTest: %s.
          Events == <<
            %s
          >>
          ====
          """
              .formatted(name, String.join(",\n  ", run)));
    }
  }

  @Test
  void run_withoutFaults_isRecorded() throws Exception {
    Future<double[]> a = start(0, NEVER);
    Future<double[]> b = start(1, NEVER);
    answers(a);
    answers(b);
    keep("no-faults");
  }

  @Test
  void run_oneKilledAmidSums_isRecorded() throws Exception {
    Future<double[]> a = start(0, NEVER);
    killed(start(1, 4));
    Future<double[]> b = back(1, NEVER);
    answers(a);
    answers(b);
    keep("killed-amid-sums");
  }

  @Test
  void run_bothKilledOneTwice_isRecorded() throws Exception {
    Future<double[]> a = start(0, 5);
    killed(start(1, 3));
    killed(back(1, 4));
    Future<double[]> b = back(1, NEVER);
    killed(a);
    answers(back(0, NEVER));
    answers(b);
    keep("killed-three-times");
  }

  @Test
  void run_newestSnapshotDamaged_isRecorded() throws Exception {
    Future<double[]> a = start(0, NEVER);
    killed(start(1, 5));
    try (Stream<Path> files = Files.list(folder.resolve("b"))) {
      List<Path> snapshots =
          files.filter(f -> f.getFileName().toString().matches("snapshot-\\d+")).sorted().toList();
      assertThat(snapshots).hasSizeGreaterThan(1);
      Files.write(snapshots.getLast(), new byte[9]);
    }
    event("damaged", 1);
    Future<double[]> b = back(1, NEVER);
    answers(a);
    answers(b);
    keep("newest-damaged");
  }

  @Test
  void run_killedWithTheAnswer_isRecorded() throws Exception {
    Future<double[]> a = start(0, NEVER);
    killed(start(1, END + 1));
    Future<double[]> b = back(1, NEVER);
    answers(a);
    answers(b);
    keep("killed-with-the-answer");
  }
}
