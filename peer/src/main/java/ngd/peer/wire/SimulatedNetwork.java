package ngd.peer.wire;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import ngd.peer.machine.Machine;
import ngd.peer.wire.proto.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Streams between the sites of a simulation, as gRPC has them: frames of one stream come in order
 * and once, or the stream breaks, which its two ends may learn at different times or, where one end
 * hears nothing any more, long after; what was on its way then may still arrive. A frame that comes
 * twice, or after a later one, is what gRPC keeps from a peer and a faulty relay does not. How long
 * anything takes and what breaks, the {@link Weather} says.
 *
 * <p>One thread runs at a time in a simulation, so nothing here is locked.
 */
public final class SimulatedNetwork {
  static final Attributes.Key<String> OTHER = Attributes.Key.create("ngd-simulated-site");

  /** How often it is looked whether a stream has ended. */
  private static final long LOOK_NS = 10_000_000;

  /** What happens to frames on their way. */
  public interface Weather {
    /** The time, in nanoseconds. */
    long now();

    /** How long something sent now takes, in nanoseconds. */
    long delay(String from, String to);

    /** Whether a site can open a stream to another now. */
    boolean reaches(String from, String to);

    /** Whether a site believes the certificate of another. */
    boolean believes(String site, String other);

    /** What becomes of a frame that is sent now. */
    Fate fate(String from, String to, Frame frame);

    /**
     * A frame comes to a site, which takes it.
     *
     * @param opened when its stream was
     */
    void arrives(String from, String to, Frame frame, long opened);

    /** Does something after some time. */
    void at(long nanoseconds, Runnable work);

    /**
     * Does something on a machine now, one thing after another for the same line; nothing where the
     * machine has crashed.
     */
    void next(Machine machine, ArrayDeque<Runnable> line, Runnable work);
  }

  /** What may become of a frame. */
  public enum Fate {
    ONCE,
    TWICE,
    /** Those sent after it may come before it. */
    OVERTAKEN
  }

  private final Weather weather;
  private final Map<String, Listening> servers = new LinkedHashMap<>();
  private final List<Connection> connections = new ArrayList<>();

  public SimulatedNetwork(Weather weather) {
    this.weather = weather;
  }

  boolean believed(String site, String other) {
    return weather.believes(site, other);
  }

  /** How many streams are open. */
  public int open() {
    return connections.size();
  }

  /** The bytes of all frames on their way or waiting to be taken. */
  public long bytesUnderWay() {
    return connections.stream().mapToLong(one -> one.dialled.waiting + one.accepted.waiting).sum();
  }

  /**
   * Breaks all streams between two sites.
   *
   * @param afterFrom when the first learns it, in nanoseconds; the other after {@code afterTo}
   * @param arriving whether what is on its way still arrives at an end that has not learned it
   */
  public void cut(String from, String to, long afterFrom, long afterTo, boolean arriving) {
    for (Connection one : List.copyOf(connections)) {
      if (one.joins(from, to)) {
        one.arriving = arriving;
        one.cut(
            one.dialled.site.equals(from) ? afterFrom : afterTo,
            one.dialled.site.equals(from) ? afterTo : afterFrom);
      }
    }
  }

  /** A site is gone without a word; others learn it after some time. */
  public void crashed(String site, long after) {
    servers.remove(site);
    for (Connection one : List.copyOf(connections)) {
      if (one.dialled.site.equals(site) || one.accepted.site.equals(site)) {
        one.dialled.over |= one.dialled.site.equals(site);
        one.accepted.over |= one.accepted.site.equals(site);
        one.cut(after, after);
      }
    }
  }

  Server serve(String site, ServerServiceDefinition service) throws IOException {
    if (servers.containsKey(site)) {
      throw new IOException("simulated network", new IOException("Address already in use"));
    }
    Map<String, ServerCallHandler<Frame, Frame>> methods = new LinkedHashMap<>();
    service
        .getMethods()
        .forEach(
            method -> {
              @SuppressWarnings("unchecked") // All methods here carry frames.
              ServerCallHandler<Frame, Frame> handler =
                  (ServerCallHandler<Frame, Frame>) method.getServerCallHandler();
              methods.put(method.getMethodDescriptor().getFullMethodName(), handler);
            });
    Listening listening = new Listening(site, methods);
    servers.put(site, listening);
    return listening;
  }

