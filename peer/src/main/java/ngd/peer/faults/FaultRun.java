package ngd.peer.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import ngd.peer.wire.proto.Kind;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * One federation from one seed: starts its sites, lets faults happen to them, and checks what must
 * hold.
 */
abstract class FaultRun {
  /** How long everything takes at most once faults have stopped: neighbours wait for 5 minutes. */
  private static final long PATIENCE_NS = 1_800_000_000_000L;

  /** How far a calendar jumps at most, either way. */
  private static final long LONGEST_JUMP_MS = 3L * 24 * 3600 * 1000;

  /** What a run takes at most; one of many hours takes more. */
  private static final long MOST_STEPS = 3_000_000;

  private static final long STEPS_A_SECOND = 1_000;

  /** How often whoever runs a site looks after it. */
  private static final long LOOK_NS = 30_000_000_000L;

  /** What the network may hold for each pair of sites. */
  private static final long MOST_BYTES = 64L << 20;

  /** The files that a site may have, whatever happens: snapshots, those set aside, a lock. */
  private static final int MOST_FILES = 64;

  /** How soon after a site's answer its newest snapshot may be damaged, or another site's. */
  private static final long SOON_NS = 100_000_000L;

  final FaultWorld world;
  final UniformRandomProvider draw;
  private final StateFiles files;
  private final PromptEnd promptEnd = new PromptEnd();
  private final long seed;
  private final FaultMode mode;
  private final Set<Integer> answered = new TreeSet<>();
  private int crashes;

  /** Faults to come. */
  private int faultsLeft;

  private long usualPause;

  /**
   * @param repeated the kinds of messages that must be the same bytes whenever they are said again
   */
  FaultRun(long seed, FaultMode mode, List<String> sites, Set<Kind> repeated) {
    this.seed = seed;
    this.mode = mode;
    world = new FaultWorld(seed, sites, repeated);
    draw = world.draw;
    files = new StateFiles(draw);
    if (world.isRough()) {
      promptEnd.slowed();
    }
  }

  /** What a site's peer does from one start to the next. */
  abstract void work(FaultSite site) throws Exception;

  /** What is to happen beside the sites and their faults. */
  void begin() {}

  /** Whether there is nothing left to do, though peers stay. */
  boolean finished() {
    return false;
  }

  /**
   * How much goes wrong.
   *
   * @param faults how many before they stop
   * @param pause the usual pause between two, in nanoseconds
   */
  record Pace(int faults, long pause) {}

  Pace pace() {
    return new Pace(
        draw.nextInt(4) == 0 ? 0 : 1 + draw.nextInt(12),
        new long[] {3_000_000, 30_000_000, 300_000_000, 3_000_000_000L, 30_000_000_000L}
            [draw.nextInt(5)]);
  }

  /** Whether faults go on until more has been done. */
  boolean pending() {
    return false;
  }

  /** The files that a site may have. */
  int mostFiles() {
    return MOST_FILES;
  }

  /** The site's data become others. */
  abstract void changeData(FaultSite site);

  /** Whether there is one run alone, from which a site that cannot go on is out for good. */
  boolean isOneRun() {
    return true;
  }

  final FaultOutcome run() {
    Pace pace = pace();
    faultsLeft = pace.faults();
    usualPause = pace.pause();
    for (FaultSite site : world.sites) {
      // Sites start when somebody starts them.
      world.schedule.at(draw.nextLong(2 * usualPause), () -> start(site));
    }
    begin();
    nextFault();
    boolean finished =
        world.schedule.run(
            this::over,
            Long.MAX_VALUE,
            MOST_STEPS + STEPS_A_SECOND * pace.faults() * (pace.pause() / 1_000_000_000L));
    if (!finished && mode == FaultMode.LIVENESS && world.violations.isEmpty()) {
      world.violated("does not end: " + open());
    }
    if (world.sites.stream().allMatch(site -> site.left && site.starts == 1)) {
      promptEnd.late(world.schedule.now()).ifPresent(world::violated);
    }
    memory();
    world.note(
        "end: %d answers, %d steps, choices %016x"
            .formatted(answered.size(), world.schedule.steps(), world.schedule.choices()));
    return new FaultOutcome(
        seed,
        world.violations,
        world.sites.size(),
        answered.size(),
        (int) world.sites.stream().filter(site -> site.refusal != null).count(),
        crashes,
        world.schedule.steps(),
        world.schedule.now() / 1e9,
        world.log);
  }

