package ngd.peer;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import ngd.core.linalg.ExactSum;

/**
 * Every mask that any site ever used, found as masked minus plain, number by number, with what it
 * hid. It knows nothing of how masks are made: two equal ones among numbers of more than 2000 bits
 * are one mask used twice.
 */
final class MaskRecorder {
  /** What happens when a site masks; may end it. */
  interface Watch {
    void masking(int site, long call);
  }

  private final Map<String, String> plainUnder = new ConcurrentHashMap<>();
  private final List<String> reused = new CopyOnWriteArrayList<>();

  /** Masks, and the plain numbers that they hid, that were used for another one too. */
  List<String> reused() {
    return reused;
  }

  /** How many different masks were used. */
  int masks() {
    return plainUnder.size();
  }

  Masks around(int site, Masks real, Watch watch) {
    return new Masks() {
      @Override
      public void add(long call, int[] terms) {
        int[] plain = terms.clone();
        real.add(call, terms);
        for (int at = 0; at < terms.length; at += ExactSum.WORDS) {
          record(site, call, at, plain, terms);
        }
        watch.masking(site, call);
      }

      @Override
      public Masks bound(byte[] commitments) {
        return around(site, real.bound(commitments), watch);
      }
    };
  }

  private void record(int site, long call, int at, int[] plain, int[] masked) {
    String mask = site + " " + words(minus(masked, plain, at), 0);
    String hidden = words(plain, at);
    String before = plainUnder.putIfAbsent(mask, hidden);
    if (before != null && !before.equals(hidden)) {
      reused.add("site %d, call %d, number %d".formatted(site, call, at / ExactSum.WORDS));
    }
  }

  /** One number minus another, modulo 2 to the bits of an exact sum. */
  static int[] minus(int[] from, int[] less, int at) {
    int[] difference = new int[ExactSum.WORDS];
    long borrow = 0;
    for (int d = 0; d < difference.length; d++) {
      long digit =
          Integer.toUnsignedLong(from[at + d]) - Integer.toUnsignedLong(less[at + d]) - borrow;
      difference[d] = (int) digit;
      borrow = digit < 0 ? 1 : 0;
    }
    return difference;
  }

  private static String words(int[] words, int at) {
    StringBuilder text = new StringBuilder();
    for (int word : Arrays.copyOfRange(words, at, at + ExactSum.WORDS)) {
      text.append(HexFormat.of().toHexDigits(word));
    }
    return text.toString();
  }
}
