package ngd.peer.wire;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import ngd.peer.machine.Machine;
import ngd.peer.machine.Monitor;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.News;
import ngd.peer.wire.proto.Signed;
import org.jspecify.annotations.Nullable;

/**
 * The standing connections of one member, over which signed statements spread: each side says which
 * it has, then sends what the other lacks, and whatever is new goes to all others. Members whose
 * plans differ talk too: that the federation has changed is news.
 */
public final class NewsLinks implements AutoCloseable {
  static final MethodDescriptor<Frame, Frame> METHOD =
      MethodDescriptor.<Frame, Frame>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("ngd.peer.Neighbour/News")
          .setRequestMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .build();

  /** The longest statement. */
  public static final int LONGEST = 1 << 20;

  private static final System.Logger LOG = System.getLogger("ngd.peer");
  private static final int HASH_BYTES = 32;
  private static final int LONGEST_NAME = 64;
  private static final int CREDIT = 4;
  private static final long FIRST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 2000;
  private static final Duration RECHECK = Duration.ofSeconds(5);

  /** Where statements are kept. */
  public interface Board {
    /** The hashes of all that there are. */
    List<ByteString> held();

    /** A statement by its hash; null where it is not there. */
    @Nullable Signed find(ByteString hash);

    /**
     * Takes a statement that a neighbour sent.
     *
     * @return its hash, whether it was known before or not
     * @throws Refused if it is not to be believed
     */
    ByteString take(Signed statement) throws Refused;
  }

  private final Board board;
  private final PeerAddress self;
  private final Switchboard switchboard;
  private final Map<String, NewsLink> links = new ConcurrentHashMap<>();
  private final Machine machine = Machine.here();
  private final Machine.Timer recheck;
  private volatile boolean closed;

  /**
   * Begins to listen and to dial.
   *
   * @param self this member; without a port it only dials
   */
  public NewsLinks(
      Transport base, PeerAddress self, Collection<PeerAddress> neighbours, Board board)
      throws IOException {
    this.board = board;
    this.self = self;
    switchboard =
        new Switchboard(
            base,
            self,
            neighbours,
            new Limits(LONGEST, LONGEST, LONGEST),
            (call, _) -> accept(call));
    neighbours(neighbours);
    recheck = machine.every(() -> links.values().forEach(NewsLink::recheck), RECHECK);
  }

  /** What carries the messages of one run over the same connections. */
  public Transport line(String run) {
    return switchboard.line(run);
  }

  /** Those with whom there is a connection from now on. */
  public void neighbours(Collection<PeerAddress> now) {
    switchboard.neighbours(now);
    Set<String> names = new HashSet<>();
    for (PeerAddress other : now) {
      names.add(other.name());
      NewsLink before = links.get(other.name());
      if (before == null || !before.other.equals(other)) {
        if (before != null) {
          before.close();
        }
        NewsLink link = new NewsLink(other);
        links.put(other.name(), link);
        link.connect();
      }
    }
    links.forEach(
        (name, link) -> {
          if (!names.contains(name)) {
            link.close();
            links.remove(name);
          }
        });
  }

  /** Those that are connected now. */
  public Set<String> connected() {
    Set<String> names = new HashSet<>();
    links.forEach(
        (name, link) -> {
          if (link.open()) {
            names.add(name);
          }
        });
    return names;
  }

  /** Sends a new statement to all that may not have it. */
  public void spread(ByteString hash) {
    links.values().forEach(link -> link.offer(hash));
  }

