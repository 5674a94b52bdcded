package ngd.peer.faults;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.core.random.Streams;
import ngd.peer.machine.Machine;
import ngd.peer.wire.SimulatedNetwork;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Kind;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The sites of one simulated federation with all that is between and under them: schedule, network,
 * disks, and the log of what happened. What a seed decides is decided here.
 */
final class FaultWorld implements SimulatedNetwork.Weather {
  private static final Logger PEER = Logger.getLogger("ngd.peer");

  static {
    // What simulated peers say belongs in the log of their simulation.
    PEER.setFilter(
        record -> {
          if (Machine.here() instanceof SimulatedMachine simulated) {
            simulated.said(new SimpleFormatter().formatMessage(record));
            return false;
          }
          return true;
        });
  }

  private static final Pattern HASH = Pattern.compile("(?<!snapshot-)\\b[0-9a-f]{8,}\\b");
  private static final Pattern DRAFT = Pattern.compile("\\d+-\\d+\\.part");

  final UniformRandomProvider draw;
  final Schedule schedule;
  final SimulatedNetwork network = new SimulatedNetwork(this);
  final List<FaultSite> sites = new ArrayList<>();
  final List<String> log = new ArrayList<>();
  final List<String> violations = new ArrayList<>();
  private final Map<String, FaultSite> byName = new HashMap<>();

  /** Questions that a site did not take, because its calendar had jumped since they were asked. */
  final Set<String> lateQuestions = new HashSet<>();

  private static final Pattern LATE_QUESTION =
      Pattern.compile("hand-in-refused .*question (\\w+): must be asked within the last .*");

  private final Map<String, Long> separatedUntil = new HashMap<>();
  private final Streams streams;
  private final int preemptions;
  private final long usualDelay;
  private final int spikes;

  /** How many frames in ten thousand come twice or are overtaken. */
  private final int disorder;

  private final SentLedger sent = new SentLedger(this::violated);

  /** The kinds of messages that must be the same bytes whenever their call is said again. */
  private final Set<Kind> repeated;

  private boolean calm;

  FaultWorld(long seed, List<String> names, Set<Kind> repeated) {
    this.repeated = repeated;
    streams = Streams.of(seed);
    draw = streams.stream(Streams.Purpose.EVENTS, 0);
    schedule = new Schedule(streams.stream(Streams.Purpose.EVENTS, 1));
    for (String name : names) {
      FaultSite site = new FaultSite(sites.size(), name);
      sites.add(site);
      byName.put(name, site);
    }
    preemptions = new int[] {0, 5, 50, 300}[draw.nextInt(4)];
    usualDelay = new long[] {20_000, 200_000, 2_000_000, 20_000_000}[draw.nextInt(4)];
    spikes = new int[] {0, 2, 20}[draw.nextInt(3)];
    disorder = new int[] {0, 0, 10, 100}[draw.nextInt(4)];
  }

  void note(String what) {
    log.add(String.format(Locale.ROOT, "%12.6f %s", schedule.now() / 1e9, what));
  }

  void violated(String what) {
    note("VIOLATED " + what);
    violations.add(what);
  }

  FaultSite site(String name) {
    FaultSite found = byName.get(name);
    if (found == null) {
      throw new IllegalArgumentException("simulation: no site is called " + name);
    }
    return found;
  }

  /** What a site does from one start to the next. */
  @FunctionalInterface
  interface Work {
    void run(FaultSite site) throws Exception;
  }

  /** Starts a site's machine and its peer. */
  void start(FaultSite site, Work work) {
    site.starts++;
    site.left = false;
    site.neededLater = false;
    SimulatedMachine machine =
        new SimulatedMachine(
            schedule,
            site.number,
            streams.stream(Streams.Purpose.EVENTS, 2, site.number, site.starts),
            preemptions,
            failed -> violated("%s: a thread ended: %s".formatted(site.name, trace(failed))),
            line -> said(site, line));
    machine.setCalendar(site.calendar);
    site.machine = machine;
    long before = site.disk.changes();
    site.disk.faults(what -> changed(site, machine, what, before));
    note("start %s %d".formatted(site.name, site.starts));
    machine.start(
        "peer",
        () -> {
          try {
            work.run(site);
          } catch (Exception failed) {
            violated("%s: its peer ended: %s".formatted(site.name, trace(failed)));
          }
        });
  }

