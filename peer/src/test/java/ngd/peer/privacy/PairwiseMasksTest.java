package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The oracle of sums is {@link BigInteger}; of single terms, the uniform distribution. */
class PairwiseMasksTest {
  private static final int DIGITS = 68;
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(32 * DIGITS);
  static final List<String> SITES = List.of("a", "b", "c", "d");

  private static List<PairwiseMasks> masks(byte[] plan) throws Exception {
    return masks(plan, keys());
  }

  static Map<String, KeyPair> keys() throws Exception {
    Map<String, KeyPair> keys = new HashMap<>();
    for (String site : SITES) {
      keys.put(site, KeyPairGenerator.getInstance("X25519").generateKeyPair());
    }
    return keys;
  }

  private static List<PairwiseMasks> masks(byte[] plan, Map<String, KeyPair> keys) {
    List<PairwiseMasks> masks = new ArrayList<>();
    for (String site : SITES) {
      masks.add(PairwiseMasks.of(keys(site, keys, plan)));
    }
    return masks;
  }

  static PairKeys keys(String site, Map<String, KeyPair> keys, byte[] run) {
    return new PairKeys(
        site,
        SITES,
        keys.get(site).getPrivate(),
        s -> keys.get(s).getPublic(),
        new PairKeys.Run(run));
  }

  private static BigInteger number(int[] digits, int from) {
    BigInteger value = BigInteger.ZERO;
    for (int d = DIGITS - 1; d >= 0; d--) {
      value = value.shiftLeft(32).add(BigInteger.valueOf(Integer.toUnsignedLong(digits[from + d])));
    }
    return value;
  }

  @Test
  void mask_ofAllSites_cancelsInTheSumExactly() throws Exception {
    List<PairwiseMasks> masks = masks(new byte[32]);
    Random random = new Random(5);
    int numbers = 3;
    BigInteger[] plain = new BigInteger[numbers];
    BigInteger[] masked = new BigInteger[numbers];
    java.util.Arrays.fill(plain, BigInteger.ZERO);
    java.util.Arrays.fill(masked, BigInteger.ZERO);
    for (PairwiseMasks one : masks) {
      int[] digits = random.ints((long) numbers * DIGITS).toArray();
      for (int i = 0; i < numbers; i++) {
        plain[i] = plain[i].add(number(digits, i * DIGITS)).mod(MODULUS);
      }
      one.mask(7, digits, DIGITS);
      for (int i = 0; i < numbers; i++) {
        masked[i] = masked[i].add(number(digits, i * DIGITS)).mod(MODULUS);
      }
    }
    assertThat(masked).isEqualTo(plain);
  }

  /** Bits of a masked zero: each is 1 in half of the calls, within five standard deviations. */
  @Test
  void mask_oneTerm_looksUniform() throws Exception {
    PairwiseMasks one = masks(new byte[32]).get(1);
    int calls = 400;
    long ones = 0;
    int[] byteCounts = new int[256];
    for (int call = 0; call < calls; call++) {
      int[] digits = new int[DIGITS];
      one.mask(call, digits, DIGITS);
      for (int digit : digits) {
        ones += Integer.bitCount(digit);
        for (int shift = 0; shift < 32; shift += 8) {
          byteCounts[digit >>> shift & 0xff]++;
        }
      }
    }
    double bits = 32.0 * DIGITS * calls;
    assertThat(Math.abs(ones - bits / 2)).isLessThan(5 * Math.sqrt(bits) / 2);
    double expected = bits / 8 / 256;
    double chi2 = 0;
    for (int count : byteCounts) {
      chi2 += (count - expected) * (count - expected) / expected;
    }
    // 255 degrees of freedom: mean 255, standard deviation √510.
    assertThat(chi2).isBetween(255 - 5 * Math.sqrt(510), 255 + 5 * Math.sqrt(510));
  }

  @Test
  void mask_sameCallAgain_isTheSameAndAnotherCallOrPlanIsNot() throws Exception {
    Map<String, KeyPair> keys = new HashMap<>();
    for (String site : SITES) {
      keys.put(site, KeyPairGenerator.getInstance("X25519").generateKeyPair());
    }
    byte[] other = new byte[32];
    other[0] = 1;
    PairwiseMasks one = PairwiseMasks.of(keys("a", keys, new byte[32]));
    PairwiseMasks next = PairwiseMasks.of(keys("a", keys, other));
    assertThat(masked(one, 3))
        .isEqualTo(masked(one, 3))
        .isNotEqualTo(masked(one, 4))
        .isNotEqualTo(masked(next, 3));
  }

  private static int[] masked(PairwiseMasks masks, long call) {
    int[] digits = new int[DIGITS];
    masks.mask(call, digits, DIGITS);
    return digits;
  }

  @Test
  void mask_aloneInTheFederation_changesNothing() throws Exception {
    KeyPair own = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    PairwiseMasks one =
        PairwiseMasks.of(
            new PairKeys(
                "a",
                List.of("a"),
                own.getPrivate(),
                _ -> own.getPublic(),
                new PairKeys.Run(new byte[32])));
    assertThat(masked(one, 1)).containsOnly(0);
  }

  /**
   * Two starts of one site on other data, so with other commitments: what an observer of both sees
   * of the difference is uniform. Oracle: χ² with 255 degrees of freedom.
   */
  @Test
  void mask_otherCommitments_leaveNothingOfADifference() throws Exception {
    Map<String, KeyPair> keys = keys();
    byte[] changed = new byte[32];
    changed[31] = 1;
    PairwiseMasks before = masks(new byte[32], keys).get(0);
    PairwiseMasks after = masks(changed, keys).get(0);
    int[] counts = new int[256];
    int calls = 400;
    for (int call = 0; call < calls; call++) {
      int[] one = new int[DIGITS];
      int[] two = new int[DIGITS];
      two[0] = 1;
      before.mask(call, one, DIGITS);
      after.mask(call, two, DIGITS);
      for (int d = 0; d < DIGITS; d++) {
        for (int shift = 0; shift < 32; shift += 8) {
          counts[((two[d] - one[d]) >>> shift) & 0xff]++;
        }
      }
    }
    double expected = calls * DIGITS * 4 / 256.0;
    double chi = 0;
    for (int count : counts) {
      chi += (count - expected) * (count - expected) / expected;
    }
    assertThat(chi).isBetween(255 - 5 * Math.sqrt(510), 255 + 5 * Math.sqrt(510));
  }
}
