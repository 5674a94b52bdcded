package ngd.core.linalg;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The exact sum of doubles in fixed-point arithmetic: order does not matter, nothing is rounded
 * until the end, and partial sums merge. Non-finite terms are refused.
 *
 * <p>A double is a whole number of 2^−1074; its 53 bits are added into 32-bit digits held in longs,
 * so that 2^29 terms fit between two passes of carrying.
 */
public final class ExactSum {
  private static final int DIGIT = 32;
  private static final long MASK = (1L << DIGIT) - 1;

  /** 2^−1074 to 2^1024, and 64 bits for as many terms as one likes. */
  private static final int DIGITS = (1074 + 1024 + 64) / DIGIT + 1;

  /** The 32-bit words of a sum in two's complement. */
  public static final int WORDS = DIGITS;

  private static final int TERMS_BETWEEN_CARRIES = 1 << 29;

  private final long[] digits = new long[DIGITS];
  private int sinceCarry;

  public void add(double term) {
    if (!Double.isFinite(term)) {
      throw new ArithmeticException("exact sum: terms must be finite; got " + term);
    }
    long bits = Double.doubleToRawLongBits(term);
    int exponent = (int) (bits >>> 52) & 0x7ff;
    long fraction = bits & 0xfffffffffffffL;
    if (exponent > 0) {
      fraction |= 1L << 52;
      exponent--;
    }
    int digit = exponent / DIGIT;
    int shift = exponent % DIGIT;
    long sign = term < 0 ? -1 : 1;
    // 53 bits shifted by at most 31 spread over three digits.
    long low = fraction << shift;
    long high = shift == 0 ? 0 : fraction >>> (64 - shift);
    digits[digit] += sign * (low & MASK);
    digits[digit + 1] += sign * (low >>> DIGIT);
    digits[digit + 2] += sign * high;
    if (++sinceCarry == TERMS_BETWEEN_CARRIES) {
      carry();
    }
  }

  /** Adds another sum's terms to this one's. */
  public void add(ExactSum other) {
    carry();
    other.carry();
    for (int d = 0; d < DIGITS; d++) {
      digits[d] += other.digits[d];
    }
    sinceCarry = 1;
  }

  /**
   * Writes the sum to {@code words[at .. at + WORDS]} in two's complement, the lowest word first:
   * what peers send each other, and what may be masked modulo 2 to the bits of a sum.
   */
  public void words(int[] words, int at) {
    carry();
    for (int d = 0; d < DIGITS; d++) {
      words[at + d] = (int) digits[d];
    }
  }

  /** The sum that such words are. */
  public static ExactSum ofWords(int[] words, int at) {
    ExactSum sum = new ExactSum();
    for (int d = 0; d < DIGITS - 1; d++) {
      sum.digits[d] = Integer.toUnsignedLong(words[at + d]);
    }
    sum.digits[DIGITS - 1] = words[at + DIGITS - 1];
    return sum;
  }

  /** Adds the term at {@code terms[from]} to the sum at {@code words[at]}, modulo 2 to its bits. */
  public static void addWords(int[] words, int at, int[] terms, int from) {
    long carried = 0;
    for (int d = 0; d < DIGITS; d++) {
      carried += Integer.toUnsignedLong(words[at + d]) + Integer.toUnsignedLong(terms[from + d]);
      words[at + d] = (int) carried;
      carried >>>= DIGIT;
    }
  }

  /** The sum, rounded once to the nearest double. */
  public double value() {
    carry();
    BigInteger whole = BigInteger.valueOf(digits[DIGITS - 1]);
    for (int d = DIGITS - 2; d >= 0; d--) {
      whole = whole.shiftLeft(DIGIT).add(BigInteger.valueOf(digits[d]));
    }
    return whole.signum() == 0 ? 0 : rounded(whole);
  }

  /** Brings every digit but the last into [0, 2^32). */
  private void carry() {
    long over = 0;
    for (int d = 0; d < DIGITS - 1; d++) {
      long digit = digits[d] + over;
      digits[d] = digit & MASK;
      over = digit >> DIGIT;
    }
    digits[DIGITS - 1] += over;
    sinceCarry = 0;
  }

  /** whole · 2^−1074 to the nearest double, ties to even. */
  private static double rounded(BigInteger whole) {
    BigInteger magnitude = whole.abs();
    int excess = magnitude.bitLength() - 53;
    if (excess <= 0) {
      return whole.signum() * (magnitude.longValueExact() * Double.MIN_VALUE);
    }
    // One rounding: BigDecimal.doubleValue rounds half to even from the exact value.
    return new BigDecimal(whole)
        .divide(new BigDecimal(BigInteger.ONE.shiftLeft(1074)))
        .doubleValue();
  }
}
