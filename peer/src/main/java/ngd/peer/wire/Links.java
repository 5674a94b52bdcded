package ngd.peer.wire;

import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import ngd.peer.machine.Machine;
import ngd.peer.machine.Monitor;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Receipt;
import ngd.peer.wire.proto.Stalled;
import org.jspecify.annotations.Nullable;

/**
 * All links of one peer: what it says goes to those who hear it, what it hears waits here until it
 * is needed. One thread speaks and hears; the transport's threads bring and take.
 *
 * <p>Long, because all that waits shares one lock: hearing, receipts, room and the end of all
 * waiting are one monitor, and are read best in one place.
 *
 * <p>Calls are numbered over a whole run. Each call says one message to every listener, and hears
 * one from every client that the peer hears.
 */
public final class Links implements AutoCloseable, Neighbours {
  public static final int PROTOCOL = 4;

  static final MethodDescriptor<Frame, Frame> METHOD =
      MethodDescriptor.<Frame, Frame>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("ngd.peer.Neighbour/Link")
          .setRequestMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .build();

  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private static final Duration RECHECK = Duration.ofSeconds(5);

  /** After how long neighbours are told for whom this peer waits. */
  private static final long STALL_NS = 1_000_000_000L;

  /** The most sites waited for that are named: of thousands, the list would be long. */
  private static final int MOST_NAMED = 16;

  /** The most characters of a stranger's own name that are shown. */
  private static final int LONGEST_SUBJECT = 100;

  /** How often it is looked whether somebody is worth waiting for. */
  private static final long LOOK_NS = 1_000_000_000L;

  /** How long closing waits for what was said last to get out. */
  private static final long LAST_WORDS_NS = 2_000_000_000L;

  final Machine machine = Machine.here();
  final PeerAddress self;
  final Agreement agreement;
  final Transport transport;
  final Limits limits;
  final Outbox outbox;

  /** Whether calls that a neighbour has forgotten may be done without. */
  final boolean gaps;

  /** The lock under which the peer waits for arrivals and receipts. */
  final Monitor arrivals = new Monitor();

  private final List<PeerAddress> sites;
  private final TreeMap<Integer, Link> links = new TreeMap<>();
  private final List<Link> heard = new ArrayList<>();
  private final List<Link> listeners = new ArrayList<>();
  private final Map<String, String> refusals = new ConcurrentHashMap<>();
  private final Repeats outsiders = new Repeats();
  private final Server server;
  private final Machine.Timer recheck;
  private final Machine.Timer stallCheck;
  private boolean closed;

  // Guarded by arrivals.
  private long waitingCall = -1;
  private int missing;
  private @Nullable Throwable failure;
  private @Nullable Wait waiting;
  private Stalled told = Stalled.getDefaultInstance();

  /** Why this peer stands still, for whom, and since when. */
  private record Wait(String reason, List<Link> whom, long since) {}

  /**
   * Whom a peer talks to and about what.
   *
   * @param sites all clients by number
   * @param heard the clients that this peer hears, itself left out
   * @param listeners the clients that hear this peer, itself left out
   * @param gaps whether calls that a neighbour has forgotten may be done without
   */
  public record Setup(
      int self,
      List<PeerAddress> sites,
      List<Integer> heard,
      List<Integer> listeners,
      boolean gaps) {
    public Setup {
      sites = List.copyOf(sites);
      heard = List.copyOf(heard);
      listeners = List.copyOf(listeners);
    }
  }

  /**
   * Begins to listen and to dial.
   *
   * @param linkState where the peer stood when it was last kept; {@link LinkState#START} for a new
   *     one
   */
  public Links(
      Setup setup, Agreement agreement, Transport transport, Limits limits, LinkState linkState)
      throws IOException {
    sites = setup.sites();
    self = sites.get(setup.self());
    this.agreement = agreement;
    this.transport = transport;
    this.limits = limits;
    gaps = setup.gaps();
    outbox = new Outbox(linkState.call(), linkState.said);
    TreeMap<Integer, Boolean> all = new TreeMap<>();
    setup.heard().forEach(k -> all.put(k, true));
    setup.listeners().forEach(k -> all.put(k, true));
    for (int k : all.keySet()) {
      Link link =
          new Link(
              this,
              setup.sites().get(k),
              setup.heard().contains(k),
              setup.listeners().contains(k),
              setup.self() < k,
              linkState.call());
      links.put(k, link);
      if (link.heard) {
        heard.add(link);
      }
      if (link.listens) {
        listeners.add(link);
        link.acknowledged = linkState.acknowledged.getOrDefault(k, 0L);
      }
    }
    server = transport.serve(self, this, new Reception(this, links::get), limits);
    for (Link link : links.values()) {
      link.connect();
    }
    recheck = machine.every(() -> links.values().forEach(Link::recheck), RECHECK);
    stallCheck = machine.every(this::tellOfStall, Duration.ofNanos(STALL_NS));
  }

