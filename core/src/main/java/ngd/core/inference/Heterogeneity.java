package ngd.core.inference;

import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.FDistribution;

/**
 * A test of whether all sites share one set of coefficients, against each having its own: a score
 * test of all interactions with the site.
 *
 * <p>At the pooled estimate the sites' scores S_m sum to zero. With I_m a site's expected
 * information, Rao's Q = Σ S_mᵀ I_m⁻ S_m is asymptotically χ² with Σ rank(I_m) − p degrees of
 * freedom if the coefficients are the same everywhere. Where a dispersion is estimated the F form
 * is used, which for the gaussian family is the exact F test of the interactions. Both take the
 * model's variance for granted: errors whose variance depends on a covariate pass for differences
 * between sites.
 *
 * <p>The robust form does not. With J_m = Σ s sᵀ over the site's rows, the scores are weighed by
 * J_m⁻ and the part along which one common change of the coefficients moves them is taken out: with
 * A = Σ I_m J_m⁻ I_m and b = Σ I_m J_m⁻ S_m, Q = Σ S_mᵀ J_m⁻ S_m − bᵀA⁻¹b is asymptotically χ² with
 * the same degrees of freedom (Boos 1992, the generalized score test).
 *
 * @param statistic Q over the dispersion, or F
 * @param freedom the numerator's degrees of freedom
 * @param residualFreedom F's denominator's; infinite for χ²
 * @param pValue the chance of so much or more under homogeneity
 * @param robust whether it holds whatever the rows' variances
 */
public record Heterogeneity(
    double statistic, double freedom, double residualFreedom, double pValue, boolean robust) {
  /** The test at an estimate; refused where a site's own rows would fit perfectly. */
  static Heterogeneity at(PooledEstimate estimate, Covariance kind) {
    if (estimate.clients() < 2) {
      throw new InvalidInput("heterogeneity: needs at least two sites to differ; there is one");
    }
    if (!estimate.penalty().none()) {
      throw new InvalidInput(
          "heterogeneity: works only without ridge, under which the sites' scores do not sum to zero");
    }
    if (!(estimate.regression() instanceof Glm glm)) {
      throw new InvalidInput(
          "heterogeneity: cannot be tested in the cox family; test a covariate's interaction with"
              + " site instead, as in Surv(time, event) ~ age + age:site + strata(site)");
    }
    int p = estimate.terms().size();
    double[] theta = estimate.end().theta();
    boolean robust = kind != Covariance.MODEL;
    double[] sums =
        Pooled.total(
            estimate.world(),
            m -> {
              SiteScore site = SiteScore.of(estimate.world().curved().moments(m), glm, theta);
              return robust ? site.robust() : site.plain();
            });
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
    return robust ? robust(estimate, kind, sums, freedom) : plain(estimate, sums, freedom);
  }

  private static Heterogeneity plain(PooledEstimate estimate, double[] sums, double freedom) {
    double q = sums[0];
    if (!estimate.glm().dispersed()) {
      return chiSquared(q, freedom, false);
    }
    double rest = estimate.size().counted() - sums[1];
    double pearson = estimate.end().at().pearson();
    double f = q / freedom / ((pearson - q) / rest);
    double chance = FDistribution.of(freedom, rest).survivalProbability(f);
    return new Heterogeneity(f, freedom, rest, chance, false);
  }

  private static Heterogeneity robust(
      PooledEstimate estimate, Covariance kind, double[] sums, double freedom) {
    int p = estimate.terms().size();
    double[] b = new double[p];
    System.arraycopy(sums, 3, b, 0, p);
    double[] common =
        SymmetricMatrix.solve(Pooled.symmetric(sums, 3 + p, p), p, b)
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "heterogeneity: the rows' squared scores must determine all coefficients; some of them do not vary"));
    double q = sums[0];
    for (int j = 0; j < p; j++) {
      q -= b[j] * common[j];
    }
    double n = estimate.size().counted();
    return chiSquared(kind == Covariance.HC1 ? q * (n - p) / n : q, freedom, true);
  }

  private static Heterogeneity chiSquared(double q, double freedom, boolean robust) {
    double chance = ChiSquaredDistribution.of(freedom).survivalProbability(q);
    return new Heterogeneity(q, freedom, Double.POSITIVE_INFINITY, chance, robust);
  }

  /** {@code model-based} or {@code robust}. */
  public String form() {
    return robust ? "robust" : Covariance.MODEL.words();
  }

  /** What the plain form takes for granted. */
  public Optional<String> note() {
    return robust
        ? Optional.empty()
        : Optional.of(
            "the test of heterogeneity takes the model's variance for granted: where that differs from row to row it finds differences between sites that do not exist; --robust gives a test that does not");
  }
}