  private static String trace(Throwable failed) {
    StringBuilder words = new StringBuilder(failed.toString());
    for (Throwable one = failed; one != null; one = one.getCause()) {
      for (StackTraceElement at : one.getStackTrace()) {
        if (at.getClassName().startsWith("ngd.")) {
          words.append(" at ").append(at);
          break;
        }
      }
    }
    return words.toString();
  }

  private void said(FaultSite site, String line) {
    note(site.name + ": " + shown(line));
    site.neededLater |= line.startsWith("left behind");
    Matcher refused = LATE_QUESTION.matcher(line);
    if (refused.matches()) {
      lateQuestions.add(refused.group(1));
    }
  }

  /** Without what differs from process to process: hashes of keys, and names of drafts. */
  static String shown(String what) {
    return HASH.matcher(DRAFT.matcher(what).replaceAll("part")).replaceAll("…");
  }

  /** Before every change of a disk. */
  private void changed(FaultSite site, SimulatedMachine machine, String what, long before)
      throws IOException {
    if (machine.crashed()) {
      throw new IOException("simulated disk: its machine has crashed");
    }
    long count = site.disk.changes() - before;
    if (site.crashAtChange == count) {
      note("power of %s fails before %s".formatted(site.name, shown(what)));
      site.crashAtChange = 0;
      crash(site, true);
    }
    if (schedule.now() < site.readOnlyUntil) {
      throw new FileSystemException(what, null, "Read-only file system");
    }
    if (schedule.now() < site.diskFullUntil && !what.startsWith("delete")) {
      throw new FileSystemException(what, null, "No space left on device");
    }
    if (site.slowestForce > 0 && what.startsWith("force") && Machine.here() == machine) {
      machine.park(1 + draw.nextLong(site.slowestForce));
    }
  }

  /**
   * Ends a site's machine where it stands.
   *
   * @param power whether what was not forced to the disk may be lost; else the process alone ends
   */
  void crash(FaultSite site, boolean power) {
    SimulatedMachine machine = site.machine;
    if (machine == null || machine.crashed()) {
      return;
    }
    site.machine = null;
    site.left = false;
    if (power) {
      site.disk.crash(draw);
    } else {
      site.disk.kill();
    }
    // Who sends to a machine without power learns nothing; a process that ends says so.
    network.crashed(site.name, power && draw.nextInt(2) == 0 ? 1 + draw.nextLong(SILENCE_NS) : 0);
    machine.crash();
  }

  /**
   * A peer has ended by itself; comes last in its thread.
   *
   * @param done whether there was nothing left to do
   */
  void left(FaultSite site, boolean done) {
    note(site.name + " has left");
    site.left = done;
    SimulatedMachine machine = site.machine;
    site.machine = null;
    site.disk.kill();
    network.crashed(site.name, 0);
    if (machine != null) {
      machine.crash();
    }
  }

  /** How long it takes at most until a silent connection is given up. */
  static final long SILENCE_NS = 20_000_000_000L;

  /** How long a revoked site may still be heard: links look at certificates every 5 seconds. */
  private static final long BELIEVED_NS = 15_000_000_000L;

  /** No faults from now on. */
  void calm() {
    calm = true;
    separatedUntil.clear();
    for (FaultSite site : sites) {
      site.diskFullUntil = 0;
      site.readOnlyUntil = 0;
      site.slowestForce = 0;
      site.revokedAt = 0;
      site.crashAtChange = 0;
      setCalendar(site, Duration.ZERO);
      if (site.machine != null) {
        site.machine.slow(0, 1);
      }
    }
    note("faults stop");
  }

  /** A site's calendar shows another time from now on. */
  void setCalendar(FaultSite site, Duration ahead) {
    site.calendar = ahead;
    SimulatedMachine machine = site.machine;
    if (machine != null) {
      machine.setCalendar(ahead);
    }
  }