  /** Refuses a connection whose certificate is not that of the site. */
  void requireName(Stream stream, PeerAddress site) throws Refused {
    String proven = transport.provenName(stream.connection());
    if (proven != null && !proven.equals(site.name())) {
      throw new Refused(
          Reason.SENDER, "must be `%s`; its certificate names `%s`".formatted(site.name(), proven));
    }
  }

  @Override
  public Collection<PeerAddress> all() {
    return links.values().stream().map(link -> link.other).toList();
  }

  @Override
  public void refusedCertificate(String whose, String site, String why) {
    String line =
        outsiders.next(
            "refused certificate=%s reason=%s detail=%s"
                .formatted(LogText.plain(whose, LONGEST_SUBJECT), Reason.CERTIFICATE, why));
    if (line != null) {
      LOG.log(WARNING, line);
    }
    for (Link link : links.values()) {
      if (link.other.name().equals(site)) {
        link.meter.reject(Reason.CERTIFICATE);
      }
    }
  }

  /** Says why somebody who came was sent away, but not without end. */
  void refusedGuest(String who, Refused refused) {
    String line =
        outsiders.next(
            "refused peer=%s reason=%s detail=%s"
                .formatted(who, refused.reason(), refused.getMessage()));
    if (line != null) {
      LOG.log(WARNING, line);
    }
  }

  void later(Runnable work, long milliseconds) {
    Machine.Timer _ = machine.later(work, Duration.ofMillis(milliseconds));
  }

  void lastRefusal(PeerAddress site, String reason) {
    refusals.put(site.name(), reason);
  }

  /** A neighbour talks with this peer, whatever it refused before. */
  void taken(PeerAddress site) {
    refusals.remove(site.name());
  }

  // ---- Speaking

  /** The number of the next call. */
  public long call() {
    return outbox.next();
  }

  /** Says the same to all listeners; gives the number of the call. */
  public long say(Kind kind, int round, int place, List<ByteString> pieces) {
    long call = outbox.next();
    if (listeners.isEmpty()) {
      outbox.skip();
      return call;
    }
    outbox.add(
        new Outbox.Said(call, Outbox.frames(self, call, kind, round, place, pieces), Map.of()));
    listeners.forEach(Link::pump);
    return call;
  }

  /** The same where some listeners hear nothing: what they get of this call is empty. */
  public long sayExcept(
      Kind kind, int round, int place, List<ByteString> pieces, Collection<Integer> deaf) {
    long call = outbox.next();
    if (listeners.isEmpty()) {
      outbox.skip();
      return call;
    }
    List<Frame> empty = Outbox.frames(self, call, kind, round, place, List.of());
    Map<Integer, List<Frame>> each = new TreeMap<>();
    deaf.forEach(listener -> each.put(listener, empty));
    outbox.add(new Outbox.Said(call, Outbox.frames(self, call, kind, round, place, pieces), each));
    listeners.forEach(Link::pump);
    return call;
  }

  /** Says to each listener what is meant for it. */
  public long sayEach(Kind kind, int round, int place, Map<Integer, List<ByteString>> pieces) {
    long call = outbox.next();
    if (listeners.isEmpty()) {
      outbox.skip();
      return call;
    }
    Map<Integer, List<Frame>> each = new TreeMap<>();
    pieces.forEach((to, own) -> each.put(to, Outbox.frames(self, call, kind, round, place, own)));
    outbox.add(new Outbox.Said(call, List.of(), each));
    listeners.forEach(Link::pump);
    return call;
  }

