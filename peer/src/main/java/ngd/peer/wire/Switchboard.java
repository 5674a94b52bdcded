package ngd.peer.wire;

import static java.lang.System.Logger.Level.WARNING;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import ngd.peer.wire.proto.Frame;
import org.jspecify.annotations.Nullable;

/**
 * One listening port and one connection to each neighbour, shared by all runs of a standing peer:
 * every run has a {@link Line}, a stream to each neighbour, known by the hash of what was agreed
 * on.
 */
public final class Switchboard implements Neighbours, AutoCloseable {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  /** Which run a stream belongs to. */
  private static final Metadata.Key<String> RUN =
      Metadata.Key.of("ngd-run", Metadata.ASCII_STRING_MARSHALLER);

  private static final ServerCall.Listener<Frame> NOBODY = new ServerCall.Listener<>() {};

  private final Transport base;
  private final Limits limits;
  private final Repeats certificates = new Repeats();
  private final Map<String, ServerCallHandler<Frame, Frame>> runs = new ConcurrentHashMap<>();
  private final Map<String, ManagedChannel> ways = new ConcurrentHashMap<>();
  private final @Nullable Server server;
  private volatile List<PeerAddress> neighbours;

  /**
   * Begins to listen, where this member has an address.
   *
   * @param neighbours those with whom there may be a connection
   * @param news takes streams of news
   */
  Switchboard(
      Transport base,
      PeerAddress self,
      Collection<PeerAddress> neighbours,
      Limits limits,
      ServerCallHandler<Frame, Frame> news)
      throws IOException {
    this.base = base;
    this.limits = limits;
    this.neighbours = List.copyOf(neighbours);
    BindableService service =
        () ->
            ServerServiceDefinition.builder("ngd.peer.Neighbour")
                .addMethod(Links.METHOD, this::accept)
                .addMethod(NewsLinks.METHOD, news)
                .build();
    server = self.port() > 0 ? base.serve(self, this, service, limits) : null;
  }

  private ServerCall.Listener<Frame> accept(ServerCall<Frame, Frame> call, Metadata headers) {
    String run = headers.get(RUN);
    ServerCallHandler<Frame, Frame> handler = run == null ? null : runs.get(run);
    if (handler == null) {
      call.close(
          Status.UNAVAILABLE.withDescription("this run has not begun here, or has ended"),
          new Metadata());
      return NOBODY;
    }
    return handler.startCall(call, headers);
  }

  /**
   * The way to one neighbour, opened where it is not yet, and anew where it led nowhere: the
   * neighbour's name may have an address now, or another one, and nobody has a stream on it.
   */
  Channel way(PeerAddress other) {
    ManagedChannel known = ways.get(other.name());
    if (known != null && known.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      reopen(other);
    }
    return ways.computeIfAbsent(other.name(), _ -> base.dial(other, this, limits));
  }

  /** Closes the way to a neighbour; the next use opens another, with the certificates of then. */
  void reopen(PeerAddress other) {
    ManagedChannel way = ways.remove(other.name());
    if (way != null) {
      way.shutdownNow();
    }
  }

  /** Refuses a connection that is not of a neighbour; gives its name, null within a process. */
  @Nullable String provenName(io.grpc.Attributes connection) throws Refused {
    return base.provenName(connection);
  }

  /** Those with whom there may be a connection from now on. */
  void neighbours(Collection<PeerAddress> now) {
    List<PeerAddress> before = neighbours;
    neighbours = List.copyOf(now);
    before.stream().filter(site -> !now.contains(site)).forEach(this::reopen);
  }

  @Override
  public Collection<PeerAddress> all() {
    return neighbours;
  }

  @Override
  public void refusedCertificate(String whose, String site, String why) {
    String line =
        certificates.next(
            "refused certificate=%s reason=%s detail=%s".formatted(whose, Reason.CERTIFICATE, why));
    if (line != null) {
      LOG.log(WARNING, line);
    }
  }

  /** What carries the messages of one run. */
  public Transport line(String run) {
    return new Line(this, run);
  }

  @Override
  public void close() {
    ways.values().forEach(ManagedChannel::shutdownNow);
    if (server != null) {
      server.shutdownNow();
    }
  }

  /**
   * One run's share of the connections.
   *
   * @param run the hash of what its members agreed on
   */
  record Line(Switchboard board, String run) implements Transport {
    @Override
    public Server serve(
        PeerAddress self, Neighbours neighbours, BindableService service, Limits limits) {
      @SuppressWarnings("unchecked") // The one service has this one method.
      ServerCallHandler<Frame, Frame> handler =
          (ServerCallHandler<Frame, Frame>)
              service
                  .bindService()
                  .getMethod(Links.METHOD.getFullMethodName())
                  .getServerCallHandler();
      board.runs.put(run, handler);
      return new Registration(board, run, self.port());
    }

    @Override
    public ManagedChannel dial(PeerAddress other, Neighbours neighbours, Limits limits) {
      return new Borrowed(board.way(other), run);
    }

    @Override
    public @Nullable String provenName(io.grpc.Attributes connection) throws Refused {
      return board.provenName(connection);
    }
  }

  /** A run that can be reached until it is shut down. */
  private static final class Registration extends Server {
    private final Switchboard board;
    private final String run;
    private final int port;
    private volatile boolean ended;

    Registration(Switchboard board, String run, int port) {
      this.board = board;
      this.run = run;
      this.port = port;
    }

    @Override
    public Server start() {
      return this;
    }

    @Override
    public int getPort() {
      return port;
    }

    @Override
    public Server shutdown() {
      ended = true;
      board.runs.remove(run);
      return this;
    }

    @Override
    public Server shutdownNow() {
      return shutdown();
    }

    @Override
    public boolean isShutdown() {
      return ended;
    }

    @Override
    public boolean isTerminated() {
      return ended;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }

    @Override
    public void awaitTermination() {}
  }

  /** A connection that stays when the run ends; its streams say which run they belong to. */
  private static final class Borrowed extends ManagedChannel {
    private final Channel way;
    private final String run;
    private volatile boolean ended;

    Borrowed(Channel way, String run) {
      this.way = way;
      this.run = run;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return new ForwardingClientCall.SimpleForwardingClientCall<>(way.newCall(method, options)) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          headers.put(RUN, run);
          super.start(listener, headers);
        }
      };
    }

    @Override
    public String authority() {
      return Objects.requireNonNull(way.authority());
    }

    @Override
    public ManagedChannel shutdown() {
      ended = true;
      return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
      return shutdown();
    }

    @Override
    public boolean isShutdown() {
      return ended;
    }

    @Override
    public boolean isTerminated() {
      return ended;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
