package ngd.core.linalg;

/**
 * The exponential and the logistic function from multiply-adds (and one division), so that scalar
 * and vector code, interpreted or compiled, give the same bits. The exponential is within one unit
 * in the last place of the true value, the logistic function within three.
 *
 * <p>x = k ln 2 + r with |r| ≤ ln 2 / 2; exp(r) = 1 + r + r² q(r), q the Chebyshev expansion of
 * (exp(r) − 1 − r) / r² on that interval, of degree 9 (relative error 1.6e−17); k enters the
 * exponent bits. Adding {@link #ROUND} leaves k in the low bits of the sum.
 *
 * <p>{@link #logOnePlus} is log(1 + exp(−|x|)) = 2 artanh(s) with s = e / (2 + e) ≤ 1/3; s² (2 / 3
 * + 2 s² / 5 + …) is a polynomial of degree 9 in s², interpolated at the Chebyshev nodes of [0,
 * 1/9] (relative error of the whole 7.5e−18). It is within four units in the last place.
 */
public final class Exp {
  /** Arguments lie in [−708, 708]: beyond, the result would leave the normal range. */
  static final double LIMIT = 708;

  /**
   * The largest linear predictor that is distinguished: exp(500) is about 1e217, far beyond any
   * sane mean, yet times a covariate and summed over rows it stays finite.
   */
  static final double CEILING = 500;

  static final double LOG2E = 0x1.71547652b82fep+0;
  static final double ROUND = 0x1.8p52;
  static final double LN2_HIGH = 0x1.62e42fefa3800p-1;
  static final double LN2_LOW = 0x1.ef35793c76730p-45;

  static final double C0 = 0x1.0000000000001p-1;
  static final double C1 = 0x1.5555555555557p-3;
  static final double C2 = 0x1.5555555553d67p-5;
  static final double C3 = 0x1.11111111100dfp-7;
  static final double C4 = 0x1.6c16c1788a24fp-10;
  static final double C5 = 0x1.a01a01abe6549p-13;
  static final double C6 = 0x1.a019b913e6e77p-16;
  static final double C7 = 0x1.71de0236eabcbp-19;
  static final double C8 = 0x1.28917d444b49fp-22;
  static final double C9 = 0x1.af4dde4b9be8cp-26;

  static final double E2 = 0x1.c71949c2ee7d0p-4;
  static final double E4 = 0x1.03fc0e5c4e025p-10;
  static final double O3 = 0x1.c70fd1b664c31p-7;
  static final double O5 = 0x1.1530d7f47010fp-15;

  static final double L0 = 0x1.5555555555555p-1;
  static final double L1 = 0x1.999999999a3ddp-2;
  static final double L2 = 0x1.24924923d44c6p-2;
  static final double L3 = 0x1.c71c727143318p-3;
  static final double L4 = 0x1.745cf0b0e03bdp-3;
  static final double L5 = 0x1.3b18b294bebf9p-3;
  static final double L6 = 0x1.10ac75dc602b1p-3;
  static final double L7 = 0x1.eb905e8575054p-4;
  static final double L8 = 0x1.687a6e7c95176p-4;
  static final double L9 = 0x1.4b0a26c5f2aefp-3;

  private Exp() {}

  /**
   * 1 / (1 + exp(−x)). With −x = k ln 2 − r and exp(−r) = (E − O) / (E + O), it is (E + O) / (E + O
   * + 2^k (E − O)): one division in all. E = 1 + E2 r² + E4 r⁴ and O = r (½ + O3 r² + O5 r⁴)
   * interpolate tanh(r / 2) = O / E at the Chebyshev nodes of r² (relative error of exp 3.5e−18).
   */
  static double logistic(double x) {
    double clamped = Math.min(Math.max(x, -LIMIT), LIMIT);
    double shifted = Math.fma(clamped, -LOG2E, ROUND);
    double k = shifted - ROUND;
    double r = Math.fma(k, LN2_LOW, Math.fma(k, LN2_HIGH, clamped));
    double square = r * r;
    double even = Math.fma(Math.fma(square, E4, E2), square, 1);
    double odd = Math.fma(Math.fma(square, O5, O3), square, 0.5) * r;
    double up = even + odd;
    double down = even - odd;
    long exponent = Double.doubleToRawLongBits(shifted) << 52;
    double raised = Double.longBitsToDouble(Double.doubleToRawLongBits(down) + exponent);
    return up / (up + raised);
  }

  /**
   * log(1 + exp(−|x|)). As in {@link #logistic}, exp(−x) is a quotient; the smaller of its two
   * numbers over the sum of both and the larger is s, again with one division.
   */
  static double logOnePlus(double x) {
    double clamped = Math.min(Math.max(x, -LIMIT), LIMIT);
    double shifted = Math.fma(clamped, -LOG2E, ROUND);
    double k = shifted - ROUND;
    double r = Math.fma(k, LN2_LOW, Math.fma(k, LN2_HIGH, clamped));
    double square = r * r;
    double even = Math.fma(Math.fma(square, E4, E2), square, 1);
    double odd = Math.fma(Math.fma(square, O5, O3), square, 0.5) * r;
    double up = even + odd;
    double down = even - odd;
    long exponent = Double.doubleToRawLongBits(shifted) << 52;
    double raised = Double.longBitsToDouble(Double.doubleToRawLongBits(down) + exponent);
    double less = raised < up ? raised : up;
    double more = raised < up ? up : raised;
    double s = less / (up + raised + more);
    double t = s * s;
    double q = L9;
    q = Math.fma(q, t, L8);
    q = Math.fma(q, t, L7);
    q = Math.fma(q, t, L6);
    q = Math.fma(q, t, L5);
    q = Math.fma(q, t, L4);
    q = Math.fma(q, t, L3);
    q = Math.fma(q, t, L2);
    q = Math.fma(q, t, L1);
    q = Math.fma(q, t, L0);
    return Math.fma(q, t, 2) * s;
  }

  /** Each number's {@link #exp(double)}. */
  public static double[] exp(double[] x) {
    TileKernels kernels = TileKernels.best();
    double[] tile = new double[Kernels.TILE];
    double[] all = new double[x.length];
    for (int from = 0; from < x.length; from += tile.length) {
      int count = Math.min(tile.length, x.length - from);
      System.arraycopy(x, from, tile, 0, count);
      kernels.exp(tile, Kernels.padded(count), tile);
      System.arraycopy(tile, 0, all, from, count);
    }
    return all;
  }

  /** exp(x), the same bits everywhere; arguments beyond ±{@link #LIMIT} count as that. */
  public static double exp(double x) {
    double clamped = Math.min(Math.max(x, -LIMIT), LIMIT);
    double shifted = Math.fma(clamped, LOG2E, ROUND);
    double k = shifted - ROUND;
    double r = Math.fma(-k, LN2_LOW, Math.fma(-k, LN2_HIGH, clamped));
    double q = C9;
    q = Math.fma(q, r, C8);
    q = Math.fma(q, r, C7);
    q = Math.fma(q, r, C6);
    q = Math.fma(q, r, C5);
    q = Math.fma(q, r, C4);
    q = Math.fma(q, r, C3);
    q = Math.fma(q, r, C2);
    q = Math.fma(q, r, C1);
    q = Math.fma(q, r, C0);
    q = Math.fma(q, r, 1);
    q = Math.fma(q, r, 1);
    long exponent = Double.doubleToRawLongBits(shifted) << 52;
    return Double.longBitsToDouble(Double.doubleToRawLongBits(q) + exponent);
  }
}