  /** Sends a letter that may be lost. */
  public void post(int to, List<ByteString> pieces) {
    Link link = links.get(to);
    if (link == null || !link.listens) {
      throw new IllegalArgumentException("letter: client %d does not hear this peer".formatted(to));
    }
    link.post(pieces);
  }

  /** Whether a neighbour can be reached now. */
  public boolean connected(int neighbour) {
    Link link = links.get(neighbour);
    return link != null && link.connected();
  }

  /** Tells those whom this peer hears that it will not ask for calls before this one again. */
  public void durable(long call) {
    Receipt news = Receipt.newBuilder().setDurable(call).build();
    heard.forEach(link -> link.send(news));
  }

  /** Tells all neighbours that this peer is done and knows it for good. */
  public void announceEnd(long call) {
    Receipt news = Receipt.newBuilder().setDurable(call).setConfirmed(call).build();
    links.values().forEach(link -> link.send(news));
  }

  // ---- Hearing

  /** What is done with a message that has come; it may refuse it. */
  @FunctionalInterface
  public interface MessageCheck {
    /**
     * @param index the place of the sender among those heard
     */
    void take(int index, Message message) throws Refused;
  }

  /**
   * How long to wait for what is heard.
   *
   * @param nanoseconds for all of it, without end where it is {@link Long#MAX_VALUE}
   * @param least how many must be heard whatever time it takes
   */
  public record Patience(long nanoseconds, int least) {
    public static final Patience ENDLESS = new Patience(Long.MAX_VALUE, 0);

    boolean endless() {
      return nanoseconds == Long.MAX_VALUE;
    }
  }

  /**
   * Waits until all that are heard have said this call, and hands each message to the check. One
   * that is refused is asked for again.
   *
   * @return which of those heard were not, in ascending order; empty where patience was not lost
   */
  public List<Integer> gather(long call, MessageCheck check, Patience patience)
      throws InterruptedException {
    return gather(call, check, patience, _ -> true);
  }

  /**
   * The same where only some of those heard have something to say, by their places; of the others
   * what has come of this call and of those before it is let go.
   */
  public List<Integer> gather(long call, MessageCheck check, Patience patience, IntPredicate speaks)
      throws InterruptedException {
    try {
      return gathered(call, check, patience, silent(call, speaks));
    } finally {
      goesOn();
    }
  }

  /** Those heard that have nothing to say in a call. */
  private boolean[] silent(long call, IntPredicate speaks) {
    boolean[] silent = new boolean[heard.size()];
    for (int i = 0; i < silent.length; i++) {
      if (!speaks.test(i)) {
        silent[i] = true;
        Link link = heard.get(i);
        try (var _ = arrivals.hold()) {
          link.inbox.skip(call);
        }
        link.grant();
      }
    }
    return silent;
  }

  private List<Integer> gathered(long call, MessageCheck check, Patience patience, boolean[] silent)
      throws InterruptedException {
    int count = heard.size();
    boolean[] done = silent.clone();
    int speaking = 0;
    for (boolean one : silent) {
      speaking += one ? 0 : 1;
    }
    int left = speaking;
    long begin = machine.nanoTime();
    @Nullable Message[] ready = new Message[count];
    while (left > 0) {
      try (var _ = arrivals.hold()) {
        requireOpen();
        boolean any = false;
        boolean enough = speaking - left >= Math.min(speaking, patience.least());
        int waited = 0;
        for (int i = 0; i < count; i++) {
          if (!done[i]) {
            Link link = heard.get(i);
            ready[i] = link.inbox.take(call);
            any |= ready[i] != null;
            if (ready[i] == null && patience.endless() && link.inbox.beyond(call)) {
              lostState(link.other.name(), call, link.inbox.first());
              requireOpen();
            }
            boolean worthWaiting = patience.endless() || !enough || !link.inbox.absent;
            if (ready[i] == null && worthWaiting && !link.inbox.beyond(call)) {
              waited++;
            }
          }
        }
        if (!any) {
          long rest =
              patience.endless() ? 0 : patience.nanoseconds() - (machine.nanoTime() - begin);
          if (waited == 0 || (enough && rest < 0)) {
            return absentees(done);
          }
          waitingCall = call;
          missing = enough ? waited : 1;
          waiting = new Wait("its message", unheard(done), begin);
          if (patience.endless() || rest < 0) {
            arrivals.await();
          } else {
            arrivals.await(Math.max(1_000_000, rest));
          }
          waitingCall = -1;
          continue;
        }
      }
      for (int i = 0; i < count; i++) {
        Message message = ready[i];
        ready[i] = null;
        if (message != null) {
          Link link = heard.get(i);
          try {
            check.take(i, message);
            done[i] = true;
            left--;
            link.grant();
          } catch (Refused refused) {
            link.reject(message, refused);
          }
        }
      }
    }
    return List.of();
  }

