package ngd.core.linalg;

/**
 * The exact sum of doubles in fixed-point arithmetic: order does not matter, nothing is rounded
 * until the end, and partial sums merge. A sum with a term that is not finite is not a number.
 *
 * <p>A double is a whole number of 2^−1074; its 53 bits are added into 32-bit digits held in longs,
 * so that 2^29 terms fit between two passes of carrying. After carrying, every digit but the
 * highest lies in [0, 2^32), and the highest has the sign of the sum.
 */
public final class ExactSum {
  private static final int DIGIT = 32;
  private static final long BASE = 1L << DIGIT;
  private static final long MASK = BASE - 1;

  /** 2^−1074 to 2^1024, and 64 bits for as many terms as one likes. */
  private static final int DIGITS = (1074 + 1024 + 64) / DIGIT + 1;

  /** The 32-bit words of a sum in two's complement. */
  public static final int WORDS = DIGITS;

  private static final int TERMS_BETWEEN_CARRIES = 1 << 29;

  private final long[] digits = new long[DIGITS];

  /** All digits below this are zero. */
  private int lowest = DIGITS - 1;

  /** All digits above this are zero. */
  private int highest;

  private int sinceCarry;

  public void add(double term) {
    long bits = Double.doubleToRawLongBits(term);
    int exponent = (int) (bits >>> 52) & 0x7ff;
    if (exponent == 0x7ff) {
      addNotFinite();
      return;
    }
    long fraction = bits & 0xfffffffffffffL;
    if (exponent > 0) {
      fraction |= 1L << 52;
      exponent--;
    }
    int digit = exponent / DIGIT;
    int shift = exponent % DIGIT;
    // 0 or −1: (x ^ sign) − sign is x or −x.
    long sign = bits >> 63;
    // 53 bits shifted by at most 31 spread over three digits.
    long low = fraction << shift;
    long high = fraction >>> 1 >>> (63 - shift);
    digits[digit] += ((low & MASK) ^ sign) - sign;
    digits[digit + 1] += ((low >>> DIGIT) ^ sign) - sign;
    digits[digit + 2] += (high ^ sign) - sign;
    lowest = Math.min(lowest, digit);
    highest = Math.max(highest, digit + 2);
    if (++sinceCarry == TERMS_BETWEEN_CARRIES) {
      carry();
    }
  }

  /**
   * A term that is not finite counts as 2^1071, which no finite terms reach or take away: so it
   * shows in every sum that it is part of, a masked one too.
   */
  private void addNotFinite() {
    carry();
    digits[DIGITS - 1] += 2;
    highest = DIGITS - 1;
    lowest = Math.min(lowest, highest);
  }

  /** Adds another sum's terms to this one's. */
  public void add(ExactSum other) {
    carry();
    other.carry();
    for (int d = other.lowest; d <= other.highest; d++) {
      digits[d] += other.digits[d];
    }
    lowest = Math.min(lowest, other.lowest);
    highest = Math.max(highest, other.highest);
    sinceCarry = 1;
  }

  /**
   * Writes the sum to {@code words[at .. at + WORDS]} in two's complement, the lowest word first:
   * what peers send each other, and what may be masked modulo 2 to the bits of a sum.
   */
  public void words(int[] words, int at) {
    long over = 0;
    for (int d = 0; d < DIGITS; d++) {
      long digit = digits[d] + over;
      words[at + d] = (int) digit;
      over = digit >> DIGIT;
    }
  }

  /** The sum that such words are. */
  public static ExactSum ofWords(int[] words, int at) {
    ExactSum sum = new ExactSum();
    for (int d = 0; d < DIGITS - 1; d++) {
      sum.digits[d] = Integer.toUnsignedLong(words[at + d]);
    }
    sum.digits[DIGITS - 1] = words[at + DIGITS - 1];
    sum.lowest = 0;
    sum.highest = DIGITS - 1;
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

  /**
   * The sum, rounded once to the nearest double, ties to even; infinite beyond all doubles, and NaN
   * where a term was not finite.
   */
  public double value() {
    carry();
    if (digits[DIGITS - 1] > 0) {
      return Double.NaN;
    }
    int first = lowest;
    while (first <= highest && digits[first] == 0) {
      first++;
    }
    if (first > highest) {
      return 0;
    }
    boolean negative = digits[highest] < 0;
    int top = highest;
    while (magnitude(top, first, negative) == 0) {
      top--;
    }
    double size = rounded(top, first, negative);
    return negative ? -size : size;
  }

  /**
   * The digit of the sum's absolute value; of a negative sum, whose lowest digit that is not zero
   * is {@code first}, by two's complement.
   */
  private long magnitude(int digit, int first, boolean negative) {
    if (digit < first) {
      return 0;
    }
    if (!negative) {
      return digits[digit];
    }
    long complement = (digit == highest ? 0 : BASE) - digits[digit];
    return digit == first ? complement : complement - 1;
  }

  /** The absolute value: the top 64 bits, and whether anything lies below them. */
  private double rounded(int top, int first, boolean negative) {
    if (top == DIGITS - 1) {
      return Double.POSITIVE_INFINITY;
    }
    long high = magnitude(top, first, negative);
    long middle = top < 1 ? 0 : magnitude(top - 1, first, negative);
    int length = Long.SIZE - Long.numberOfLeadingZeros(high);
    // The place of the highest bit, as a power of two.
    int power = DIGIT * top + length - 1 - 1074;
    if (power < Double.MIN_EXPONENT) {
      // Subnormal: a whole number of the smallest double.
      return (top == 0 ? high : (high << DIGIT | middle)) * Double.MIN_VALUE;
    }
    long low = top < 2 ? 0 : magnitude(top - 2, first, negative);
    long window = high << (Long.SIZE - length) | middle << (DIGIT - length) | low >>> length;
    boolean below = (low & ((1L << length) - 1)) != 0 || first < top - 2;
    long kept = window >>> 11;
    long rest = window & 0x7ff;
    if (rest > 0x400 || (rest == 0x400 && (below || (kept & 1) != 0))) {
      kept++;
    }
    return Math.scalb((double) kept, power - 52);
  }

  /** Brings every digit but the highest into [0, 2^32), and that into (−2^32, 2^32). */
  private void carry() {
    long over = 0;
    for (int d = lowest; d < highest; d++) {
      long digit = digits[d] + over;
      digits[d] = digit & MASK;
      over = digit >> DIGIT;
    }
    digits[highest] += over;
    while (Math.abs(digits[highest]) > MASK && highest < DIGITS - 1) {
      long digit = digits[highest];
      digits[highest] = digit & MASK;
      highest++;
      digits[highest] = digit >> DIGIT;
    }
    sinceCarry = 0;
  }
}