  private ServerCall.Listener<Frame> accept(ServerCall<Frame, Frame> call) {
    call.sendHeaders(new Metadata());
    call.request(1);
    Stream stream = new Stream.Accepted(call);
    return new ServerCall.Listener<>() {
      private @Nullable NewsLink link;

      @Override
      public void onMessage(Frame frame) {
        NewsLink known = link;
        if (known == null) {
          known =
              links.values().stream()
                  .filter(one -> one.other.number() == frame.getSender())
                  .findFirst()
                  .orElse(null);
          if (known == null) {
            stream.end(Status.PERMISSION_DENIED.withDescription("must be a neighbour"));
            return;
          }
          link = known;
          known.adopt(stream);
        }
        known.received(stream, frame);
      }

      @Override
      public void onHalfClose() {
        end();
      }

      @Override
      public void onCancel() {
        end();
      }

      private void end() {
        NewsLink known = link;
        if (known != null) {
          known.broken(stream, Status.CANCELLED);
        }
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    recheck.cancel();
    links.values().forEach(NewsLink::close);
    switchboard.close();
  }

  /** The news from and to one neighbour. */
  private final class NewsLink {
    final PeerAddress other;
    private final boolean dials;
    private final Repeats refusals = new Repeats();
    private final Repeats breaks = new Repeats();
    private final Set<ByteString> known = new HashSet<>();
    private final Monitor lock = new Monitor();
    private final Queue<ByteString> due = new ArrayDeque<>();
    private @Nullable Stream stream;
    private boolean greeted;
    private boolean over;
    private long pause = FIRST_PAUSE_MS;

    NewsLink(PeerAddress other) {
      this.other = other;
      dials = other.port() > 0 && (self.port() <= 0 || self.number() < other.number());
    }

    boolean open() {
      try (var _ = lock.hold()) {
        return greeted;
      }
    }

    void connect() {
      try (var _ = lock.hold()) {
        if (!dials || over || closed || stream != null) {
          return;
        }
        ClientCall<Frame, Frame> call = switchboard.way(other).newCall(METHOD, CallOptions.DEFAULT);
        Stream.Dialled opened = new Stream.Dialled(call);
        stream = opened;
        call.start(
            new ClientCall.Listener<>() {
              @Override
              public void onMessage(Frame frame) {
                received(opened, frame);
              }

              @Override
              public void onReady() {
                pump();
              }

              @Override
              public void onClose(Status status, Metadata trailers) {
                broken(opened, status);
              }
            },
            new Metadata());
        greet(opened);
      }
    }

    void adopt(Stream opened) {
      try (var _ = lock.hold()) {
        Stream before = stream;
        if (before != null) {
          before.abort();
        }
        greeted = false;
        stream = opened;
        greet(opened);
      }
    }

    private void greet(Stream opened) {
      ByteString held = ByteString.copyFrom(board.held());
      opened.send(frame(News.newBuilder().setHeld(held)));
      opened.request(CREDIT);
    }

    private Frame frame(News.Builder news) {
      return Frame.newBuilder().setSender(self.number()).setNews(news).build();
    }

    void received(Stream from, Frame frame) {
      try {
        try (var _ = lock.hold()) {
          if (!from.equals(stream)) {
            return;
          }
          String proven = switchboard.provenName(from.connection());
          if (proven != null && !proven.equals(other.name())) {
            throw new Refused(
                Reason.SENDER,
                "must be `%s`; its certificate names `%s`".formatted(other.name(), proven));
          }
          if (frame.getSender() != other.number() || !frame.hasNews()) {
            throw new Refused(Reason.PROTOCOL, "must be news of `%s`".formatted(other.name()));
          }
          if (!greeted) {
            welcome(frame.getNews());
          }
        }
        for (Signed statement : frame.getNews().getStatementsList()) {
          take(statement);
        }
        from.request(1);
        pump();
      } catch (Refused refused) {
        say(
            WARNING,
            refusals,
            "refused-news peer=%s reason=%s detail=%s"
                .formatted(other.name(), refused.reason(), refused.getMessage()));
        try (var _ = lock.hold()) {
          if (from.equals(stream)) {
            from.end(Status.FAILED_PRECONDITION.withDescription(refused.getMessage()));
            broken(from, Status.FAILED_PRECONDITION);
          }
        }
      }
    }

    /**
     * One that is not believed is left out, and the others are taken. Where one cannot be kept, the
     * stream ends, so that it is sent again.
     */
    private void take(Signed statement) throws Refused {
      try {
        ByteString hash = board.take(statement);
        try (var _ = lock.hold()) {
          known.add(hash);
        }
      } catch (UncheckedIOException full) {
        throw new Refused(
            Reason.DISK, "this peer's disk does not take it: " + full.getCause().getMessage());
      } catch (Refused refused) {
        say(
            WARNING,
            refusals,
            "refused-statement peer=%s signer=%s reason=%s detail=%s"
                .formatted(
                    other.name(),
                    LogText.plain(statement.getSigner(), LONGEST_NAME),
                    refused.reason(),
                    refused.getMessage()));
      }
    }

    private void welcome(News first) {
      greeted = true;
      pause = FIRST_PAUSE_MS;
      known.clear();
      due.clear();
      ByteString held = first.getHeld();
      for (int at = 0; at + HASH_BYTES <= held.size(); at += HASH_BYTES) {
        known.add(held.substring(at, at + HASH_BYTES));
      }
      board.held().stream().filter(hash -> !known.contains(hash)).forEach(due::add);
      LOG.log(INFO, "connected peer={0}", other.name());
    }

    void offer(ByteString hash) {
      try (var _ = lock.hold()) {
        if (greeted && !known.contains(hash)) {
          due.add(hash);
          pump();
        }
      }
    }

    void pump() {
      try (var _ = lock.hold()) {
        Stream now = stream;
        if (now == null || !greeted) {
          return;
        }
        while (!due.isEmpty() && now.ready()) {
          ByteString hash = due.remove();
          Signed statement = board.find(hash);
          if (statement != null && known.add(hash)) {
            now.send(frame(News.newBuilder().addStatements(statement)));
          }
        }
      }
    }

    void broken(Stream ended, Status why) {
      try (var _ = lock.hold()) {
        if (!ended.equals(stream)) {
          return;
        }
        boolean unknown = Unreached.isUnknown(why);
        // Who has not started yet is dialled many times.
        if (greeted || unknown) {
          say(
              unknown ? WARNING : INFO,
              breaks,
              "disconnected peer=%s status=%s detail=%s"
                  .formatted(other.name(), why.getCode(), Unreached.detail(other, why)));
        }
        stream = null;
        greeted = false;
        if (dials && !over && !closed) {
          // What is refused now, here or there, is refused in a moment too.
          long now = why.getCode() == Status.Code.FAILED_PRECONDITION ? LONGEST_PAUSE_MS : pause;
          pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
          Machine.Timer _ = machine.later(this::connect, Duration.ofMillis(now));
        }
      }
    }

    /** Ends the connection if the other's certificate is no longer believed. */
    void recheck() {
      Stream now;
      try (var _ = lock.hold()) {
        now = stream;
        if (now == null || !greeted) {
          return;
        }
      }
      try {
        switchboard.provenName(now.connection());
      } catch (Refused gone) {
        say(
            WARNING,
            refusals,
            "refused peer=%s reason=%s detail=%s"
                .formatted(other.name(), gone.reason(), gone.getMessage()));
        now.abort();
        broken(now, Status.PERMISSION_DENIED);
        switchboard.reopen(other);
      }
    }

    void close() {
      try (var _ = lock.hold()) {
        over = true;
        Stream now = stream;
        if (now != null) {
          now.end(Status.OK);
          stream = null;
          greeted = false;
        }
      }
    }
  }

  private static void say(System.Logger.Level level, Repeats repeats, String line) {
    String words = repeats.next(line);
    if (words != null) {
      LOG.log(level, words);
    }
  }
}
