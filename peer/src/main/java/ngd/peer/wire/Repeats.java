package ngd.peer.wire;

import org.jspecify.annotations.Nullable;

/**
 * Lines of a log that come again and again, as when a neighbour with a bad certificate dials every
 * two seconds for a week: the first is said, then one per minute with how many there were.
 */
final class Repeats {
  private static final long PAUSE_NS = 60_000_000_000L;

  private @Nullable String last;
  private long said;
  private long kept;

  /** What to say of this line now; null where nothing is. */
  synchronized @Nullable String next(String line) {
    return next(line, System.nanoTime());
  }

  synchronized @Nullable String next(String line, long now) {
    if (line.equals(last) && now - said < PAUSE_NS) {
      kept++;
      return null;
    }
    String words = line.equals(last) && kept > 0 ? "%s times=%d".formatted(line, kept + 1) : line;
    last = line;
    said = now;
    kept = 0;
    return words;
  }
}