  /** Whether messages are late or in disorder before all is calm. */
  boolean isRough() {
    return spikes > 0 || disorder > 0;
  }

  boolean isCalm() {
    return calm;
  }

  private static String pair(String one, String two) {
    return one.compareTo(two) < 0 ? one + " " + two : two + " " + one;
  }

  /** Nothing passes between two sites for a while. */
  void separate(FaultSite one, FaultSite two, long nanoseconds) {
    note("%s and %s are separated".formatted(one.name, two.name));
    separatedUntil.put(pair(one.name, two.name), schedule.now() + nanoseconds);
    cut(one, two);
  }

  /** Breaks what is open between two sites; each learns it when it does. */
  void cut(FaultSite one, FaultSite two) {
    note("cut %s %s".formatted(one.name, two.name));
    boolean halfOpen = draw.nextInt(3) == 0;
    network.cut(
        one.name,
        two.name,
        halfOpen ? draw.nextLong(SILENCE_NS) : 0,
        halfOpen ? draw.nextLong(SILENCE_NS) : draw.nextLong(1_000_000),
        draw.nextInt(2) == 0);
  }

  // ---- Weather

  @Override
  public long now() {
    return schedule.now();
  }

  @Override
  public long delay(String from, String to) {
    long delay = usualDelay / 2 + draw.nextLong(usualDelay);
    boolean spike = !calm && draw.nextInt(1000) < spikes;
    return spike ? delay + draw.nextLong(2_000_000_000L) : delay;
  }

  @Override
  public boolean reaches(String from, String to) {
    return separatedUntil.getOrDefault(pair(from, to), 0L) <= schedule.now();
  }

  @Override
  public boolean believes(String site, String other) {
    return site(other).revokedAt == 0;
  }

  /** A site's commitment to its data is on disk before a sum of them is sent. */
  private void requireCommitted(FaultSite site) {
    site.committed |= site.damaged || !StateFiles.snapshots(site).isEmpty();
    if (!site.committed) {
      violated("%s: sends a term before its commitment is on disk".formatted(site.name));
    }
  }

  @Override
  public SimulatedNetwork.Fate fate(String from, String to, Frame frame) {
    if (frame.hasPart()
        && repeated.contains(frame.getPart().getKind())
        && sites.stream().noneMatch(site -> site.damaged)) {
      sent.enter(from, to, frame);
    }
    if (frame.hasPart() && site(from).unusable) {
      violated("%s: goes on with snapshots that cannot be its own".formatted(from));
    }
    if (frame.hasPart() && frame.getPart().getKind() == Kind.TOTAL) {
      requireCommitted(site(from));
    }
    int drawn = calm || disorder == 0 ? 10_000 : draw.nextInt(10_000);
    return drawn >= disorder
        ? SimulatedNetwork.Fate.ONCE
        : drawn % 2 == 0 ? SimulatedNetwork.Fate.TWICE : SimulatedNetwork.Fate.OVERTAKEN;
  }

  /** No stream to one that is revoked lasts once the other side has looked at its list. */
  @Override
  public void arrives(String from, String to, Frame frame, long opened) {
    long revoked = site(from).revokedAt;
    boolean late = schedule.now() - Math.max(revoked, opened) > BELIEVED_NS;
    if (revoked > 0 && late && frame.hasPart()) {
      violated("%s: hears %s, whose certificate was revoked".formatted(to, from));
    }
  }

  @Override
  public void at(long nanoseconds, Runnable work) {
    schedule.at(nanoseconds, work);
  }

  @Override
  public void next(Machine machine, ArrayDeque<Runnable> line, Runnable work) {
    if (machine instanceof SimulatedMachine own && !own.crashed()) {
      line.add(work);
      if (line.size() == 1) {
        own.start("wire", () -> carryOut(line));
      }
    }
  }

  /** One after another; the one under way stays in line until it is done. */
  private static void carryOut(ArrayDeque<Runnable> line) {
    while (!line.isEmpty()) {
      try {
        line.element().run();
      } finally {
        line.remove();
      }
    }
  }
}
