package ngd.peer.privacy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Random numbers that every pair of sites that share masks agrees on without a word: one adds them
 * to its term of a sum, the other subtracts them. They cancel in the total, exactly, since all
 * arithmetic is modulo a power of two; of a single term, or of any sum that lacks a site, nothing
 * can be seen.
 *
 * <p>A pair's key comes from X25519 over the keys in their certificates, by HKDF with the run's
 * hash; the numbers of a call are AES in counter mode under that key, the call's number in the
 * first half of the counter. The same call of the same run always has the same mask, so that a
 * restarted site repeats its message; another plan, or another key of any site, has other masks.
 */
public final class PairwiseMasks {
  private static final int KEY_BYTES = 32;
  private static final int BLOCK = 16;

  /**
   * @param adds whether this site adds the pair's numbers; the other subtracts them
   */
  private record Pair(SecretKey key, boolean adds) {}

  private final List<Pair> pairs;

  private PairwiseMasks(List<Pair> pairs) {
    this.pairs = pairs;
  }

  /**
   * The masks of one site, which shares some with every other.
   *
   * @param sites all sites, this one among them, in the same order at all
   * @param publicKey another site's X25519 key, from its certificate
   * @param runHash what the run is known by: its plan and all sites' keys
   */
  public static PairwiseMasks of(
      String self,
      List<String> sites,
      PrivateKey own,
      Function<String, PublicKey> publicKey,
      byte[] runHash) {
    List<Integer> all = IntStream.range(0, sites.size()).boxed().toList();
    return of(self, sites, all, own, publicKey, runHash);
  }

  /**
   * The masks of one site, which shares some with its partners.
   *
   * @param partners their places among the sites; whose partner a site is, is its partner
   */
  public static PairwiseMasks of(
      String self,
      List<String> sites,
      List<Integer> partners,
      PrivateKey own,
      Function<String, PublicKey> publicKey,
      byte[] runHash) {
    List<Pair> pairs = new ArrayList<>();
    int here = sites.indexOf(self);
    for (int m : partners) {
      if (m != here) {
        String first = sites.get(Math.min(m, here));
        String second = sites.get(Math.max(m, here));
        SecretKey key = agreed(own, publicKey.apply(sites.get(m)), runHash, first, second);
        pairs.add(new Pair(key, here < m));
      }
    }
    return new PairwiseMasks(pairs);
  }

  private static SecretKey agreed(
      PrivateKey own, PublicKey theirs, byte[] runHash, String first, String second) {
    try {
      KeyAgreement agreement = KeyAgreement.getInstance("X25519");
      agreement.init(own);
      agreement.doPhase(theirs, true);
      byte[] info = "ngd masks %s %s".formatted(first, second).getBytes(StandardCharsets.UTF_8);
      return KDF.getInstance("HKDF-SHA256")
          .deriveKey(
              "AES",
              HKDFParameterSpec.ofExtract()
                  .addIKM(agreement.generateSecret())
                  .addSalt(runHash)
                  .thenExpand(info, KEY_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "masks of %s and %s: no common key".formatted(first, second), e);
    }
  }

  /**
   * Adds this site's masks of a call to its numbers, in place.
   *
   * @param digits numbers in digits of 32 bits, the lowest first, {@code digitsEach} for each
   *     number; sums are modulo 2^(32 · digitsEach)
   */
  public void mask(long call, int[] digits, int digitsEach) {
    byte[] zeros = new byte[digits.length * Integer.BYTES];
    for (Pair pair : pairs) {
      ByteBuffer stream = ByteBuffer.wrap(stream(pair.key(), call, zeros));
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

  private static byte[] stream(SecretKey key, long call, byte[] zeros) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      byte[] counter = ByteBuffer.allocate(BLOCK).putLong(call).array();
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(key.getEncoded(), "AES"),
          new IvParameterSpec(counter));
      return cipher.doFinal(zeros);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES in counter mode", e);
    }
  }
}
