package ngd.peer.privacy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

/**
 * Random numbers that every pair of sites that share masks agrees on without a word: one adds them
 * to its term of a sum, the other subtracts them. They cancel in the total, exactly, since all
 * arithmetic is modulo a power of two; of a single term, or of any sum that lacks a site, nothing
 * can be seen.
 *
 * <p>The numbers of a call are AES in counter mode under the pair's key ({@link PairKeys}), the
 * call's number in the first half of the counter. The same call of the same run always has the same
 * mask, so that a restarted site repeats its message; another plan, or another key of any site, has
 * other masks.
 */
public final class PairwiseMasks {
  /**
   * @param adds whether this site adds the pair's numbers; the other subtracts them
   */
  private record Pair(SecretKey key, boolean adds) {}

  private final List<Pair> pairs;

  private PairwiseMasks(List<Pair> pairs) {
    this.pairs = pairs;
  }

  /** The masks of one site, which shares some with every other. */
  public static PairwiseMasks of(PairKeys keys) {
    return of(keys, IntStream.range(0, keys.sites().size()).boxed().toList());
  }

  /**
   * The masks of one site, which shares some with its partners.
   *
   * @param partners their places among the sites; whose partner a site is, is its partner
   */
  public static PairwiseMasks of(PairKeys keys, List<Integer> partners) {
    List<Pair> pairs = new ArrayList<>();
    int here = keys.here();
    for (int m : partners) {
      if (m != here) {
        pairs.add(new Pair(keys.key("masks", here, m), here < m));
      }
    }
    return new PairwiseMasks(pairs);
  }

  /**
   * Adds this site's masks of a call to its numbers, in place.
   *
   * @param digits numbers in digits of 32 bits, the lowest first, {@code digitsEach} for each
   *     number; sums are modulo 2^(32 · digitsEach)
   */
  public void mask(long call, int[] digits, int digitsEach) {
    byte[] zeros = new byte[digits.length * Integer.BYTES];
    Cipher cipher = PairKeys.cipher();
    for (Pair pair : pairs) {
      ByteBuffer stream = ByteBuffer.wrap(stream(PairKeys.begun(cipher, pair.key(), call), zeros));
      stream.order(ByteOrder.LITTLE_ENDIAN);
      for (int from = 0; from < digits.length; from += digitsEach) {
        addTo(digits, from, from + digitsEach, stream, pair.adds());
      }
    }
  }

  /** Adds or subtracts one random number, carrying from digit to digit and dropping the last. */
  private static void addTo(int[] digits, int from, int to, ByteBuffer stream, boolean adds) {
    long carry = adds ? 0 : 1;
    for (int d = from; d < to; d++) {
      int random = adds ? stream.getInt() : ~stream.getInt();
      long sum = Integer.toUnsignedLong(digits[d]) + Integer.toUnsignedLong(random) + carry;
      digits[d] = (int) sum;
      carry = sum >>> Integer.SIZE;
    }
  }

  private static byte[] stream(Cipher begun, byte[] zeros) {
    try {
      return begun.doFinal(zeros);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES in counter mode", e);
    }
  }
}
