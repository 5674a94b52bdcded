package ngd.peer.wire;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import ngd.peer.machine.Monitor;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Greeting;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Receipt;
import ngd.peer.wire.proto.Refusal;
import ngd.peer.wire.proto.Stalled;
import org.jspecify.annotations.Nullable;

/**
 * The link to one neighbour: at most one open stream, what is to be said over it and what was heard
 * over it. A broken stream is opened again, and both sides go on where they stopped.
 *
 * <p>Its own lock guards the stream; the inbox is guarded by the lock of all links, under which the
 * peer waits. The first may be held when the second is taken, never the other way round. Opening,
 * greeting, hearing and speaking change the same stream under that one lock, which is why they
 * stand in one file.
 */
final class Link {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  /** Frames that may be on their way; each is at most a piece. */
  private static final int CREDIT = 32;

  /** The first and the longest pause before a broken stream is opened again. */
  private static final long FIRST_PAUSE_MS = 20;

  private static final long LONGEST_PAUSE_MS = 2000;

  /** The most characters of a neighbour's words that are shown. */
  private static final int LONGEST_REASON = 300;

  final PeerAddress other;

  /** Whether this peer hears the other, and whether the other hears this peer. */
  final boolean heard;

  final boolean listens;
  final Meter meter = new Meter();
  private final Repeats refusals = new Repeats();
  private final Repeats refusedBy = new Repeats();
  private final Links home;
  private final Monitor lock = new Monitor();
  private final boolean dials;
  private final Assembler assembler;
  private final Assembler letterAssembler;

  private @Nullable Stream stream;
  private @Nullable ManagedChannel channel;
  private boolean greeted;
  private boolean closed;
  private long pause = FIRST_PAUSE_MS;

  /**
   * How often in a row something of the neighbour was refused; from the second time on it is heard
   * again only after a pause that doubles.
   */
  private int strikes;

  private long deafUntil;

  /** The next call to say, and how many of its pieces are said. */
  private long cursor;

  private int piece;
  private final ArrayDeque<Frame> letters = new ArrayDeque<>();
  private long nextLetter;

  /** What this peer has on disk, and how much of that the other knows. */
  private Receipt receipt = Receipt.getDefaultInstance();

  /** The calls before this one need not come any more: the neighbour was told so. */
  private volatile long promised;

  private boolean receiptDue;

  /** For whom this peer waits, and whether the other is still to be told. */
  private Stalled stalled = Stalled.getDefaultInstance();

  private boolean stalledDue;

  /**
   * Since when the neighbour is out of reach, by the clock of this process; read without a lock.
   */
  private volatile long lost;

  private volatile boolean reachable;

  // Guarded by the lock of all links.
  final Inbox inbox;
  long acknowledged;
  long confirmed;

  /** For whom the neighbour says that it waits. */
  Stalled stalledThere = Stalled.getDefaultInstance();

  Link(
      Links home,
      PeerAddress other,
      boolean heard,
      boolean listens,
      boolean dials,
      long firstCall) {
    this.home = home;
    this.other = other;
    this.heard = heard;
    this.listens = listens;
    this.dials = dials;
    deafUntil = home.machine.nanoTime();
    lost = deafUntil;
    assembler = new Assembler(home.limits, false, firstCall);
    letterAssembler = new Assembler(home.limits, true, 0);
    inbox = new Inbox(home.limits, meter, home.gaps);
  }

  // ---- Opening and closing

  /** Opens a stream where it is this peer's turn to do so. */
  void connect() {
    if (!dials) {
      return;
    }
    try (var _ = lock.hold()) {
      if (closed || stream != null) {
        return;
      }
      ManagedChannel way = home.transport.dial(other, home, home.limits);
      channel = way;
      ClientCall<Frame, Frame> call =
          way.newCall(Links.METHOD, CallOptions.DEFAULT.withOnReadyThreshold(Stream.READY_BELOW));
      Stream.Dialled opened = new Stream.Dialled(call);
      stream = opened;
      greeted = false;
      call.start(new Dialling(opened), new Metadata());
      opened.send(greeting());
      opened.request(CREDIT);
    }
  }

  /** What comes back on a stream that this peer opened. */
  private final class Dialling extends ClientCall.Listener<Frame> {
    private final Stream opened;

    Dialling(Stream opened) {
      this.opened = opened;
    }

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
  }

