package ngd.core.linalg;

/**
 * The inverse Mills ratio φ(z) / Φ(z) of the normal distribution from multiply-adds, {@link
 * Exp#exp} and divisions, so that scalar and vector code give the same bits; within 1e−14 of the
 * true value at every z, however far in a tail.
 *
 * <p>Both tails come from the scaled complementary error function at u = |z| / √2. (1 + 2u)
 * erfcx(u) is smooth and bounded in v = (u − 3) / (u + 3), and the polynomial is its Chebyshev
 * expansion of degree 24 (relative error below 4e−16). For z &lt; 0 the ratio is √(2/π) / erfcx(u);
 * for z ≥ 0 it is φ(z) / (1 − ½ exp(−z²/2) erfcx(u)).
 */
final class Mills {
  static final double ROOT_HALF = 0x1.6a09e667f3bcdp-1;

  /** √(2/π). */
  static final double TAIL = 0x1.9884533d43651p-1;

  /** 1 / √(2π). */
  static final double DENSITY = 0x1.9884533d43651p-2;

  static final double CENTRE = 3;

  /** The polynomial's coefficients, the highest power first. */
  static final double[] ERFCX = {
    0x1.cd7350f20ad1ap-31,
    0x1.0f1968e597de2p-30,
    -0x1.1a5abb05ab718p-27,
    -0x1.c96dae03284b5p-27,
    0x1.60bcb894e79d1p-25,
    0x1.b56217b9146ccp-24,
    -0x1.2dabcbdb3b408p-23,
    -0x1.4b09042715313p-21,
    0x1.7dfecd6d595a4p-22,
    0x1.d20dc1d6f2168p-19,
    -0x1.885c4173e8118p-21,
    -0x1.513b2bf2e7a13p-16,
    0x1.4c228d0f252afp-18,
    0x1.065a32b51fa50p-13,
    -0x1.b912639d3c363p-14,
    -0x1.98db50c1995dap-11,
    0x1.ef1bdd0e61218p-10,
    0x1.4b884e411d2b0p-9,
    -0x1.8574c40b69c6ap-6,
    0x1.17ca2877f2e0ap-4,
    -0x1.e88b803a4a881p-4,
    0x1.098366a5b4640p-3,
    -0x1.85a15c58aa4f5p-5,
    -0x1.15c084bb9e8f2p-3,
    0x1.40c522d7e4987p+0,
  };

  private Mills() {}

  static double ratio(double z) {
    double bell = Exp.exp(z * z * -0.5);
    double u = Math.abs(z) * ROOT_HALF;
    double v = (u - CENTRE) / (u + CENTRE);
    double q = ERFCX[0];
    for (int k = 1; k < ERFCX.length; k++) {
      q = Math.fma(q, v, ERFCX[k]);
    }
    double erfcx = q / Math.fma(u, 2, 1);
    return z < 0 ? TAIL / erfcx : bell * DENSITY / Math.fma(bell * erfcx, -0.5, 1);
  }
}
