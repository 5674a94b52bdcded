package ngd.peer;

import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.NotFinite;
import ngd.core.algorithm.Snapshot;
import ngd.core.algorithm.Totals;
import ngd.core.linalg.Kernels;
import ngd.core.preparation.DisclosureRefusal;
import ngd.core.random.Draws;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;
import ngd.core.world.Course;
import ngd.core.world.Diverged;
import ngd.core.world.Hook;
import ngd.core.world.World;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Links;
import ngd.peer.wire.StateLost;
import ngd.peer.wire.Transport;
import ngd.peer.wire.proto.Agreed;
import ngd.peer.wire.proto.PeerSnapshot;

/**
 * One client of a federation: talks to its neighbours from when it is made, runs a program, and
 * stays until its neighbours have all that they may need from it.
 */
public final class PeerNode implements AutoCloseable {
  /** What listeners may have left to fetch before this peer waits for them. */
  private static final long BACKLOG_BYTES = 32 << 20;

  /** How long a peer that is done waits for its neighbours to know it, at most. */
  private static final long FAREWELL_NS = 30_000_000_000L;

  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private final PeerSetup setup;
  private final PeerListener listener;
  private final Host host = new Host(Kernels.best(), new Workers(1));
  private final SnapshotWriter snapshotWriter;
  private final Links links;
  private final PeerExchange exchange;
  private final AgreedTotals agreed;
  private final Neighbourhood neighbourhood;
  private final Limits limits;

  /** This client's commitment to its data; empty before there is one. */
  private ByteString commitment;

  /** The last states of the stages that are done. */
  private final List<ByteString> done;

  /** The state from which the stage under way goes on; empty where it begins. */
  private ByteString resumed;

  private int roundsBefore;
  private int stages;

  /** Whether a stage is under way: then its own snapshots have all that a restart needs. */
  private boolean underway;

  private volatile int stage;
  private volatile int round;
  private volatile int rounds;
  private volatile boolean ended;

  /** Begins to listen and to dial; goes on from the newest snapshot, where there is one. */
  public PeerNode(PeerSetup setup, Transport transport) throws IOException {
    this(setup, transport, PeerListener.NONE);
  }

  /** The same, with somebody who looks on. */
  public PeerNode(PeerSetup setup, Transport transport, PeerListener listener) throws IOException {
    this.setup = setup;
    this.listener = listener;
    neighbourhood = new Neighbourhood(setup.network(), setup.self());
    limits = Limits.of(setup.messageBytes());
    snapshotWriter =
        new SnapshotWriter(
            setup.folder(),
            "plan %s, site %s"
                .formatted(setup.agreement().hash(), setup.sites().get(setup.self()).name()));
    PeerSnapshot before = snapshotWriter.restored();
    commitment = before.getCommitment();
    done = new ArrayList<>(before.getDoneList());
    resumed = before.getState();
    roundsBefore = before.getRounds();
    try {
      links =
          new Links(
              new Links.Setup(
                  setup.self(),
                  setup.sites(),
                  neighbourhood.heard,
                  neighbourhood.listeners,
                  !(setup.options().policy() instanceof Policy.Wait)),
              setup.agreement(),
              transport,
              limits,
              snapshotWriter.linkState());
    } catch (IOException failed) {
      snapshotWriter.close();
      throw failed;
    }
    exchange =
        new PeerExchange(
            setup.schedule(), neighbourhood, host, links, limits, setup.options(), listener);
    agreed = new AgreedTotals(exchange, before.getAgreedList(), this::keepBetweenStages);
    if (!commitment.isEmpty()) {
      exchange.sums().bind(before.getCommitments().toByteArray());
    }
  }

  /** Runs a program to its end, and until neighbours have all that they need from this peer. */
  public <R> R run(Program<R> program) throws InterruptedException {
    return run(program, _ -> {});
  }

  /**
   * The same, with somebody who keeps the result before neighbours are waited for: one that does
   * not come back must not keep it from anybody.
   *
   * @param keeper is handed the result when all that led to it is on disk
   */
  public <R> R run(Program<R> program, Consumer<? super R> keeper) throws InterruptedException {
    try {
      return runToTheEnd(program, keeper);
    } catch (StateLost lost) {
      throw new InvalidInput(String.valueOf(lost.getMessage()), lost);
    }
  }

  private <R> R runToTheEnd(Program<R> program, Consumer<? super R> keeper)
      throws InterruptedException {
    R result = finished(program);
    snapshotWriter.end(links, from -> snapshot(ByteString.EMPTY, true, from));
    keeper.accept(result);
    takeLeave();
    return result;
  }

