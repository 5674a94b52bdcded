package ngd.app.bench;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.peer.faults.FaultMode;
import ngd.peer.faults.FaultOutcome;
import ngd.peer.faults.FaultSimulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd bench faults}: simulated federations with faults, each from one seed. */
@Command(
    name = "faults",
    description =
        "Simulates federations with crashes and faults in disks, networks and clocks, one for each"
            + " seed, and checks that answers are right. The same seed gives the same log.")
final class BenchFaultsCommand implements Callable<Integer> {
  private static final int MOST_PEERS = 16;

  /** Asked of every standing federation. */
  private static final int QUESTIONS = 3;

  @ParentCommand private @Nullable BenchCommand bench;

  @Option(names = "--seed", paramLabel = "S", description = "First random seed; 1 by default.")
  private long seed = 1;

  @Option(names = "--seeds", paramLabel = "N", description = "Number of seeds; 1 by default.")
  private long seeds = 1;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "safety: anything may happen to sites, files and data, what is answered must be right;"
              + " liveness: faults stop, and everybody must finish. Both by default, by the seed:"
              + " even seeds safety, odd ones liveness.")
  private @Nullable String mode;

  @Option(
      names = "--peers",
      paramLabel = "M",
      description = "Sites of each federation, 2 to 16; by default the seed decides.")
  private int peers;

  @Option(
      names = "--standing",
      description =
          "Standing federations of three sites (or --peers), to which three questions are asked,"
              + " instead of one run each. Keys are made anew by every process, and the order of"
              + " questions with them: only within a process is the log the same.")
  private boolean standing;

  @Option(
      names = "--kits",
      description =
          "Runs of signed plans by two to four sites (or --peers) with kits and tables, some with"
              + " noise, instead of the small program that is run otherwise.")
  private boolean kits;

  @Option(
      names = "--soak",
      paramLabel = "HOURS",
      description =
          "Standing federations for this many simulated hours, with a question and two faults an"
              + " hour; memory and files must not grow.")
  private @Nullable Integer soak;

  @Option(names = "--log", description = "Print the log of each simulation.")
  private boolean log;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Simulations at a time; by default one for each processor.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--stop",
      description = "Stop after the first failure. By default all seeds are run.")
  private boolean stop;

  /** What all seeds came to. */
  private static final class Tally {
    final AtomicLong done = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    final AtomicLong peers = new AtomicLong();
    final AtomicLong answers = new AtomicLong();
    final AtomicLong refusals = new AtomicLong();
    final AtomicLong crashes = new AtomicLong();
    final AtomicLong steps = new AtomicLong();
  }

  @Override
  public Integer call() throws InterruptedException {
    Console console = RootCommand.consoleOf(Objects.requireNonNull(bench).ngd());
    requireOptions();
    Tally tally = new Tally();
    long begin = System.nanoTime();
    AtomicLong next = new AtomicLong(seed);
    try (ExecutorService workers =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("faults-", 0).factory())) {
      for (int t = 0; t < threads; t++) {
        workers.execute(
            () -> {
              for (long now = next.getAndIncrement();
                  now < seed + seeds && !(stop && tally.failed.get() > 0);
                  now = next.getAndIncrement()) {
                one(console, tally, now);
              }
            });
      }
      workers.shutdown();
      while (!workers.awaitTermination(1, TimeUnit.MINUTES)) {
        console.err().printf("%d of %d seeds%n", tally.done.get(), seeds);
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    console
        .out()
        .printf(
            Locale.ROOT,
            "%s, %d failed: %d peers, %d crashes, %d answers, %d refusals with a reason, %d"
                + " steps; %.1f s, %.0f peers a minute%n",
            NumberText.count(tally.done.get(), "seed"),
            tally.failed.get(),
            tally.peers.get(),
            tally.crashes.get(),
            tally.answers.get(),
            tally.refusals.get(),
            tally.steps.get(),
            seconds,
            60 * tally.peers.get() / seconds);
    return tally.failed.get() == 0 ? Exit.DONE : Exit.FAILED;
  }

  private void requireOptions() {
    Problems problems = new Problems();
    problems.require(seeds >= 1, "--seeds: must be at least 1; got %d".formatted(seeds));
    problems.require(threads >= 1, "--threads: must be at least 1; got %d".formatted(threads));
    problems.require(
        peers == 0 || (peers >= 2 && peers <= MOST_PEERS),
        "--peers: must lie in [2, %d]; got %d".formatted(MOST_PEERS, peers));
    problems.require(
        mode == null || mode.equals("safety") || mode.equals("liveness"),
        "--mode: must be safety or liveness; got `%s`".formatted(mode));
    problems.require(
        (standing ? 1 : 0) + (kits ? 1 : 0) + (soak != null ? 1 : 0) < 2,
        "--standing, --kits, --soak: one at most may be given; got several");
    problems.require(
        soak == null || soak > 0, "--soak: must be at least 1 hour; got %s".formatted(soak));
    problems.require(
        FaultSimulation.possible(),
        "simulation: the JVM must be started with %s, as ./ngd does; it was not"
            .formatted(String.join(" ", FaultSimulation.jvmOptions())));
    problems.throwIfAny();
  }

  private FaultMode modeOf(long now) {
    return mode == null ? FaultMode.of(now) : FaultMode.valueOf(mode.toUpperCase(Locale.ROOT));
  }

  private void one(Console console, Tally tally, long now) {
    FaultMode asked = modeOf(now);
    FaultOutcome outcome =
        soak != null
            ? FaultSimulation.soak(now, peers == 0 ? 3 : peers, soak)
            : standing
                ? FaultSimulation.standing(
                    now, asked, peers == 0 ? 3 : peers, QUESTIONS, Duration.ofSeconds(2))
                : kits
                    ? FaultSimulation.kits(now, asked, peers)
                    : FaultSimulation.run(now, asked, peers);
    tally.done.incrementAndGet();
    tally.peers.addAndGet(outcome.peers());
    tally.answers.addAndGet(outcome.answers());
    tally.refusals.addAndGet(outcome.refusals());
    tally.crashes.addAndGet(outcome.crashes());
    tally.steps.addAndGet(outcome.steps());
    synchronized (console) {
      if (log) {
        outcome.log().forEach(console.out()::println);
      }
      if (!outcome.violations().isEmpty()) {
        tally.failed.incrementAndGet();
        console
            .out()
            .printf(
                "seed %d failed: %s%n  commit %s; again, with its log: ngd bench faults --seed %d"
                    + " --mode %s%s --log%n",
                now,
                outcome.violations().getFirst(),
                System.getProperty("ngd.commit", "unknown"),
                now,
                asked.name().toLowerCase(Locale.ROOT),
                (peers == 0 ? "" : " --peers " + peers)
                    + (standing ? " --standing" : "")
                    + (kits ? " --kits" : "")
                    + (soak != null ? " --soak " + soak : ""));
        console.out().flush();
      }
    }
  }
}