  private List<Link> unheard(boolean[] done) {
    List<Link> left = new ArrayList<>();
    for (int i = 0; i < done.length; i++) {
      if (!done[i]) {
        left.add(heard.get(i));
      }
    }
    return left;
  }

  /** This peer waits no longer. */
  private void goesOn() {
    try (var _ = arrivals.hold()) {
      waiting = null;
    }
  }

  private List<Integer> absentees(boolean[] done) {
    List<Integer> gone = new ArrayList<>();
    for (int i = 0; i < done.length; i++) {
      if (!done[i]) {
        gone.add(i);
        heard.get(i).inbox.absent = true;
      }
    }
    return gone;
  }

  /** The number of the i-th of those heard. */
  public int heard(int i) {
    return heard.get(i).other.number();
  }

  /** The name of a client. */
  public String name(int client) {
    return sites.get(client).name();
  }

  /** The name of the i-th of those heard. */
  public String nameOfHeard(int i) {
    return heard.get(i).other.name();
  }

  /** The message of this kind and place that was last heard from the i-th of those heard. */
  public @Nullable Message lastKnown(int i, Kind kind, int place) {
    try (var _ = arrivals.hold()) {
      return heard.get(i).inbox.lastKnown(kind, place);
    }
  }

  /** The next letter from anybody, or null after this many nanoseconds. */
  public @Nullable Delivery letter(long patience) throws InterruptedException {
    long begin = machine.nanoTime();
    try (var _ = arrivals.hold()) {
      while (true) {
        requireOpen();
        for (Link link : heard) {
          Message message = link.inbox.takeLetter();
          if (message != null) {
            return new Delivery(link.other.number(), message);
          }
        }
        long rest = patience - (machine.nanoTime() - begin);
        if (rest <= 0) {
          return null;
        }
        arrivals.await(Math.max(1_000_000, rest));
      }
    }
  }

  /** Counts and logs a letter that was no good. */
  public void refuse(int from, Refused why) {
    Link link = links.get(from);
    if (link != null) {
      link.refuse(null, why);
    }
  }

  /** A message with its writer. */
  public record Delivery(int from, Message message) {}

  /** Under the lock: a message of this call has come. */
  void arrived(Link link, long call) {
    if (call >= waitingCall && waitingCall >= 0) {
      link.inbox.absent = false;
      if (--missing <= 0) {
        arrivals.signalAll();
      }
    }
  }

  /** Under the lock: a letter has come. */
  void letterArrived() {
    arrivals.signalAll();
  }

  /** Under the lock: a listener has more on disk. */
  void acknowledged() {
    long all = Long.MAX_VALUE;
    for (Link link : listeners) {
      all = Math.min(all, link.acknowledged);
    }
    outbox.forget(all);
    arrivals.signalAll();
  }

  /** Waits until what listeners may ask for again takes less than this many bytes. */
  public void awaitRoom(long bytes) throws InterruptedException {
    if (outbox.bytes() < bytes) {
      return;
    }
    long begin = machine.nanoTime();
    try (var _ = arrivals.hold()) {
      try {
        while (outbox.bytes() >= bytes) {
          requireOpen();
          if (gaps) {
            outbox.forgetDownTo(bytes / 2);
          } else {
            waiting = new Wait("to save what it was sent", behind(outbox.offers() + 1), begin);
            arrivals.await();
          }
        }
      } finally {
        waiting = null;
      }
    }
  }

  /** The listeners that have not all calls before this one on disk. */
  private List<Link> behind(long call) {
    return listeners.stream().filter(link -> link.acknowledged < call).toList();
  }