  /** Stays until neighbours have all that they need from this peer, whose work is done. */
  public void takeLeave() throws InterruptedException {
    long end = links.call();
    long linger = setup.options().linger().toNanos();
    ended = true;
    // All of it is on disk. One that comes back says so at once: two would wait for each other.
    links.durable(end);
    List<String> behind = links.awaitAcknowledged(end, linger);
    if (!behind.isEmpty()) {
      LOG.log(
          WARNING,
          "left behind={0} detail=out of reach for {1} s, they may still need messages of this"
              + " peer; run it again when they are back",
          String.join(" ", behind),
          Long.toString(setup.options().linger().toSeconds()));
    }
    // That they have it is on disk before they are informed.
    snapshotWriter.end(links, from -> snapshot(ByteString.EMPTY, true, from));
    links.announceEnd(end);
    links.awaitFarewells(end, Math.min(FAREWELL_NS, linger));
  }

  /** Runs a program; where it cannot succeed, neighbours learn why nobody is here any more. */
  private <R> R finished(Program<R> program) throws InterruptedException {
    try {
      return program.run(new Context());
    } catch (DisclosureRefusal alike) {
      leave();
      throw alike;
    } catch (WorkFailed failed) {
      links.leave("it has ended without an answer: " + failed.getMessage());
      throw failed;
    }
  }

  /**
   * Ends what all clients refuse alike: nothing is kept of it, but nobody leaves before all have
   * heard how many object.
   */
  private void leave() throws InterruptedException {
    long end = links.call();
    links.durable(end);
    links.announceEnd(end);
    links.awaitFarewells(end, FAREWELL_NS);
    // Masks derive from the rules too: a site that changes its mind begins anew, with others.
    snapshotWriter.forget();
  }

  public NodeStatus status() {
    List<Links.Watch> watched = links.watch();
    return new NodeStatus(
        setup.sites().get(setup.self()).name(),
        stage,
        round,
        rounds,
        links.call(),
        watched.stream().filter(Links.Watch::waited).map(Links.Watch::name).toList(),
        watched,
        waiting(),
        snapshotWriter.trouble(),
        ended);
  }

  /** A sum that is agreed on is not asked for again, whatever happens to this peer. */
  private void keepBetweenStages() {
    if (!underway) {
      snapshotWriter.keep(links, from -> snapshot(ByteString.EMPTY, false, from));
    }
  }

  private Optional<Links.Waiting> waiting() {
    double disk = snapshotWriter.waitedSeconds();
    return disk > 0
        ? Optional.of(
            new Links.Waiting("to save its own state to disk", disk, List.of(), List.of()))
        : links.waiting();
  }

  /** All that a restart needs, but for what was said before a call, which is on disk already. */
  private PeerSnapshot snapshot(ByteString state, boolean last, long from) {
    PeerSnapshot.Builder snapshot =
        PeerSnapshot.newBuilder()
            .setLinks(links.linkState().kept(from))
            .addAllDone(done)
            .setState(state)
            .setRounds(roundsBefore)
            .setEnded(last)
            .setCommitment(commitment)
            .setCommitments(ByteString.copyFrom(exchange.sums().bound()));
    for (List<Double> values : agreed.results()) {
      snapshot.addAgreed(Agreed.newBuilder().addAllValues(values));
    }
    return snapshot.build();
  }

  /** Stages of rounds that survive a restart: a stage that is done is not done again. */
  private final class DurableStages implements World.Stages {
    @Override
    public <S extends Algorithm.State> S advance(
        Course course, Algorithm.Rounds<S> algorithm, S start, int count, Hook<? super S> hook) {
      if (stages < done.size()) {
        return finished(start);
      }
      int end = Math.addExact(start.round(), count);
      S from = begin(start, end);
      try {
        S last =
            course.advance(
                algorithm, from, end - from.round(), new DurableRounds<>(roundsBefore, hook));
        end(last, last.round() - start.round());
        return last;
      } catch (Diverged lost) {
        // Where all find it alike, by a total, they may go on with another stage.
        done.add(ByteString.EMPTY);
        underway = false;
        throw lost;
      }
    }
  }

  /** Between two rounds: room for neighbours that fetch, numbers for calls, snapshots, status. */
  private final class DurableRounds<S extends Algorithm.State> implements Hook<S> {
    private final Pressure pressure = new Pressure();
    private final int before;
    private final Hook<? super S> inner;

    DurableRounds(int before, Hook<? super S> inner) {
      this.before = before;
      this.inner = inner;
    }

    @Override
    public boolean shows(int done) {
      return inner.shows(done);
    }

    @Override
    public void before(int next) {
      awaitRoom();
      exchange.number(before + next);
    }

