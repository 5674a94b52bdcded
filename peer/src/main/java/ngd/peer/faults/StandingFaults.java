package ngd.peer.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.machine.Machine;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.standing.MemberFolder;
import ngd.peer.standing.SignedStatement;
import ngd.peer.standing.StandingPeer;
import ngd.peer.standing.Statement;
import ngd.peer.wire.SimulatedTransport;

/**
 * A standing federation with kits, keys and a signed plan, to which questions are asked while its
 * sites crash: every question must be answered everywhere, by the same numbers, which least squares
 * on all rows give too.
 */
final class StandingFaults extends FaultRun {
  private static final String KIT = "kit";
  private static final double TOLERANCE = 1e-9;

  /** What a site has before anything is asked, and what a question leaves. */
  private static final int KIT_FILES = 64;

  private static final int FILES_A_QUESTION = 32;

  /** Snapshots of questions that have just ended, and drafts since the last start. */
  private static final int LEFTOVERS = 12;

  /** Prepared once: making keys takes longer than a simulation. */
  private static final Map<Integer, SimulatedDisk> PREPARED = new HashMap<>();

  private final Map<String, PeerIdentity> identities = new LinkedHashMap<>();

  /** The questions asked, by name, with the predictors that they use. */
  private final Map<String, List<Integer>> asked = new LinkedHashMap<>();

  private final Map<String, byte[]> answers = new HashMap<>();
  private final long pause;
  private final Optional<Pace> pace;
  private int toAsk;

  /** When it is looked again whether all is answered. */
  private long nextLook;

  /**
   * @param questions how many are asked
   * @param pause the usual pause between two
   */
  StandingFaults(long seed, FaultMode mode, int peers, int questions, Duration pause) {
    this(seed, mode, peers, questions, pause, Optional.empty());
  }

