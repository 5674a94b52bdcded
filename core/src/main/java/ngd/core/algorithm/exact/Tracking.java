package ngd.core.algorithm.exact;

import ngd.core.linalg.Eigenvalues;

/**
 * How large a step gradient tracking bears: x ← W x − α y; y ← W y + B (x − x₋).
 *
 * <p>Without y it is x ← 2W x − W² x₋ − αB (x − x₋). For an eigenvalue z with the unit vector v, w
 * = ⟨v, W v⟩, q = ‖W v‖² ≥ w² and s = α ⟨v, B v⟩,
 *
 * <pre>
 * z² − (2w − s) z + q − s = 0,
 * </pre>
 *
 * whose coefficients are real where W is symmetric: no root lies outside the unit circle while s
 * &lt; (1 + 2w + q)/2 = ‖(I + W) v‖²/2 (Jury), which is at least (1 + λ)²/2 for the smallest
 * eigenvalue λ.
 */
public final class Tracking {
  /** By how much the search goes up. */
  private static final double STEP = 1.05;

  private Tracking() {}

  /** The limit of αL for a symmetric W by its smallest eigenvalue. */
  public static double limit(double smallest) {
    return (1 + smallest) * (1 + smallest) / 2;
  }

  /**
   * The limit of αh for clients with one common Hessian, of which h is an eigenvalue: up to there
   * (z − λ)² + αh (z − 1) has no root outside the unit circle.
   */
  public static double limit(Eigenvalues.Value lambda) {
    return limit(lambda, 1, 0);
  }

  /**
   * The same for (z − λ)² + (re + i im) αh (z − 1) with a factor of modulus at most 1.
   *
   * <p>While |z| ≥ 1, |z − λ| is at least d = 1 − |λ| and |z − 1| at most |z − λ| + |1 − λ|, so αh
   * = d² / (d + |1 − λ|) is safe. From there it goes up while both roots stay inside (Schur and
   * Cohn): to within a twentieth, and at most to 2, where the mean over all clients turns unstable.
   */
  public static double limit(Eigenvalues.Value lambda, double re, double im) {
    double a = lambda.real();
    double y = lambda.imaginary();
    double inside = 1 - lambda.modulus();
    if (!(inside > 0)) {
      return 0;
    }
    double s = inside * inside / (inside + Math.hypot(1 - a, y));
    while (s < 2 && stable(a, y, STEP * s * re, STEP * s * im)) {
      s *= STEP;
    }
    return Math.min(s, 2);
  }

  /** Whether z² + bz + c with b = s − 2λ, c = λ² − s and s = re + i im has its roots inside. */
  private static boolean stable(double a, double y, double re, double im) {
    double bRe = re - 2 * a;
    double bIm = im - 2 * y;
    double cRe = a * a - y * y - re;
    double cIm = 2 * a * y - im;
    double left = 1 - cRe * cRe - cIm * cIm;
    // b less its conjugate times c
    double dRe = bRe - (bRe * cRe + bIm * cIm);
    double dIm = bIm - (bRe * cIm - bIm * cRe);
    return left > 0 && Math.hypot(dRe, dIm) < left;
  }
}