    @Override
    public void after(S state) {
      round = state.round();
      listener.round(round);
      inner.after(state);
      snapshotWriter.offer(
          links,
          pressure.bytes(),
          from -> snapshot(ByteString.copyFrom(Snapshot.of(state)), false, from));
    }
  }

  /** What a stage came to that was done before a restart. */
  private <S extends Algorithm.State> S finished(S start) {
    ByteString last = done.get(stages++);
    if (last.isEmpty()) {
      throw new Diverged(start.round(), new NotFinite("before this peer was started again"));
    }
    return Snapshot.restore(last.toByteArray(), start, host);
  }

  private <S extends Algorithm.State> S begin(S start, int end) {
    stage = stages++;
    underway = true;
    rounds = end;
    S s = resumed.isEmpty() ? start : Snapshot.restore(resumed.toByteArray(), start, host);
    resumed = ByteString.EMPTY;
    round = s.round();
    return s;
  }

  private void end(Algorithm.State last, int count) {
    done.add(ByteString.copyFrom(Snapshot.of(last)));
    roundsBefore += count;
    underway = false;
  }

  /** Where the program runs. */
  private final class Context implements PeerContext {
    @Override
    public int self() {
      return setup.self();
    }

    @Override
    public byte[] commit(byte[] own) {
      ByteString said = ByteString.copyFrom(own);
      if (!commitment.isEmpty()) {
        if (!commitment.equals(said)) {
          throw new InvalidInput(
              "site %s: its data or its own rules have changed since this run began; that needs a new run (`run` in the plan)"
                  .formatted(name()));
        }
        return exchange.sums().bound();
      }
      requireSame(exchange.sums().commit(own));
      commitment = said;
      // On disk before the first term goes out: a restart with other data is told so here.
      keepBetweenStages();
      snapshotWriter.require("commitment to its data", "; no data have left");
      return exchange.sums().bound();
    }

    /** Refuses where some clients hold other commitments, which this one's would not fit. */
    private void requireSame(List<Integer> others) {
      if (!others.isEmpty()) {
        throw new InvalidInput(
            "site %s: its data or another site's have changed since this run began, as %s can tell; new data need a new run (`run` in the plan)"
                .formatted(name(), names(others)));
      }
    }

    @Override
    public void requireAgreement() {
      if (!(setup.options().policy() instanceof Policy.Wait)) {
        return;
      }
      List<Integer> others = agreed.dissenting(exchange.sums()::dissenting);
      if (!others.isEmpty()) {
        throw new WorkFailed(
            "site %s: every site must have the same sums; those of %s are others, so there is no answer. A site on the way has changed what it passed on, or a disk what was kept"
                .formatted(name(), names(others)));
      }
    }

    private String names(List<Integer> clients) {
      return String.join(", ", clients.stream().map(m -> setup.sites().get(m).name()).toList());
    }

    private String name() {
      return setup.sites().get(setup.self()).name();
    }

    @Override
    public Host host() {
      return host;
    }

    @Override
    public Totals totals() {
      return agreed;
    }

    @Override
    public World world(Local local) {
      Course course = new Course(exchange, local, host, setup.streams(), setup.self());
      return new World(1, agreed, course, new DurableStages());
    }

    @Override
    public <S extends Algorithm.State> S advance(
        Algorithm.Events<S> algorithm, Local local, double[] start, int updates) {
      PeerMail mail = new PeerMail(setup, neighbourhood, host, links, limits);
      S s = algorithm.start(host.of(new double[][] {start}), mail);
      if (stages < done.size()) {
        return finished(s);
      }
      s = begin(s, updates);
      Hook<S> hook = new DurableRounds<>(0, Hook.none());
      int strikes = s.round();
      while (s.round() < updates) {
        s = mail.deliver(algorithm, s);
        s = algorithm.wake(s, mail, local, new Draws(setup.streams(), strikes++, setup.self()));
        host.recycle(s.rows());
        if (host.firstLost(s.theta()) >= 0) {
          throw new Diverged(s.round(), setup.self());
        }
        hook.after(s);
      }
      end(s, s.round());
      return s;
    }
  }

  /** How much the neighbours have said since the last snapshot. */
  private final class Pressure {
    private long call = links.call();
    private long heard = links.mostHeard();

    long bytes() {
      if (snapshotWriter.begunSince(call)) {
        call = links.call();
        heard = links.mostHeard();
      }
      return links.mostHeard() - heard;
    }
  }

  private void awaitRoom() {
    try {
      links.awaitRoom(BACKLOG_BYTES);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while neighbours fetch", interrupted);
    }
  }

  @Override
  public void close() throws IOException {
    links.close();
    snapshotWriter.close();
    host.workers().close();
  }
}
