package ngd.peer.faults;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import ngd.core.linalg.ExactSum;
import ngd.peer.Masks;

/**
 * Every mask that any site ever used, found as masked minus plain, number by number, with what it
 * hid: the same mask over two numbers would show their difference. It knows nothing of how masks
 * are made.
 */
final class MaskLedger {
  private record Mask(int site, int hash, long words) {}

  private final Map<Mask, Long> hidden = new HashMap<>();
  private final Consumer<String> violations;

  MaskLedger(Consumer<String> violations) {
    this.violations = violations;
  }

  /** Puts the ledger around a site's masks. */
  Masks around(int site, Masks real) {
    return new Masks() {
      @Override
      public void add(long call, int[] terms) {
        int[] plain = terms.clone();
        real.add(call, terms);
        for (int at = 0; at < terms.length; at += ExactSum.WORDS) {
          enter(site, call, at, plain, terms);
        }
      }

      @Override
      public Masks bound(byte[] commitments) {
        return around(site, real.bound(commitments));
      }
    };
  }

  private void enter(int site, long call, int at, int[] plain, int[] masked) {
    int[] mask = new int[ExactSum.WORDS];
    long borrow = 0;
    boolean none = true;
    for (int d = 0; d < mask.length; d++) {
      long digit =
          Integer.toUnsignedLong(masked[at + d]) - Integer.toUnsignedLong(plain[at + d]) - borrow;
      mask[d] = (int) digit;
      borrow = digit < 0 ? 1 : 0;
      none &= mask[d] == 0;
    }
    if (none) {
      violations.accept("site %d: call %d is not masked".formatted(site, call));
      return;
    }
    Mask used =
        new Mask(
            site, Arrays.hashCode(mask), (long) mask[0] << 32 | Integer.toUnsignedLong(mask[1]));
    long number = 0;
    for (int d = 0; d < mask.length; d++) {
      number = number * 0x9E3779B97F4A7C15L + plain[at + d];
    }
    Long before = hidden.putIfAbsent(used, number);
    if (before != null && before != number) {
      violations.accept(
          "site %d: call %d, number %d: a mask that hid another number already"
              .formatted(site, call, at / ExactSum.WORDS));
    }
  }
}