  /** Takes over a stream that the other opened, with the greeting that came over it. */
  void adopt(Stream opened, Frame first) {
    try (var _ = lock.hold()) {
      if (closed) {
        opened.end(Status.UNAVAILABLE);
        return;
      }
      if (dials) {
        opened.end(Status.ALREADY_EXISTS.withDescription("it is our turn to dial"));
        return;
      }
      if (deafUntil - home.machine.nanoTime() > 0) {
        opened.end(Status.UNAVAILABLE.withDescription("refused before; try again later"));
        return;
      }
      Stream before = stream;
      if (before != null) {
        before.abort();
      }
      stream = opened;
      outOfReach();
      assembler.expect(assembler.expected());
      letterAssembler.expect(letterAssembler.expected());
      opened.send(greeting());
      opened.request(CREDIT);
    }
    received(opened, first);
  }

  private Frame greeting() {
    return frame()
        .setGreeting(
            Greeting.newBuilder()
                .setProtocol(Links.PROTOCOL)
                .setPlanHash(ByteString.copyFromUtf8(home.agreement.hash()))
                .setPlanLines(home.agreement.lineHashes())
                .setNeeds(assembler.expected())
                .setLetters(letterAssembler.expected())
                .setOffers(home.outbox.offers()))
        .build();
  }

  private Frame.Builder frame() {
    return Frame.newBuilder().setSender(home.self.number());
  }

  /** A stream has ended; opens another after a pause. */
  void broken(Stream ended, Status why) {
    try (var _ = lock.hold()) {
      if (!detach(ended) || closed) {
        return;
      }
      boolean unknown = Unreached.isUnknown(why);
      // Who has not started yet is dialled many times.
      LOG.log(
          why.isOk() || pause > FIRST_PAUSE_MS ? DEBUG : unknown ? WARNING : INFO,
          "disconnected peer={0} status={1} detail={2}",
          other.name(),
          why.getCode(),
          Unreached.detail(other, why));
      again();
    }
  }

  /** The other has ended the stream; says whether it was still the present one. */
  boolean gone(Stream ended) {
    try (var _ = lock.hold()) {
      return detach(ended);
    }
  }

  private boolean detach(Stream ended) {
    if (!ended.equals(stream)) {
      return false;
    }
    stream = null;
    outOfReach();
    piece = 0;
    assembler.expect(assembler.expected());
    letterAssembler.expect(letterAssembler.expected());
    ManagedChannel way = channel;
    if (way != null) {
      way.shutdown();
    }
    channel = null;
    try (var _ = home.arrivals.hold()) {
      inbox.disconnected();
      stalledThere = Stalled.getDefaultInstance();
    }
    return true;
  }

  private void outOfReach() {
    if (greeted) {
      reachable = false;
      lost = home.machine.nanoTime();
    }
    greeted = false;
  }

  private void again() {
    if (dials) {
      long now = Math.max(pause, penalty());
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
      home.later(this::connect, now);
    }
  }