  /**
   * Waits until every listener has all calls before this one on disk, or until those who have not
   * were out of reach for this many nanoseconds.
   *
   * @return the names of those who may still need something
   */
  public List<String> awaitAcknowledged(long call, long patience) throws InterruptedException {
    long begin = machine.nanoTime();
    try (var _ = arrivals.hold()) {
      try {
        while (true) {
          requireOpen();
          List<Link> behind = behind(call);
          long rest = rest(behind, patience);
          if (rest <= 0) {
            return behind.stream().map(link -> link.other.name()).toList();
          }
          waiting = new Wait("to save the last messages", behind, begin);
          arrivals.await(Math.min(rest, LOOK_NS));
        }
      } finally {
        waiting = null;
      }
    }
  }

  /** How long the last of these stays worth waiting for; 0 where there are none. */
  private static long rest(List<Link> whom, long patience) {
    return whom.stream()
        .mapToLong(link -> link.connected() ? Long.MAX_VALUE : patience - link.unreachable())
        .max()
        .orElse(0);
  }

  /**
   * Waits until all neighbours know that this peer is done, this many nanoseconds at most, and not
   * for those who were out of reach as long.
   */
  public void awaitFarewells(long call, long patience) throws InterruptedException {
    long begin = machine.nanoTime();
    try (var _ = arrivals.hold()) {
      try {
        while (true) {
          requireOpen();
          List<Link> unaware =
              links.values().stream().filter(link -> link.confirmed < call).toList();
          long rest = Math.min(rest(unaware, patience), patience - (machine.nanoTime() - begin));
          if (rest <= 0) {
            return;
          }
          waiting = new Wait("to hear that this peer has finished", unaware, begin);
          arrivals.await(Math.min(rest, LOOK_NS));
        }
      } finally {
        waiting = null;
      }
    }
  }

  /**
   * Ends this peer: a neighbour that waits keeps what this one has not on disk, so what it needs
   * and nobody has any more was on its disk once.
   */
  void lostState(String neighbour, long needed, long offered) {
    fail(
        new StateLost(
            "site %s: must go on from the newest state it had on disk; it needs call %d, and %s has kept those from %d on alone. Its state folder was deleted, damaged or restored from an old backup%s. Put the newest one back, or start a new run: a new word after `run` in the plan, and pack again"
                .formatted(
                    self.name(),
                    needed,
                    neighbour,
                    offered,
                    gaps ? ", or others have gone on without it for too long" : "")));
  }

  /** Ends all waiting with this failure. */
  public void fail(Throwable why) {
    try (var _ = arrivals.hold()) {
      failure = why;
      arrivals.signalAll();
    }
  }

  private void requireOpen() {
    if (failure instanceof StateLost lost) {
      throw new StateLost(String.valueOf(lost.getMessage()));
    }
    if (failure != null) {
      throw new IllegalStateException("the peer has failed", failure);
    }
    if (closed) {
      throw new IllegalStateException("the links are closed");
    }
  }

  // ---- Watching

  /** Where this peer stands, for a snapshot: the calls said that somebody may ask for again. */
  public LinkState linkState() {
    try (var _ = arrivals.hold()) {
      Map<Integer, Long> acknowledged = new TreeMap<>();
      listeners.forEach(link -> acknowledged.put(link.other.number(), link.acknowledged));
      return new LinkState(outbox.next(), outbox.kept(), acknowledged);
    }
  }

  /** Tells all neighbours for whom this peer waits, where that has changed. */
  void tellOfStall() {
    Stalled news;
    try (var _ = arrivals.hold()) {
      Wait now = waiting;
      boolean stalled = now != null && machine.nanoTime() - now.since() >= STALL_NS;
      news = stalled ? roots(now) : Stalled.getDefaultInstance();
      if (closed || news.equals(told)) {
        return;
      }
      told = news;
    }
    links.values().forEach(link -> link.send(news));
  }

  /**
   * Where a wait ends: at neighbours that are out of reach or wait for nobody, else at those for
   * whom they wait. Who waits in a call has said it, and waits for one that has not; so going from
   * one to the next calls only get smaller, and this ends.
   */
  private Stalled roots(Wait wait) {
    TreeSet<Integer> unreachable = new TreeSet<>();
    TreeSet<Integer> busy = new TreeSet<>();
    for (Link link : wait.whom()) {
      Stalled there = link.stalledThere;
      if (!link.connected()) {
        unreachable.add(link.other.number());
      } else if (there.equals(Stalled.getDefaultInstance())) {
        busy.add(link.other.number());
      } else {
        unreachable.addAll(there.getUnreachableList());
        busy.addAll(there.getBusyList());
      }
    }
    busy.removeAll(unreachable);
    unreachable.remove(self.number());
    busy.remove(self.number());
    return Stalled.newBuilder()
        .addAllUnreachable(unreachable.stream().limit(MOST_NAMED).toList())
        .addAllBusy(busy.stream().limit(MOST_NAMED).toList())
        .build();
  }

