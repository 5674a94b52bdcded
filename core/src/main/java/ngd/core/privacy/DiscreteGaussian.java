package ngd.core.privacy;

import java.math.BigInteger;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Whole numbers with probabilities in proportion to exp(−x² / 2σ²), drawn exactly (Canonne, Kamath
 * and Steinke 2020, algorithms 1 to 3): by whole-number arithmetic alone, so that no rounding of a
 * logarithm gives away what the noise hides, as it does with samplers in floating point (Mironov
 * 2012).
 */
public final class DiscreteGaussian {
  private final UniformRandomProvider random;
  private final BigInteger sigma2;
  private final BigInteger t;

  /**
   * @param sigma the parameter, a whole number
   */
  public DiscreteGaussian(long sigma, UniformRandomProvider random) {
    if (sigma < 1) {
      throw new IllegalArgumentException("sigma must be at least 1; got " + sigma);
    }
    this.random = random;
    t = BigInteger.valueOf(sigma).add(BigInteger.ONE);
    sigma2 = BigInteger.valueOf(sigma).pow(2);
  }

  /** One draw: a discrete Laplace of scale t, kept with probability exp(−(|y| − σ²/t)² / 2σ²). */
  public BigInteger sample() {
    BigInteger denominator = sigma2.shiftLeft(1).multiply(t.pow(2));
    while (true) {
      BigInteger y = laplace();
      BigInteger distance = y.abs().multiply(t).subtract(sigma2);
      if (bernoulliExp(distance.pow(2), denominator)) {
        return y;
      }
    }
  }

  /** Probabilities in proportion to exp(−|x| / t). */
  private BigInteger laplace() {
    while (true) {
      long u = below(t.longValueExact());
      if (!bernoulliExpBelowOne(u, t.longValueExact())) {
        continue;
      }
      long v = 0;
      while (bernoulliExpBelowOne(1, 1)) {
        v++;
      }
      BigInteger x = t.multiply(BigInteger.valueOf(v)).add(BigInteger.valueOf(u));
      boolean negative = random.nextBoolean();
      if (!negative || x.signum() != 0) {
        return negative ? x.negate() : x;
      }
    }
  }

  /** True with probability exp(−a/b), for a/b ≥ 0. */
  private boolean bernoulliExp(BigInteger a, BigInteger b) {
    BigInteger left = a;
    while (left.compareTo(b) > 0) {
      if (!bernoulliExpBelowOne(1, 1)) {
        return false;
      }
      left = left.subtract(b);
    }
    return bernoulliExpBelowOne(left, b);
  }

  /** For 0 ≤ a/b ≤ 1: the first k at which a coin of chance a/(bk) fails is odd. */
  private boolean bernoulliExpBelowOne(BigInteger a, BigInteger b) {
    long k = 1;
    while (below(b.multiply(BigInteger.valueOf(k))).compareTo(a) < 0) {
      k++;
    }
    return k % 2 == 1;
  }

  /** The same in machine words, as far as they go. */
  private boolean bernoulliExpBelowOne(long a, long b) {
    long k = 1;
    while (k < Long.MAX_VALUE / b ? below(b * k) < a : belowBig(b, k, a)) {
      k++;
    }
    return k % 2 == 1;
  }

  private boolean belowBig(long b, long k, long a) {
    return below(BigInteger.valueOf(b).multiply(BigInteger.valueOf(k)))
            .compareTo(BigInteger.valueOf(a))
        < 0;
  }

  private long below(long bound) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(bound - 1);
    long drawn;
    do {
      drawn = bits == 0 ? 0 : random.nextLong() >>> (Long.SIZE - bits);
    } while (drawn >= bound);
    return drawn;
  }

  /** Uniform in [0, bound). */
  private BigInteger below(BigInteger bound) {
    int bits = bound.subtract(BigInteger.ONE).bitLength();
    if (bits < Long.SIZE - 1) {
      return BigInteger.valueOf(below(bound.longValueExact()));
    }
    byte[] bytes = new byte[(bits + Byte.SIZE - 1) / Byte.SIZE];
    BigInteger drawn;
    do {
      random.nextBytes(bytes);
      drawn = new BigInteger(1, bytes).shiftRight(bytes.length * Byte.SIZE - bits);
    } while (drawn.compareTo(bound) >= 0);
    return drawn;
  }
}