  /** The pause for what was refused in a row; the first time may be a mishap. */
  private long penalty() {
    return strikes < 2
        ? 0
        : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(strikes - 1, Short.SIZE));
  }

  /** Counts and logs what the neighbour did, sends it the reason, and ends the stream. */
  void refuse(@Nullable Stream on, Refused why) {
    meter.reject(why.reason());
    warn(
        refusals,
        "refused peer=%s reason=%s detail=%s"
            .formatted(other.name(), why.reason(), why.getMessage()));
    try (var _ = lock.hold()) {
      Stream now = on == null ? stream : on;
      strikes++;
      deafUntil = home.machine.nanoTime() + TimeUnit.MILLISECONDS.toNanos(penalty());
      if (now == null || !now.equals(stream)) {
        return;
      }
      ManagedChannel way = channel;
      channel = null;
      Refusal.Builder refusal = Refusal.newBuilder().setReason(String.valueOf(why.getMessage()));
      if (why.reason() == Reason.PLAN) {
        refusal.setPlan(ByteString.copyFromUtf8(home.agreement.text()));
      }
      now.send(frame().setRefusal(refusal).build());
      now.end(Status.FAILED_PRECONDITION.withDescription(why.getMessage()));
      detach(now);
      if (way != null) {
        // The last words have a moment to get out.
        home.later(way::shutdownNow, 1000);
      }
      if (!closed) {
        again();
      }
    }
  }

  /** Tells the neighbour why this peer ends before it is done. */
  void leave(String why) {
    try (var _ = lock.hold()) {
      Stream now = stream;
      if (now != null && greeted) {
        now.send(frame().setRefusal(Refusal.newBuilder().setReason(why)).build());
      }
    }
  }

  /** Ends the stream; gives the way that is to be waited for until the last words are out. */
  @Nullable ManagedChannel close() {
    try (var _ = lock.hold()) {
      closed = true;
      Stream now = stream;
      ManagedChannel way = channel;
      if (now != null) {
        now.end(Status.OK);
        detach(now);
      }
      return way;
    }
  }

  /** Ends the stream if the other's certificate is no longer believed. */
  void recheck() {
    Stream now;
    try (var _ = lock.hold()) {
      now = stream;
      if (now == null || !greeted) {
        return;
      }
    }
    try {
      home.requireName(now, other);
    } catch (Refused gone) {
      refuse(now, gone);
    }
  }

  boolean connected() {
    return reachable;
  }

  /** For how many nanoseconds the neighbour has been out of reach; 0 while it is connected. */
  long unreachable() {
    return reachable ? 0 : home.machine.nanoTime() - lost;
  }

  // ---- Hearing

  /** A frame has come. */
  void received(Stream from, Frame frame) {
    @Nullable Message message = null;
    try {
      try (var _ = lock.hold()) {
        if (!from.equals(stream)) {
          return;
        }
        if (frame.getSender() != other.number()) {
          throw new Refused(
              Reason.SENDER,
              "must be client %d, as its certificate says; got %s"
                  .formatted(other.number(), Integer.toUnsignedString(frame.getSender())));
        }
        switch (frame.getContentCase()) {
          case GREETING -> greet(frame.getGreeting());
          case PART -> {
            requireGreeted();
            if (!heard) {
              throw new Refused(Reason.UNHEARD, "this peer does not hear it");
            }
            boolean letter = frame.getPart().getKind() == Kind.LETTER;
            assembler.doWithout(promised);
            message = (letter ? letterAssembler : assembler).accept(frame.getPart());
            meter.bytesIn.add(frame.getPart().getBytes().size());
            pause = FIRST_PAUSE_MS;
          }
          case RECEIPT -> {
            requireGreeted();
            receipt(frame.getReceipt());
          }
          case STALLED -> {
            requireGreeted();
            stalled(frame.getStalled());
          }
          case REFUSAL -> {
            refusal(frame.getRefusal());
            return;
          }
          case NEWS -> throw new Refused(Reason.PROTOCOL, "news must not come on a run's stream");
          case CONTENT_NOT_SET ->
              throw new Refused(Reason.PROTOCOL, "a frame must have content; got none");
        }
      }
    } catch (Refused refused) {
      refuse(from, refused);
      return;
    }
    if (message != null) {
      meter.messagesIn.increment();
    }
    int more;
    try (var _ = home.arrivals.hold()) {
      if (message != null && message.kind() == Kind.LETTER) {
        inbox.addLetter(message);
        home.letterArrived();
      } else if (message != null) {
        inbox.add(message);
        home.arrived(this, message.call());
      }
      more = inbox.admits(CREDIT / 2);
    }
    if (more > 0) {
      from.request(more);
    }
  }

  private void requireGreeted() throws Refused {
    if (!greeted) {
      throw new Refused(Reason.GREETING, "a neighbour must greet before it speaks");
    }
  }

  private void greet(Greeting greeting) throws Refused {
    if (greeted) {
      throw new Refused(Reason.GREETING, "a neighbour must greet once");
    }
    if (greeting.getProtocol() != Links.PROTOCOL) {
      throw new Refused(
          Reason.GREETING,
          "must speak version %d of the protocol; got %d"
              .formatted(Links.PROTOCOL, greeting.getProtocol()));
    }
    if (!greeting.getPlanHash().equals(ByteString.copyFromUtf8(home.agreement.hash()))) {
      throw new Refused(Reason.PLAN, home.agreement.difference(greeting.getPlanLines()));
    }
    if (greeting.getNeeds() < 0 || greeting.getOffers() < 0 || greeting.getLetters() < 0) {
      throw new Refused(Reason.GREETING, "calls must be numbered from 0");
    }
    assembler.doWithout(promised);
    if (heard && greeting.getOffers() > assembler.expected()) {
      if (!home.gaps && greeting.getOffers() > assembler.needed()) {
        home.lostState(other.name(), assembler.needed(), greeting.getOffers());
        throw new Refused(
            Reason.FORGOTTEN,
            "this peer needs call %d again, and its neighbour repeats from %d on: this peer has lost its state"
                .formatted(assembler.needed(), greeting.getOffers()));
      }
      assembler.expect(greeting.getOffers());
    }
    home.requireName(java.util.Objects.requireNonNull(stream), other);
    greeted = true;
    reachable = true;
    stalledDue = !stalled.equals(Stalled.getDefaultInstance());
    cursor = Math.max(greeting.getNeeds(), home.outbox.offers());
    nextLetter = Math.max(nextLetter, greeting.getLetters());
    letters.clear();
    piece = 0;
    receiptDue = receipt.getDurable() > 0;
    meter.connections.increment();
    home.taken(other);
    LOG.log(INFO, "connected peer={0}", other.name());
    try (var _ = home.arrivals.hold()) {
      home.arrivals.signalAll();
    }
    pump();
  }

  private void receipt(Receipt received) throws Refused {
    if (received.getDurable() < 0 || received.getConfirmed() < 0) {
      throw new Refused(Reason.PROTOCOL, "calls must be numbered from 0");
    }
    try (var _ = home.arrivals.hold()) {
      acknowledged = Math.max(acknowledged, received.getDurable());
      confirmed = Math.max(confirmed, received.getConfirmed());
      home.acknowledged();
    }
  }

  private void stalled(Stalled news) throws Refused {
    home.requireClients(news.getUnreachableList());
    home.requireClients(news.getBusyList());
    try (var _ = home.arrivals.hold()) {
      stalledThere = news;
    }
    home.later(home::tellOfStall, 0);
  }

  private void refusal(Refusal refusal) {
    String reason = LogText.plain(refusal.getReason(), LONGEST_REASON);
    if (!refusal.getPlan().isEmpty()) {
      reason = home.agreement.difference(refusal.getPlan().toStringUtf8());
    }
    warn(refusedBy, "refused-by peer=%s detail=%s".formatted(other.name(), reason));
    home.lastRefusal(other, reason);
  }

  private static void warn(Repeats before, String line) {
    String now = before.next(line);
    if (now != null) {
      LOG.log(WARNING, now);
    }
  }

  /** A message was good: lets the neighbour go on, once what it sent ahead is used up. */
  void grant() {
    try (var _ = lock.hold()) {
      strikes = 0;
    }
    int more;
    try (var _ = home.arrivals.hold()) {
      more = inbox.released();
    }
    if (more == 0) {
      return;
    }
    try (var _ = lock.hold()) {
      Stream now = stream;
      if (now != null) {
        now.request(more);
      }
    }
  }

  /** Asks for a call again that was no good, and for all after it. */
  void reject(Message message, Refused why) {
    try (var _ = lock.hold()) {
      assembler.expect(message.call());
      try (var _ = home.arrivals.hold()) {
        inbox.clear();
      }
    }
    refuse(null, why);
  }

  // ---- Speaking

  /** Tells the neighbour what is on disk here. */
  void send(Receipt news) {
    try (var _ = lock.hold()) {
      promised = Math.max(promised, news.getDurable());
      receipt = news;
      receiptDue = true;
    }
    pump();
  }

  /** Tells the neighbour for whom this peer waits. */
  void send(Stalled news) {
    try (var _ = lock.hold()) {
      stalled = news;
      stalledDue = true;
    }
    pump();
  }

  /** Sends a letter if the stream can take it; only the newest wait. */
  void post(List<ByteString> pieces) {
    try (var _ = lock.hold()) {
      if (letters.size() > Inbox.LETTERS_KEPT) {
        letters.clear();
      }
      letters.addAll(Outbox.frames(home.self, nextLetter++, Kind.LETTER, 0, 0, pieces));
    }
    pump();
  }

  /** Writes what there is to say, as far as the stream takes it. */
  void pump() {
    try (var _ = lock.hold()) {
      Stream now = stream;
      if (now == null || !greeted) {
        return;
      }
      if (receiptDue) {
        receiptDue = false;
        now.send(frame().setReceipt(receipt).build());
      }
      if (stalledDue) {
        stalledDue = false;
        now.send(frame().setStalled(stalled).build());
      }
      while (!letters.isEmpty() && now.ready()) {
        send(now, letters.remove(), true);
      }
      while (listens && now.ready()) {
        List<Frame> frames = home.outbox.frames(cursor, other.number());
        if (frames == null) {
          return;
        }
        if (piece < frames.size()) {
          send(now, frames.get(piece), piece + 1 == frames.size());
          piece++;
        }
        if (piece >= frames.size()) {
          cursor++;
          piece = 0;
        }
      }
    }
  }

  private void send(Stream now, Frame frame, boolean last) {
    now.send(frame);
    meter.bytesOut.add(frame.getPart().getBytes().size());
    if (last) {
      meter.messagesOut.increment();
    }
  }
}