  ManagedChannel dial(String from, String to) {
    return new Way(from, to);
  }

  /** Waits by the clock of the simulation. */
  private boolean awaitEnd(BooleanSupplier over, long nanoseconds) {
    long begin = weather.now();
    while (!over.getAsBoolean()) {
      if (weather.now() - begin >= nanoseconds) {
        return false;
      }
      Machine.here().park(LOOK_NS);
    }
    return true;
  }

  /** One of the two ends of a stream. */
  private abstract static class End {
    final String site;

    /** What this end lives and dies with. */
    final Machine machine;

    final ArrayDeque<Runnable> line = new ArrayDeque<>();
    final ArrayDeque<Frame> arrived = new ArrayDeque<>();
    int credit;

    /** Bytes sent to this end and not taken yet. */
    long waiting;

    /** When the last thing sent to this end arrives. */
    long busyUntil;

    boolean over;
    @Nullable Runnable atEnd;

    End(String site, Machine machine) {
      this.site = site;
      this.machine = machine;
    }

    abstract void message(Frame frame);

    /** The other end may send more. */
    abstract void ready();
  }

  /** A stream: what one end sends comes to the other after a while, in order. */
  private final class Connection {
    final End dialled;
    final End accepted;
    final long opened = weather.now();
    boolean cut;

    /** Whether what was sent before the cut still arrives. */
    boolean arriving;

    Connection(End dialled, End accepted) {
      this.dialled = dialled;
      this.accepted = accepted;
      connections.add(this);
    }

    boolean joins(String one, String two) {
      return (dialled.site.equals(one) && accepted.site.equals(two))
          || (dialled.site.equals(two) && accepted.site.equals(one));
    }

    @SuppressWarnings("ReferenceEquality") // Two ends may be alike; each is one of the two.
    End other(End end) {
      return end == dialled ? accepted : dialled;
    }

    /** Something happens at an end, after what was sent to it before. */
    private void carry(End to, Runnable work) {
      End from = other(to);
      long now = weather.now();
      to.busyUntil = Math.max(to.busyUntil, now + weather.delay(from.site, to.site));
      carryIn(to.busyUntil - now, to, work);
    }

    private void carryIn(long nanoseconds, End to, Runnable work) {
      weather.at(
          nanoseconds,
          () -> {
            if (!cut || (arriving && !to.over)) {
              weather.next(to.machine, to.line, work);
            }
          });
    }

    void send(End from, Frame frame) {
      End to = other(from);
      Fate fate = weather.fate(from.site, to.site, frame);
      if (fate == Fate.OVERTAKEN) {
        to.waiting += frame.getSerializedSize();
        // Twice the usual time, whatever comes before or after.
        carryIn(
            weather.delay(from.site, to.site) + weather.delay(from.site, to.site),
            to,
            () -> arrive(to, frame));
        return;
      }
      for (int copy = 0; copy < (fate == Fate.TWICE ? 2 : 1); copy++) {
        to.waiting += frame.getSerializedSize();
        carry(to, () -> arrive(to, frame));
      }
    }

    private void arrive(End to, Frame frame) {
      to.arrived.add(frame);
      drain(to);
    }

    void drain(End to) {
      while (to.credit > 0 && !to.arrived.isEmpty() && !to.over) {
        to.credit--;
        Frame frame = to.arrived.remove();
        boolean full = to.waiting >= Stream.READY_BELOW;
        to.waiting -= frame.getSerializedSize();
        weather.arrives(other(to).site, to.site, frame, opened);
        to.message(frame);
        if (full && to.waiting < Stream.READY_BELOW) {
          End from = other(to);
          carry(from, from::ready);
        }
      }
      Runnable last = to.atEnd;
      if (last != null && to.arrived.isEmpty() && !to.over) {
        to.over = true;
        last.run();
      }
    }

