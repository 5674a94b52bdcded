package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.grpc.protobuf.ProtoUtils;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import ngd.core.network.Network;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.Credentials;
import ngd.peer.wire.Handshakes;
import ngd.peer.wire.Limits;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.Reason;
import ngd.peer.wire.TlsTransport;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Greeting;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Part;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever comes with the wrong papers or says the wrong things is refused, counted and logged by
 * name, and the peer serves its good neighbour as before. PeerAddress 1 is the peer; site 0, which
 * dials it, is played by the test; site 2 is no neighbour of it.
 */
class BadNeighbourTest {
  private static final TestAuthority AUTHORITY = new TestAuthority("authority");
  private static final Logger LOGGER = Logger.getLogger("ngd.peer");
  private static final int WIDTH = 3;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<PeerAddress> sites = AllPeers.sites(3);

  private final Handler listening =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          log.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private Links links;

  /** PeerAddress 1 hears site 0; nobody hears site 1 but site 0. */
  @BeforeEach
  void start() throws Exception {
    LOGGER.addHandler(listening);
    LOGGER.setLevel(Level.ALL);
    Network network = Network.of(new double[][] {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}});
    Neighbourhood neighbourhood = new Neighbourhood(network, 1);
    links =
        new Links(
            new Links.Setup(1, sites, neighbourhood.heard, neighbourhood.listeners, false),
            AllPeers.AGREEMENT,
            new TlsTransport(AUTHORITY.credentials("site-1"), "127.0.0.1"),
            new Limits(WIDTH * 8, 64, 1 << 20),
            LinkState.START);
  }

  @AfterEach
  void stop() {
    LOGGER.removeHandler(listening);
    channels.forEach(ManagedChannel::shutdownNow);
    links.close();
  }

  /** A stream to the peer, opened by the test. */
  private final class Caller extends ClientCall.Listener<Frame> {
    final CompletableFuture<Status> closed = new CompletableFuture<>();
    final CompletableFuture<Frame> greeted = new CompletableFuture<>();
    final ClientCall<Frame, Frame> call;

    Caller(Credentials credentials) throws Exception {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", sites.get(1).port())
              .sslContext(
                  GrpcSslContexts.configure(SslContextBuilder.forClient())
                      .keyManager(credentials.keys())
                      .trustManager(InsecureTrustManagerFactory.INSTANCE)
                      .build())
              .overrideAuthority("peer")
              .build();
      channels.add(channel);
      MethodDescriptor<Frame, Frame> method =
          MethodDescriptor.<Frame, Frame>newBuilder()
              .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName("ngd.peer.Neighbour/Link")
              .setRequestMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
              .setResponseMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
              .build();
      call = channel.newCall(method, CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(100);
    }

    @Override
    public void onMessage(Frame frame) {
      greeted.complete(frame);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      closed.complete(status);
    }

    Caller greet() throws Exception {
      call.sendMessage(greeting(AllPeers.AGREEMENT).build());
      assertThat(greeted.get(20, TimeUnit.SECONDS).hasGreeting()).isTrue();
      return this;
    }

    Caller say(Part.Builder part) {
      call.sendMessage(Frame.newBuilder().setSender(0).setPart(part).build());
      return this;
    }

    Status end() throws Exception {
      return closed.get(20, TimeUnit.SECONDS);
    }
  }

  /**
   * Whoever can reach the port shows a certificate of his own making, with lines of a log in it.
   */
  @Test
  void stranger_withLinesInHisName_writesNone() throws Exception {
    // A client shows what the name that the server asks for has signed.
    TestAuthority stranger = new TestAuthority("authority");
    for (int i = 0; i < 4; i++) {
      String name =
          "x"
              + ",OU=many letters".repeat(200)
              + ",CN=n"
              + i % 2
              + "\\0A2026-01-01T00:00:00Z info a: connected";
      new Caller(stranger.credentials(name)).end();
    }
    assertThat(log).noneMatch(line -> line.contains("\n")).allMatch(line -> line.length() < 600);
    assertThat(log.stream().filter(line -> line.startsWith("refused certificate=CN=n")))
        .hasSize(2)
        .allMatch(line -> line.contains("u000a2026") || line.contains("0A2026"));
    for (int i = 0; i < 5000; i++) {
      links.refusedCertificate("CN=n" + i % 2 + i + "x".repeat(3000), "site-" + i, "not believed");
    }
    assertThat(log.stream().mapToInt(String::length).sum()).isLessThan(20 * 600);
  }

  private static Frame.Builder greeting(Agreement agreement) {
    return Frame.newBuilder()
        .setSender(0)
        .setGreeting(
            Greeting.newBuilder()
                .setProtocol(Links.PROTOCOL)
                .setPlanHash(ByteString.copyFromUtf8(agreement.hash())));
  }

  private static Part.Builder part(long call, double... numbers) {
    List<ByteString> pieces =
        NumberCodec.FLOAT64.encode(numbers, 0, numbers.length, Limits.of(1 << 20));
    return Part.newBuilder()
        .setCall(call)
        .setKind(Kind.MIX)
        .setLength(8L * numbers.length)
        .setBytes(pieces.getFirst());
  }

  private Caller neighbour() throws Exception {
    return new Caller(AUTHORITY.credentials("site-0"));
  }

  /** The good neighbour comes, greets and is heard. */
  private void serviceUnharmed(long call) throws Exception {
    Caller good = neighbour().greet().say(part(call, 1, 2, 3));
    double[] heard = new double[WIDTH];
    CompletableFuture<List<Integer>> gathered = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                gathered.complete(
                    links.gather(
                        call,
                        (i, message) ->
                            NumberCodec.FLOAT64.decode(
                                message, heard, 0, WIDTH, PeerExchange.BOUND),
                        Links.Patience.ENDLESS));
              } catch (InterruptedException | RuntimeException failed) {
                gathered.completeExceptionally(failed);
              }
            });
    assertThat(gathered.get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(heard).containsExactly(1, 2, 3);
    assertThat(good.closed).isNotDone();
  }

  private Map<Reason, Long> rejected() {
    return links.watch().getFirst().meter().rejected();
  }

  private void logged(String... words) {
    assertThat(log).anySatisfy(line -> assertThat(line).contains(words));
  }

  @Test
  void certificate_ofAnotherAuthority_isRefusedWithALogLine() throws Exception {
    TestAuthority other = new TestAuthority("authority");
    Caller stranger = new Caller(other.credentials("site-0"));
    assertThat(stranger.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    logged("refused", "certificate=CN=site-0", "CERTIFICATE");
    serviceUnharmed(0);
  }

  @Test
  void certificate_expired_isRefusedWithALogLine() throws Exception {
    Caller late = new Caller(AUTHORITY.credentials("site-0", Duration.ofDays(-1), AUTHORITY));
    assertThat(late.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    logged("refused", "certificate=CN=site-0");
    serviceUnharmed(0);
  }

  @Test
  void certificate_validButOfNoNeighbour_isRefusedWithALogLine() throws Exception {
    Caller other = new Caller(AUTHORITY.credentials("site-2"));
    assertThat(other.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    logged("refused", "certificate=CN=site-2", "`site-2` is not");
    serviceUnharmed(0);
  }

  @Test
  void client_withoutTls_getsNothing() throws Exception {
    long before = Handshakes.failed();
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), sites.get(1).port())) {
      OutputStream out = plain.getOutputStream();
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      plain.setSoTimeout(20_000);
      // An alert, or nothing, and then the end.
      byte[] answer = plain.getInputStream().readAllBytes();
      assertThat(answer.length).isLessThan(20);
    }
    serviceUnharmed(0);
    assertThat(Handshakes.failed()).isGreaterThan(before);
    logged("refused", "HANDSHAKE");
  }

  @Test
  void greeting_ofAnotherPlan_isRefusedWithOursToCompare() throws Exception {
    Caller other = neighbour();
    other.call.sendMessage(greeting(new Agreement("abcd", "plan: other\n")).build());
    Frame first = other.greeted.get(20, TimeUnit.SECONDS);
    assertThat(first.hasGreeting()).isTrue();
    assertThat(other.end().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    logged("refused", "peer=site-0", "PLAN");
    assertThat(rejected()).containsEntry(Reason.PLAN, 1L);
    assertThat(new Agreement("abcd", "a: 1\nplan: other\n").difference("a: 1\nplan: test\n"))
        .isEqualTo("plans differ in line 2: here `plan: other`, there `plan: test`");
    serviceUnharmed(0);
  }

  @Test
  void sender_whoIsSomebodyElse_isRefused() throws Exception {
    Caller liar = neighbour().greet();
    liar.call.sendMessage(Frame.newBuilder().setSender(2).setPart(part(0, 1, 2, 3)).build());
    assertThat(liar.end().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(rejected()).containsEntry(Reason.SENDER, 1L);
    serviceUnharmed(0);
  }

  @Test
  void part_beforeTheGreeting_isRefused() throws Exception {
    Caller hasty = neighbour().say(part(0, 1, 2, 3));
    assertThat(hasty.end().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    logged("refused", "peer=site-0", "GREETING");
    serviceUnharmed(0);
  }

  @Test
  void message_replayed_isRefused() throws Exception {
    serviceUnharmed(0);
    Caller again = neighbour().greet().say(part(0, 1, 2, 3));
    assertThat(again.end().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    logged("refused", "peer=site-0", "REPLAYED");
    assertThat(rejected()).containsEntry(Reason.REPLAYED, 1L);
    serviceUnharmed(1);
  }

  @Test
  void message_fromTheFuture_isRefused() throws Exception {
    assertThat(neighbour().greet().say(part(7, 1, 2, 3)).end().getCode())
        .isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(rejected()).containsEntry(Reason.FUTURE, 1L);
    serviceUnharmed(0);
  }

  @Test
  void message_ofTenGigabytes_isRefusedAtItsFirstPiece() throws Exception {
    Caller large = neighbour().greet().say(part(0, 1, 2, 3).setLength(10_000_000_000L));
    assertThat(large.end().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    logged("refused", "peer=site-0", "LENGTH", "10000000000");
    serviceUnharmed(0);
  }

  /** The frame itself says that ten gigabytes follow, below the protocol. */
  @Test
  void frame_largerThanAPiece_isRefusedUnread() throws Exception {
    Caller large = neighbour().greet();
    large.say(part(0, 1, 2, 3).setBytes(ByteString.copyFrom(new byte[1 << 22])));
    assertThat(large.end().isOk()).isFalse();
    serviceUnharmed(0);
  }

  @Test
  void message_withNumbersThatAreNone_isRefusedAndAskedForAgain() throws Exception {
    double[][] bad = {
      {Double.NaN, 1, 1}, {Double.POSITIVE_INFINITY, 1, 1}, {1e101, 1, 1}, {1, 1},
    };
    Reason[] reasons = {Reason.NOT_FINITE, Reason.NOT_FINITE, Reason.NORM, Reason.DIMENSION};
    for (int i = 0; i < bad.length; i++) {
      Caller caller = neighbour().greet().say(part(i, bad[i]));
      serviceUnharmedAfter(caller, i);
      assertThat(rejected()).containsKey(reasons[i]);
      logged("refused", "peer=site-0", reasons[i].name());
    }
  }

  /** The bad message is refused when it is needed; the same call from a new stream is taken. */
  private void serviceUnharmedAfter(Caller bad, long call) throws Exception {
    double[] heard = new double[WIDTH];
    CompletableFuture<List<Integer>> gathered = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                gathered.complete(
                    links.gather(
                        call,
                        (i, message) ->
                            NumberCodec.FLOAT64.decode(
                                message, heard, 0, WIDTH, PeerExchange.BOUND),
                        Links.Patience.ENDLESS));
              } catch (InterruptedException | RuntimeException failed) {
                gathered.completeExceptionally(failed);
              }
            });
    assertThat(bad.end().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(gathered).isNotDone();
    neighbour().greet().say(part(call, 4, 5, 6));
    assertThat(gathered.get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(heard).containsExactly(4, 5, 6);
  }

  /** A flood stops at the window: what is not asked for stays with the sender. */
  @Test
  void flood_ofMessages_isHeldBack() throws Exception {
    Caller flood = neighbour().greet();
    for (int call = 0; call < 100_000; call++) {
      flood.say(part(call, 1, 2, 3));
    }
    double[] heard = new double[WIDTH];
    for (int call = 0; call < 2000; call++) {
      links.gather(
          call,
          (i, message) -> NumberCodec.FLOAT64.decode(message, heard, 0, WIDTH, PeerExchange.BOUND),
          Links.Patience.ENDLESS);
    }
    assertThat(links.watch().getFirst().meter().bytesIn())
        .isLessThan((1 << 20) + 2000 * 24 + 64 * 24);
    assertThat(flood.closed).isNotDone();
  }
}
