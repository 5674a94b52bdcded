package ngd.peer.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import ngd.peer.machine.Machine;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a log that come again and again, as when a neighbour with a bad certificate dials every
 * two seconds for a week: the first is said, then one per minute with how many there were. Of lines
 * that others choose, few are said in a minute, whatever they are, and none is long: nobody can
 * fill a disk from outside.
 */
final class Repeats {
  private static final long PAUSE_NS = 60_000_000_000L;

  /** Lines in a minute, and the characters of one. */
  static final int MOST_LINES = 20;

  static final int LONGEST = 500;

  /** Different lines that are remembered. */
  private static final int REMEMBERED = 100;

  /** When a line was last said, and how often it came since. */
  private static final class Seen {
    long said;
    long kept;
  }

  private final Map<String, Seen> lines =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > REMEMBERED;
        }
      };

  private boolean begun;
  private long minute;
  private int said;
  private long unsaid;

  /** What to say of this line now; null where nothing is. */
  synchronized @Nullable String next(String line) {
    return next(line, Machine.here().nanoTime());
  }

  synchronized @Nullable String next(String line, long now) {
    String plain = LogText.plain(line, LONGEST);
    Seen before = lines.get(plain);
    if (before != null && now - before.said < PAUSE_NS) {
      before.kept++;
      return null;
    }
    if (!begun || now - minute >= PAUSE_NS) {
      begun = true;
      minute = now;
      said = 0;
    }
    if (said == MOST_LINES) {
      unsaid++;
      return null;
    }
    said++;
    String words =
        before != null && before.kept > 0 ? "%s times=%d".formatted(plain, before.kept + 1) : plain;
    if (unsaid > 0) {
      words += " others-unsaid=" + unsaid;
      unsaid = 0;
    }
    Seen seen = new Seen();
    seen.said = now;
    lines.put(plain, seen);
    return words;
  }
}