  /** Refuses what names clients that there are not. */
  void requireClients(List<Integer> clients) throws Refused {
    for (int client : clients) {
      if (client < 0 || client >= sites.size() || clients.size() > sites.size()) {
        throw new Refused(
            Reason.PROTOCOL,
            "must name some of %d clients; got %d, with %s"
                .formatted(sites.size(), clients.size(), Integer.toUnsignedString(client)));
      }
    }
  }

  /** What this peer waits for at this moment; empty while it works. */
  public Optional<Waiting> waiting() {
    try (var _ = arrivals.hold()) {
      Wait now = waiting;
      if (now == null) {
        return Optional.empty();
      }
      Stalled roots = roots(now);
      return Optional.of(
          new Waiting(
              now.reason(),
              (machine.nanoTime() - now.since()) / 1e9,
              names(roots.getUnreachableList()),
              names(roots.getBusyList())));
    }
  }

  private List<String> names(List<Integer> clients) {
    return clients.stream().map(client -> sites.get(client).name()).toList();
  }

  /**
   * What a peer waits for.
   *
   * @param reason what neighbours are to do, in words
   * @param unreachable the sites at the root of it, across any number of neighbours, that are out
   *     of reach
   * @param busy those that are connected and wait for nobody
   */
  public record Waiting(
      String reason, double seconds, List<String> unreachable, List<String> busy) {
    public Waiting {
      unreachable = List.copyOf(unreachable);
      busy = List.copyOf(busy);
    }
  }

  /** How the link to each neighbour stands. */
  public List<Watch> watch() {
    List<Watch> all = new ArrayList<>();
    for (Link link : links.values()) {
      boolean waited;
      try (var _ = arrivals.hold()) {
        Wait now = waiting;
        waited = now != null && now.whom().contains(link);
      }
      all.add(
          new Watch(
              link.other.name(),
              link.connected(),
              waited,
              link.meter.read(),
              refusals.get(link.other.name())));
    }
    return all;
  }

  /**
   * One link at one moment.
   *
   * @param waited whether this peer waits for the neighbour's word
   * @param refusal why the neighbour refuses this peer; null where it does not
   */
  public record Watch(
      String name,
      boolean connected,
      boolean waited,
      Meter.Reading meter,
      @Nullable String refusal) {}

  /**
   * The most that any one neighbour has said so far, in bytes as its outbox counts them: it keeps
   * all of it until it is told that it need not, and waits where that becomes too much.
   */
  public long mostHeard() {
    long most = 0;
    for (Link link : heard) {
      Meter meter = link.meter;
      most = Math.max(most, meter.bytesIn.sum() + Outbox.OVERHEAD * meter.messagesIn.sum());
    }
    return most;
  }

  /** The port at which this peer listens. */
  public int port() {
    return server.getPort();
  }

  /** Tells all neighbours why this peer ends before it is done. */
  public void leave(String why) {
    links.values().forEach(link -> link.leave(why));
  }

  @Override
  public void close() {
    try (var _ = arrivals.hold()) {
      if (closed) {
        return;
      }
      closed = true;
      arrivals.signalAll();
    }
    recheck.cancel();
    stallCheck.cancel();
    List<ManagedChannel> ways = new ArrayList<>();
    for (Link link : links.values()) {
      ManagedChannel way = link.close();
      if (way != null) {
        ways.add(way);
      }
    }
    server.shutdown();
    long deadline = machine.nanoTime() + LAST_WORDS_NS;
    try {
      for (ManagedChannel way : ways) {
        way.awaitTermination(deadline - machine.nanoTime(), TimeUnit.NANOSECONDS);
      }
      server.awaitTermination(deadline - machine.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    ways.forEach(ManagedChannel::shutdownNow);
    server.shutdownNow();
  }
}