    void request(End end, int frames) {
      end.credit += frames;
      weather.next(end.machine, end.line, () -> drain(end));
    }

    boolean ready(End end) {
      return !cut && other(end).waiting < Stream.READY_BELOW;
    }

    /** The end of what one side says: comes after all that it said. */
    void finish(End to, Runnable last) {
      carry(
          to,
          () -> {
            to.atEnd = last;
            drain(to);
          });
    }

    /** Both sides learn that it is over, whatever is on its way. */
    void cut(long afterDialled, long afterAccepted) {
      if (cut) {
        return;
      }
      cut = true;
      connections.remove(this);
      tell(dialled, afterDialled, ((Dialled) dialled)::broken);
      tell(accepted, afterAccepted, ((Accepted) accepted)::cancelled);
    }

    private void tell(End end, long after, Runnable news) {
      weather.at(
          after,
          () ->
              weather.next(
                  end.machine,
                  end.line,
                  () -> {
                    if (!end.over) {
                      end.over = true;
                      news.run();
                    }
                  }));
    }

    void closed() {
      if (dialled.over && accepted.over) {
        connections.remove(this);
      }
    }
  }

  private static final class Dialled extends End {
    final ClientCall.Listener<Frame> listener;
    Status why = Status.UNAVAILABLE;

    Dialled(String site, Machine machine, ClientCall.Listener<Frame> listener) {
      super(site, machine);
      this.listener = listener;
    }

    @Override
    void message(Frame frame) {
      listener.onMessage(frame);
    }

    @Override
    void ready() {
      listener.onReady();
    }

    void broken() {
      listener.onClose(why.withDescription("the connection broke"), new Metadata());
    }
  }

  private static final class Accepted extends End {
    ServerCall.@Nullable Listener<Frame> listener;
    boolean cancelled;
    boolean closed;

    Accepted(String site, Machine machine) {
      super(site, machine);
    }

    @Override
    void message(Frame frame) {
      Objects.requireNonNull(listener).onMessage(frame);
    }

    @Override
    void ready() {
      Objects.requireNonNull(listener).onReady();
    }

    void cancelled() {
      cancelled = true;
      ServerCall.Listener<Frame> there = listener;
      if (there != null) {
        there.onCancel();
      }
    }
  }

  /** A stream as the side has it that dialled. */
  private final class DialledCall extends ClientCall<Frame, Frame> {
    private final String from;
    private final String to;
    private final String method;
    private @Nullable Connection connection;

    DialledCall(String from, String to, String method) {
      this.from = from;
      this.to = to;
      this.method = method;
    }

    private Connection open() {
      return Objects.requireNonNull(connection);
    }

    @Override
    public void start(Listener<Frame> listener, Metadata headers) {
      Dialled dialled = new Dialled(from, Machine.here(), listener);
      Listening there = servers.get(to);
      Accepted accepted = new Accepted(to, there == null ? Machine.here() : there.machine);
      Connection opened = new Connection(dialled, accepted);
      connection = opened;
      boolean reached = weather.reaches(from, to);
      if (!reached || there == null) {
        long twice = weather.delay(from, to) + weather.delay(to, from);
        opened.cut(twice, twice);
        return;
      }
      opened.carry(accepted, () -> accept(opened, accepted, headers));
    }

    private void accept(Connection opened, Accepted accepted, Metadata headers) {
      Listening there = servers.get(to);
      ServerCallHandler<Frame, Frame> handler = there == null ? null : there.methods.get(method);
      if (handler == null) {
        opened.cut(weather.delay(to, from), 0);
        return;
      }
      accepted.listener = handler.startCall(new AcceptedCall(opened, accepted), headers);
    }

    @Override
    public void request(int frames) {
      open().request(open().dialled, frames);
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      Connection now = open();
      ((Dialled) now.dialled).why = Status.CANCELLED;
      now.cut(0, weather.delay(from, to));
    }