  /**
   * @param pace how much goes wrong; empty where the seed decides
   */
  StandingFaults(
      long seed, FaultMode mode, int peers, int questions, Duration pause, Optional<Pace> pace) {
    super(seed, mode, names(peers), Set.of());
    this.pause = pause.toNanos();
    this.pace = pace;
    toAsk = questions;
    SimulatedDisk prepared = prepared(peers);
    for (FaultSite site : world.sites) {
      try {
        site.disk.put(site.disk.root(), prepared.copy(prepared.root().resolve(site.name)));
        Path folder = prepared.root().resolve(site.name);
        identities.put(
            site.name,
            PeerIdentity.open(
                Kit.open(folder), site.name, InstantSource.fixed(SimulatedMachine.EPOCH)));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }

  private static List<String> names(int peers) {
    return IntStream.range(0, peers).mapToObj(m -> "site-" + m).toList();
  }

  private static SimulatedDisk prepared(int peers) {
    synchronized (PREPARED) {
      return PREPARED.computeIfAbsent(peers, StandingFaults::prepare);
    }
  }

  private static SimulatedDisk prepare(int peers) {
    List<Site> sites =
        IntStream.range(0, peers).mapToObj(m -> new Site("site-" + m, "localhost", 1 + m)).toList();
    return KitFaults.prepared(
        () ->
            PlanReader.parse(
                new PlanTemplate()
                    .with("federation", "simulated")
                    .with("network", "complete")
                    .text(sites)));
  }

  @Override
  Pace pace() {
    return pace.orElseGet(super::pace);
  }

  @Override
  boolean pending() {
    return toAsk > 0;
  }

  /** An answer and the statements about it stay. */
  @Override
  int mostFiles() {
    return KIT_FILES + FILES_A_QUESTION * asked.size();
  }

  /** Of what is over, no state stays, and no draft of a file that a crash left behind. */
  private void requireNoLeftovers(FaultSite site) {
    try (Stream<Path> all = Files.walk(site.disk.root())) {
      List<String> left =
          all.filter(Files::isRegularFile)
              .map(Path::toString)
              .filter(file -> file.endsWith(".part") || file.contains("snapshot"))
              .toList();
      if (left.size() > LEFTOVERS) {
        world.violated(
            "%s: has %d files that nobody needs: %s".formatted(site.name, left.size(), left));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void begin() {
    world.schedule.at(draw.nextLong(2 * pause), this::ask);
  }

  /** Somebody at some site asks something, where its disk takes it. */
  private void ask() {
    FaultSite site = anySite();
    List<Integer> predictors = List.of(List.of(1), List.of(2), List.of(1, 2)).get(draw.nextInt(3));
    List<String> lines =
        List.of(
            "formula: y ~ "
                + String.join(" + ", predictors.stream().map(FaultTable.NAMES::get).toList()),
            "family: gaussian");
    PeerIdentity identity = identities.get(site.name);
    Instant now =
        SimulatedMachine.EPOCH.plusNanos(world.schedule.now()).truncatedTo(ChronoUnit.MILLIS);
    // Whoever asks sees a calendar that is wrong.
    if (site.up() && site.calendar.isZero()) {
      Statement.Asked question =
          new Statement.Asked(
              now,
              HexFormat.of().formatHex(identity.kit().plan().hash()),
              "word%d".formatted(toAsk),
              PlanReader.asking(identity.kit().plan().plan(), "asked", lines).question().lines());
      SimulatedMachine machine = Objects.requireNonNull(site.machine);
      SignedStatement[] signed = new SignedStatement[1];
      // By the site's own random numbers, which the seed decides: signatures differ in length.
      Machine.on(machine, () -> signed[0] = SignedStatement.by(identity, question));
      ask(site, machine, signed[0], predictors);
    }
    if (toAsk > 0) {
      world.schedule.at(pause / 2 + draw.nextLong(pause), this::ask);
    }
  }

  /** Whoever asks while the power fails has not asked, as far as he knows. */
  private void ask(
      FaultSite site,
      SimulatedMachine machine,
      SignedStatement question,
      List<Integer> predictors) {
    try {
      new MemberFolder(site.disk.root()).ask(question);
      if (!machine.crashed()) {
        world.note("%s asks question %d".formatted(site.name, asked.size()));
        asked.put(question.name(), predictors);
        toAsk--;
      }
    } catch (InvalidInput full) {
      world.note("%s cannot ask".formatted(site.name));
    }
  }

  @Override
  void work(FaultSite site) throws InterruptedException {
    SimulatedMachine machine = Objects.requireNonNull(site.machine);
    StandingPeer peer;
    try {
      peer =
          new StandingPeer(
              PeerIdentity.open(Kit.open(site.disk.root()), site.name, machine.calendar()),
              site.name,
              new SimulatedTransport(world.network, site.name),
              _ -> FaultTable.of(site.name, site.number),
              KIT,
              machine.calendar());
    } catch (InvalidInput refusal) {
      refused(site, refusal);
      return;
    }
    boolean changed = peer.run();
    world.violated("%s: it ended by itself, %s".formatted(site.name, changed));
  }

  @Override
  boolean isOneRun() {
    return false;
  }

  /** What a site has answered, checked once it is there. */
  private boolean hasAnswer(FaultSite site, String question) {
    Path file = new MemberFolder(site.disk.root()).answer(question).resolve("coefficients.csv");
    if (Files.notExists(file) || Files.notExists(file.resolveSibling("manifest.json"))) {
      return false;
    }
    try {
      byte[] now = Files.readAllBytes(file);
      byte[] before = answers.putIfAbsent(question, now);
      if (before == null) {
        requireLeastSquares(question, Files.readAllLines(file));
      } else if (!Arrays.equals(before, now)) {
        world.violated("%s: its answer is another than elsewhere".formatted(site.name));
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireLeastSquares(String question, List<String> lines) {
    List<Integer> predictors = Objects.requireNonNull(asked.get(question));
    double[] expected =
        FaultTable.leastSquares(
            world.sites.stream().map(site -> FaultTable.of(site.name, site.number)).toList(),
            predictors);
    for (int j = 0; j < expected.length; j++) {
      double found = Double.parseDouble(lines.get(1 + j).split(",", -1)[1]);
      if (Math.abs(found - expected[j]) > TOLERANCE * (1 + Math.abs(expected[j]))) {
        world.violated("%s must be %s; got %s".formatted(lines.get(1 + j), expected[j], found));
      }
    }
  }

  @Override
  boolean finished() {
    if (toAsk > 0 || world.schedule.now() < nextLook) {
      return false;
    }
    nextLook = world.schedule.now() + 1_000_000_000L;
    asked.keySet().removeAll(world.lateQuestions);
    for (FaultSite site : world.sites) {
      for (String question : asked.keySet()) {
        if (!hasAnswer(site, question)) {
          return false;
        }
      }
    }
    world.sites.forEach(this::answered);
    world.sites.forEach(this::requireNoLeftovers);
    return true;
  }

  @Override
  void changeData(FaultSite site) {
    // Questions of a federation that stands are asked of the data of then.
  }
}