  private String open() {
    return String.join(
        ", ",
        world.sites.stream()
            .filter(site -> !site.left)
            .map(
                site ->
                    site.name
                        + (site.up() ? " runs" : " is down")
                        + (answered.contains(site.number) ? " with its answer" : ""))
            .toList());
  }

  private boolean over() {
    return !world.violations.isEmpty()
        || world.sites.stream().allMatch(site -> site.left || site.refusal != null)
        || (world.isCalm() && finished())
        || (world.isCalm() && world.sites.stream().anyMatch(site -> site.refusal != null));
  }

  private void start(FaultSite site) {
    // Once all have their answers, nobody needs one that has left.
    boolean needed = site.neededLater && answered.size() < world.sites.size();
    if (site.up() || site.refusal != null || (site.left && !needed)) {
      return;
    }
    if (!world.isCalm() && draw.nextInt(2) == 0) {
      site.crashAtChange = 1L + draw.nextInt(draw.nextInt(2) == 0 ? 12 : 120);
    }
    world.start(site, this::work);
    SimulatedMachine machine = site.machine;
    if (machine != null && !world.isCalm() && draw.nextInt(5) == 0) {
      machine.slow(1 + draw.nextInt(200), 1 + draw.nextLong(50_000_000));
      promptEnd.slowed();
    }
    if (!world.isCalm() && draw.nextInt(3) == 0) {
      site.slowestForce = 1 + draw.nextLong(200_000_000);
      promptEnd.slowed();
    }
    world.schedule.at(LOOK_NS, () -> look(site));
  }

  /** Somebody starts a site again that is down, or that was said to be needed. */
  private void look(FaultSite site) {
    if (!site.up() && world.isCalm()) {
      start(site);
    } else if (world.isCalm()) {
      world.schedule.at(LOOK_NS, () -> look(site));
    }
  }

  private void down(FaultSite site, boolean power) {
    if (!site.up()) {
      return;
    }
    world.note("%s of %s ends".formatted(power ? "power" : "process", site.name));
    world.crash(site, power);
  }

  private void nextFault() {
    long pause = 1 + (long) (-Math.log(1 - draw.nextDouble()) * usualPause);
    world.schedule.at(pause, this::fault);
  }

  private void fault() {
    restartThoseDown();
    if (faultsLeft-- <= 0 && !pending()) {
      calm();
      return;
    }
    FaultSite site = anySite();
    FaultSite other = anySite();
    long soon = 1 + draw.nextLong(3 * usualPause);
    memory();
    promptEnd.disturbed();
    switch (draw.nextInt(mode == FaultMode.SAFETY ? 19 : 11)) {
      case 0, 1 -> down(site, true);
      case 2 -> down(site, false);
      case 3, 4 -> {
        if (site != other) {
          world.cut(site, other);
        }
      }
      case 5 -> {
        if (site != other) {
          world.separate(site, other, soon);
        }
      }
      case 6 -> {
        world.note("disk of %s is full".formatted(site.name));
        site.diskFullUntil = world.schedule.now() + soon;
      }
      case 7 -> {
        world.note("disk of %s is read-only".formatted(site.name));
        site.readOnlyUntil = world.schedule.now() + soon;
      }
      case 8 -> revoke(site, 4 * soon);
      case 9 -> {
        Duration ahead = Duration.ofMillis(draw.nextLong(-LONGEST_JUMP_MS, LONGEST_JUMP_MS));
        world.note("the calendar of %s jumps".formatted(site.name));
        world.setCalendar(site, ahead);
        world.schedule.at(soon, () -> world.setCalendar(site, Duration.ZERO));
      }
      case 10 -> damageNewest(site);
      case 11, 12, 13, 14 -> damage(site, other);
      case 15 -> beginAnew(site);
      case 16 -> {
        down(site, true);
        world.note("data of %s change".formatted(site.name));
        site.damaged = true;
        changeData(site);
      }
      default -> {
        if (site.backup == null) {
          site.backup = copied(site);
        }
      }
    }
    nextFault();
  }

