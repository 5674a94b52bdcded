package ngd.core.inference;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.FDistribution;

/**
 * A test of whether all sites share one set of coefficients, against each having its own: Rao's
 * score test of all interactions with the site.
 *
 * <p>At the pooled estimate the sites' scores S_m sum to zero; with I_m a site's expected
 * information, Q = Σ S_mᵀ I_m⁻ S_m is asymptotically χ² with Σ rank(I_m) − p degrees of freedom if
 * the coefficients are the same everywhere. Where a dispersion is estimated the F form is used,
 * which for the gaussian family is the exact F test of the interactions. A total of three numbers a
 * site is all that is shared: its part of Q, its rank, and whether it can take part.
 *
 * @param statistic Q over the dispersion, or F
 * @param freedom the numerator's degrees of freedom
 * @param residualFreedom F's denominator's; infinite for χ²
 * @param pValue the chance of so much or more under homogeneity
 */
public record Heterogeneity(
    double statistic, double freedom, double residualFreedom, double pValue) {
  /** Eigenvalues below this share of the largest are zero. */
  private static final double RANK = 1e-10;

  /** The test at an estimate; refused where a site's own rows would fit perfectly. */
  static Heterogeneity at(PooledEstimate estimate) {
    if (estimate.clients() < 2) {
      throw new InvalidInput("heterogeneity: needs at least two sites to differ; there is one");
    }
    if (!estimate.penalty().none()) {
      throw new InvalidInput(
          "heterogeneity: does not work with ridge, under which the sites' scores do not sum to zero");
    }
    Glm glm = estimate.glm();
    int p = estimate.terms().size();
    double[] theta = estimate.end().theta();
    double[] sums =
        Pooled.total(
            estimate.world(), m -> own(estimate.world().curved().moments(m), glm, theta, p));
    if (sums[2] > 0) {
      throw new InvalidInput(
          "heterogeneity: every site needs more rows than coefficients that its rows determine, or its own fit is perfect; %d of %d sites have too few"
              .formatted((long) sums[2], estimate.clients()));
    }
    double freedom = sums[1] - p;
    if (freedom < 1) {
      throw new InvalidInput(
          "heterogeneity: nothing is left to differ, each site determines only coefficients of its own");
    }
    double q = sums[0];
    if (!glm.dispersed()) {
      double chance = ChiSquaredDistribution.of(freedom).survivalProbability(q);
      return new Heterogeneity(q, freedom, Double.POSITIVE_INFINITY, chance);
    }
    double rest = estimate.size().counted() - sums[1];
    double pearson = estimate.end().likelihood().pearson();
    double f = q / freedom / ((pearson - q) / rest);
    return new Heterogeneity(
        f, freedom, rest, FDistribution.of(freedom, rest).survivalProbability(f));
  }

  /** A site's part of Q, its rank, and 1 if it cannot take part. */
  private static double[] own(Moments moments, Glm glm, double[] theta, int p) {
    double[] information = moments.squares(theta, (eta, y, offset, w) -> w * glm.information(eta));
    double scale = moments.rows() / glm.factor();
    double[] score = moments.gradient(theta);
    SymmetricMatrix.Spectrum spectrum = SymmetricMatrix.spectrum(information, p);
    double most = Math.max(spectrum.value(p - 1), Double.MIN_NORMAL);
    double q = 0;
    int rank = 0;
    for (int k = 0; k < p; k++) {
      if (spectrum.value(k) > RANK * most) {
        double along = 0;
        for (int j = 0; j < p; j++) {
          along += spectrum.vector(k, j) * scale * score[j];
        }
        q += along * along / spectrum.value(k);
        rank++;
      }
    }
    double counted = moments.sums(theta, (eta, y, offset, w) -> w > 0 ? 1 : 0)[0];
    return new double[] {q, rank, counted > rank ? 0 : 1};
  }
}