    @Override
    public void halfClose() {
      Connection now = open();
      now.finish(
          now.accepted,
          () -> {
            now.closed();
            Objects.requireNonNull(((Accepted) now.accepted).listener).onHalfClose();
          });
    }

    @Override
    public void sendMessage(Frame frame) {
      if (!open().cut) {
        open().send(open().dialled, frame);
      }
    }

    @Override
    public boolean isReady() {
      return open().ready(open().dialled);
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.newBuilder().set(OTHER, to).build();
    }
  }

  /** A stream as the side has it that was dialled. */
  private static final class AcceptedCall extends ServerCall<Frame, Frame> {
    private final Connection connection;
    private final Accepted own;

    AcceptedCall(Connection connection, Accepted own) {
      this.connection = connection;
      this.own = own;
    }

    @Override
    public void request(int frames) {
      connection.request(own, frames);
    }

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(Frame frame) {
      if (!connection.cut && !own.closed) {
        connection.send(own, frame);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (own.closed || connection.cut) {
        return;
      }
      own.closed = true;
      own.over = true;
      Dialled there = (Dialled) connection.dialled;
      connection.finish(
          there,
          () -> {
            connection.closed();
            there.listener.onClose(status, trailers);
          });
    }

    @Override
    public boolean isCancelled() {
      return own.cancelled;
    }

    @Override
    public boolean isReady() {
      return connection.ready(own);
    }

    @Override
    public MethodDescriptor<Frame, Frame> getMethodDescriptor() {
      return Links.METHOD;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.newBuilder().set(OTHER, connection.dialled.site).build();
    }
  }

  /** A site that can be dialled. */
  private final class Listening extends Server {
    private final String site;
    private final Machine machine = Machine.here();
    private final Map<String, ServerCallHandler<Frame, Frame>> methods;
    private boolean ended;

    Listening(String site, Map<String, ServerCallHandler<Frame, Frame>> methods) {
      this.site = site;
      this.methods = methods;
    }

    @Override
    public Server start() {
      return this;
    }

    @Override
    public Server shutdown() {
      ended = true;
      servers.remove(site, this);
      return this;
    }

    /** As in gRPC, the streams that were accepted end with their server. */
    @Override
    public Server shutdownNow() {
      shutdown();
      for (Connection one : List.copyOf(connections)) {
        if (one.accepted.site.equals(site) && !one.accepted.over) {
          one.cut(weather.delay(site, one.dialled.site), 0);
        }
      }
      return this;
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
      return awaitEnd(
          () -> connections.stream().noneMatch(one -> one.accepted.site.equals(site)),
          unit.toNanos(timeout));
    }

    @Override
    public void awaitTermination() {
      awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
  }

  /** A way to one site. */
  private final class Way extends ManagedChannel {
    private final String from;
    private final String to;
    private final List<DialledCall> calls = new ArrayList<>();
    private boolean ended;

    Way(String from, String to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      DialledCall call = new DialledCall(from, to, method.getFullMethodName());
      calls.removeIf(one -> one.connection != null && one.connection.dialled.over);
      calls.add(call);
      @SuppressWarnings("unchecked") // All methods here carry frames.
      ClientCall<Q, A> typed = (ClientCall<Q, A>) call;
      return typed;
    }

    @Override
    public String authority() {
      return to;
    }

    /** Nothing is opened before a call. */
    @Override
    public ConnectivityState getState(boolean requestConnection) {
      return ended ? ConnectivityState.SHUTDOWN : ConnectivityState.IDLE;
    }

    @Override
    public ManagedChannel shutdown() {
      ended = true;
      return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
      shutdown();
      for (DialledCall call : calls) {
        if (call.connection != null && !call.connection.dialled.over) {
          call.cancel(null, null);
        }
      }
      return this;
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
      return awaitEnd(
          () ->
              calls.stream().allMatch(one -> one.connection == null || one.connection.dialled.over),
          unit.toNanos(timeout));
    }
  }
}
