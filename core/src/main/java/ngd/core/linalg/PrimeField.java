package ngd.core.linalg;

import java.math.BigInteger;

/**
 * Arithmetic modulo the prime 2^50 − 27, in doubles: a product is split by a fused multiply-add
 * into two that hold it exactly, so loops over arrays run on vectors.
 *
 * <p>A rank over the rational numbers is at least that modulo a prime. At a random point the two
 * differ with a probability of about the degree of the polynomials involved over the prime.
 */
public final class PrimeField implements Arithmetic {
  /** The field; it has no state. */
  public static final PrimeField INSTANCE = new PrimeField();

  /** The largest prime below 2^50. */
  public static final long PRIME = (1L << 50) - 27;

  private static final double P = PRIME;
  private static final double INVERSE = 1.0 / PRIME;

  /** Weights such as 1/3 are meant as fractions; up to this denominator they are taken so. */
  private static final int LARGEST_DENOMINATOR = 10_000;

  private PrimeField() {}

  /** The fraction of small denominator that a double stands for; where none, the double itself. */
  @Override
  public double of(double real) {
    for (int d = 1; d <= LARGEST_DENOMINATOR; d++) {
      double numerator = Math.rint(real * d);
      if (Math.abs(real * d - numerator) <= 1e-15 * d && Math.abs(numerator) < P) {
        return times(canonical(numerator), inverse(d));
      }
    }
    // A double is a whole number times a power of two.
    int exponent = Math.getExponent(real) - 52;
    long whole = (long) Math.scalb(real, -exponent);
    BigInteger prime = BigInteger.valueOf(PRIME);
    return BigInteger.valueOf(whole)
        .multiply(BigInteger.TWO.modPow(BigInteger.valueOf(exponent), prime))
        .mod(prime)
        .doubleValue();
  }

  @Override
  public double plus(double a, double b) {
    return canonical(a + b);
  }

  @Override
  public double times(double a, double b) {
    return canonical(product(a, b));
  }

  /** 1 / a. */
  public double inverse(double a) {
    return BigInteger.valueOf((long) canonical(a))
        .modInverse(BigInteger.valueOf(PRIME))
        .doubleValue();
  }

  /** The same number between 0 and the prime less 1. */
  static double canonical(double a) {
    double reduced = a - P * Math.floor(a * INVERSE);
    if (reduced < 0) {
      return reduced + P;
    }
    return reduced >= P ? reduced - P : reduced + 0.0;
  }

  /** A number congruent to a · b, at most 2P in size, for a and b of such a size. */
  private static double product(double a, double b) {
    double high = a * b;
    double low = Math.fma(a, b, -high);
    double quotient = Math.floor(high * INVERSE);
    return Math.fma(-quotient, P, high) + low;
  }

  /** Leaves entries between −P and P, not always canonical. */
  @Override
  public void addTimes(double[] to, double factor, double[] from) {
    addTimes(to, factor, from, 0);
  }

  /** The same from an entry on. */
  static void addTimes(double[] to, double factor, double[] from, int start) {
    for (int j = start; j < to.length; j++) {
      double high = factor * from[j];
      double low = Math.fma(factor, from[j], -high);
      double quotient = Math.floor(high * INVERSE);
      double sum = Math.fma(-quotient, P, high) + low + to[j];
      to[j] = sum - P * Math.floor(sum * INVERSE);
    }
  }
}