  /** A site's certificate is on the list of revoked ones until it has a new one. */
  private void revoke(FaultSite site, long nanoseconds) {
    if (site.revokedAt > 0) {
      return;
    }
    world.note("the certificate of %s is revoked".formatted(site.name));
    site.revokedAt = world.schedule.now();
    world.schedule.at(
        nanoseconds,
        () -> {
          if (site.revokedAt > 0) {
            world.note("%s has a new certificate".formatted(site.name));
            site.revokedAt = 0;
          }
        });
  }

  private SimulatedDisk.Node copied(FaultSite site) {
    try {
      world.note("backup of " + site.name);
      return site.disk.copy(site.disk.root());
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * A machine ends, and its newest snapshot is damaged: the one before it must do. Once for each
   * site, as promised of the two newest.
   */
  private void damageNewest(FaultSite site) {
    if (!site.up()) {
      return;
    }
    down(site, true);
    Optional<Path> newest = StateFiles.replaceable(site);
    if (newest.isPresent() && !site.newestDamaged && !site.damaged) {
      site.newestDamaged = true;
      rot(site, newest.get());
    }
  }

  /** A site's files change while its machine is down. */
  private void damage(FaultSite site, FaultSite other) {
    down(site, true);
    site.damaged = true;
    try {
      switch (draw.nextInt(4)) {
        case 0 -> rotSome(site);
        case 1 -> {
          List<Path> snapshots = StateFiles.snapshots(site);
          snapshots.forEach(file -> rot(site, file));
          site.unusable |= isOneRun() && !snapshots.isEmpty();
        }
        case 2 -> {
          SimulatedDisk.Node old = site.backup;
          if (old != null) {
            world.note("an old state of %s is put back".formatted(site.name));
            site.disk.put(site.disk.root(), old);
            site.unusable = false;
          }
        }
        default -> takeStateOf(site, other);
      }
    } catch (IOException failed) {
      throw new IllegalStateException("simulation: files cannot be changed", failed);
    }
  }

  private void takeStateOf(FaultSite site, FaultSite other) throws IOException {
    if (site == other
        || !Files.isDirectory(StateFiles.folder(other))
        || !Files.isDirectory(StateFiles.folder(site))) {
      return;
    }
    world.note("the state of %s is copied to %s".formatted(other.name, site.name));
    site.disk.put(StateFiles.folder(site), other.disk.copy(StateFiles.folder(other)));
    site.unusable = isOneRun() && !other.damaged && !StateFiles.snapshots(other).isEmpty();
  }

  /**
   * All sites begin the same run again from nothing, one of them with other data: no mask of the
   * first time may hide other numbers the second time.
   */
  private void beginAnew(FaultSite changed) {
    if (!isOneRun() || anyAnswer() || world.sites.stream().anyMatch(site -> site.refusal != null)) {
      return;
    }
    world.note("all state is lost");
    for (FaultSite site : world.sites) {
      down(site, true);
      site.damaged = true;
      site.unusable = false;
      try {
        StateFiles.lose(site);
      } catch (IOException failed) {
        throw new IllegalStateException("simulation: files cannot be changed", failed);
      }
    }
    world.note("data of %s change".formatted(changed.name));
    changeData(changed);
  }

  /** Bits of some files of the state change. */
  private void rotSome(FaultSite site) {
    List<Path> all = StateFiles.all(site);
    for (int count = 1 + draw.nextInt(2); count > 0 && !all.isEmpty(); count--) {
      rot(site, all.get(draw.nextInt(all.size())));
    }
  }

  private void rot(FaultSite site, Path file) {
    if (files.rot(site, file)) {
      world.note("bits of %s at %s change".formatted(file.getFileName(), site.name));
    }
  }

  /** Whoever runs a site starts it again after a while. */
  private void restartThoseDown() {
    for (FaultSite site : world.sites) {
      if (!site.up() && !site.left && site.starts > 0 && site.refusal == null) {
        crashes++;
        start(site);
      }
    }
  }

  private void calm() {
    world.calm();
    promptEnd.calm(world.schedule.now());
    for (FaultSite site : world.sites) {
      world.schedule.at(draw.nextLong(2 * usualPause), () -> start(site));
    }
    world.schedule.at(
        PATIENCE_NS,
        () -> {
          if (mode == FaultMode.LIVENESS) {
            world.violated("waits for ever: " + open());
          } else {
            world.sites.forEach(site -> site.refusal = "waits");
          }
        });
  }

  final void answered(FaultSite site) {
    world.note(site.name + " has its answer");
    requireUsable(site, "answers");
    answered.add(site.number);
    promptEnd.answered(world.schedule.now());
    if (!world.isCalm() && draw.nextInt(3) == 0) {
      FaultSite ends = draw.nextBoolean() ? site : anySite();
      world.schedule.at(1 + draw.nextLong(SOON_NS), () -> endWithAnswer(ends));
    }
  }

  /** Its neighbours may have forgotten by then, or left, what it would need again. */
  private void endWithAnswer(FaultSite site) {
    if (!world.isCalm()) {
      promptEnd.disturbed();
      damageNewest(site);
    }
  }

  FaultSite anySite() {
    return world.sites.get(draw.nextInt(world.sites.size()));
  }

  private void requireUsable(FaultSite site, String what) {
    if (site.unusable) {
      world.violated("%s: %s with snapshots that cannot be its own".formatted(site.name, what));
    }
  }

  final boolean anyAnswer() {
    return !answered.isEmpty();
  }

  final void left(FaultSite site) {
    promptEnd.left(world.schedule.now());
    world.left(site, true);
  }

  /** A peer ends and says why. */
  final void refused(FaultSite site, RuntimeException refusal) {
    String why = FaultWorld.shown(String.valueOf(refusal.getMessage()));
    world.note("%s refuses: %s".formatted(site.name, why));
    if (why.length() < 20) {
      world.violated("%s: its refusal has no reason".formatted(site.name));
    }
    boolean excused = world.sites.stream().anyMatch(one -> one.damaged);
    if (isDiskTrouble(why)) {
      // Whoever runs it mends the disk and starts it again.
      end(site);
      return;
    }
    if (why.contains("clock") || why.contains("expired")) {
      // Whoever runs it sets the clock and starts it again.
      if (site.calendar.isZero()) {
        world.violated("%s: nothing is wrong with its clock: %s".formatted(site.name, why));
      }
      end(site);
      return;
    }
    if (site.unusable && !why.contains("are damaged") && !why.contains("snapshots belong to")) {
      world.violated("%s: must say what is wrong with its snapshots: %s".formatted(site.name, why));
    }
    if (!excused) {
      world.violated("%s: nothing happened for which it may refuse: %s".formatted(site.name, why));
    }
    site.refusal = why;
    end(site);
  }

  final void diskRefused(FaultSite site, IOException failed) {
    String why = FaultWorld.shown(String.valueOf(failed.getMessage()));
    world.note("%s cannot start: %s".formatted(site.name, why));
    if (!isDiskTrouble(why)) {
      world.violated("%s: nothing is wrong with its disk: %s".formatted(site.name, failed));
    }
    end(site);
  }

  private static boolean isDiskTrouble(String why) {
    return why.contains("No space left") || why.contains("Read-only");
  }

  private void end(FaultSite site) {
    if (world.isCalm() && site.refusal == null) {
      world.schedule.at(LOOK_NS, () -> start(site));
    }
    world.left(site, false);
  }

  private void memory() {
    long bytes = world.network.bytesUnderWay();
    if (bytes > MOST_BYTES) {
      world.violated("%d bytes are under way".formatted(bytes));
    }
    for (FaultSite site : world.sites) {
      if (site.disk.files() > mostFiles()) {
        world.violated("%s has %d files".formatted(site.name, site.disk.files()));
      }
    }
  }
}
