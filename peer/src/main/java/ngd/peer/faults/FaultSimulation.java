package ngd.peer.faults;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/** Simulated federations, one for each seed. */
public final class FaultSimulation {
  private FaultSimulation() {}

  /** What the JVM must be started with to simulate. */
  public static List<String> jvmOptions() {
    return Schedule.JVM_OPTIONS;
  }

  /** Whether it was started so. */
  public static boolean possible() {
    return Schedule.possible();
  }

  /**
   * Runs the federation of a seed.
   *
   * @param peers how many; 0 lets the seed decide
   */
  public static FaultOutcome run(long seed, FaultMode mode, int peers) {
    UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.EVENTS, 3);
    int count = peers > 0 ? peers : 2 + draw.nextInt(5);
    return new NodeFaults(seed, mode, count).run();
  }

  /**
   * Runs a plan by sites with kits, keys and tables.
   *
   * @param peers how many; 0 lets the seed decide
   */
  public static FaultOutcome kits(long seed, FaultMode mode, int peers) {
    UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.EVENTS, 3);
    return new KitFaults(seed, mode, peers > 0 ? peers : 2 + draw.nextInt(3)).run();
  }

  /**
   * Runs a standing federation to which questions are asked.
   *
   * @param pause the usual pause between two questions
   */
  public static FaultOutcome standing(
      long seed, FaultMode mode, int peers, int questions, Duration pause) {
    return new StandingFaults(seed, mode, peers, questions, pause).run();
  }

  /**
   * Runs a standing federation for some hours, with a question each hour and two faults: all are
   * answered, and neither memory nor files grow with time.
   */
  public static FaultOutcome soak(long seed, int peers, int hours) {
    return new StandingFaults(
            seed,
            FaultMode.LIVENESS,
            peers,
            hours,
            Duration.ofHours(1),
            Optional.of(new FaultRun.Pace(2 * hours, Duration.ofMinutes(30).toNanos())))
        .run();
  }
}
