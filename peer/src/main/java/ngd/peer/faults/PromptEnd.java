package ngd.peer.faults;

import java.util.Locale;
import java.util.Optional;

/**
 * How soon sites leave once all have their answers. Who waits for receipts also looks every second
 * by itself, so that a lost wake-up costs time alone, and time is what shows it here.
 */
final class PromptEnd {
  /** What is said at the end takes a few messages of 30 ms at most, and no look at the clock. */
  private static final long LONGEST_NS = 500_000_000L;

  /** Until both ends know of a cut after the last fault, and are connected again. */
  private static final long AFTER_FAULTS_NS = FaultWorld.SILENCE_NS + 5_000_000_000L;

  /** Until the last late message has come, and what came in disorder was asked for again. */
  private static final long AFTER_DELAYS_NS = 5_000_000_000L;

  private long settling;
  private long calm = Long.MAX_VALUE;
  private long answered;
  private long firstLeft = Long.MAX_VALUE;

  /** Something is slow until all is calm. */
  void slowed() {
    settling = Math.max(settling, AFTER_DELAYS_NS);
  }

  /** Something has happened to a site or a connection. */
  void disturbed() {
    settling = AFTER_FAULTS_NS;
  }

  void calm(long now) {
    calm = now;
  }

  void answered(long now) {
    answered = now;
  }

  void left(long now) {
    firstLeft = Math.min(firstLeft, now);
  }

  /** What is wrong, where the last has left now; all sites ran without a restart. */
  Optional<String> late(long now) {
    if (settling > 0 && calm == Long.MAX_VALUE) {
      return Optional.empty();
    }
    long settled = settling == 0 ? answered : Math.max(answered, calm + settling);
    // One that left earlier may have taken leave over a connection that was cut.
    return firstLeft < settled || now - settled <= LONGEST_NS
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "sites stay for %.3f s after the last answer, with nothing in their way",
                (now - settled) / 1e9));
  }
}
