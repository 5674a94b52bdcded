package ngd.core.inference;

import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * Parameters drawn from their approximate posterior around a pooled estimate, the same at every
 * client.
 *
 * <p>Of a linear model the exact one under Jeffreys' prior (Rubin 1987, p. 167): the drawn variance
 * is RSS/χ², and coefficients are β̂ + r L z with r the drawn over the estimated standard
 * deviation. Of others they are β̂ + L z. L is the lower Cholesky factor of the estimated
 * covariance, z standard normal.
 *
 * @param deviation the drawn standard deviation; 1 where the family has none
 */
@SuppressWarnings("ArrayRecordComponent")
record PosteriorDraw(double[] coefficients, double deviation) {
  /** Draws from a stream that all clients share. */
  static PosteriorDraw of(PooledEstimate estimate, UniformRandomProvider common) {
    Inference inference = Inference.of(estimate, Inference.Options.STANDARD);
    double[] covariance = inference.covariance().orElseThrow();
    boolean linear = estimate.regression() instanceof Linear;
    double freedom = inference.fit().residualFreedom();
    if (linear && freedom < 1) {
      throw new NoEstimate(
          NoEstimate.Reason.TOO_FEW_ROWS,
          "%d coefficients need more rows that have it; got %d"
              .formatted(estimate.terms().size(), estimate.size().counted()));
    }
    double chi =
        linear
            ? ChiSquaredDistribution.of(freedom)
                .inverseCumulativeProbability(Math.max(Double.MIN_NORMAL, common.nextDouble()))
            : 1;
    var normal = ZigguratSampler.NormalizedGaussian.of(common);
    double[] normals = new double[estimate.terms().size()];
    for (int j = 0; j < normals.length; j++) {
      normals[j] = normal.sample();
    }
    return at(
        estimate.theta(),
        covariance,
        linear ? inference.fit().dispersion() : 1,
        linear ? freedom / chi : 1,
        normals);
  }

  /**
   * The draw that these deviates make.
   *
   * @param stretch the drawn dispersion over the estimated one
   */
  static PosteriorDraw at(
      double[] estimate, double[] covariance, double dispersion, double stretch, double[] normals) {
    int p = estimate.length;
    double[] factor =
        SymmetricMatrix.cholesky(covariance, p)
            .orElseThrow(
                () ->
                    new NoEstimate(
                        NoEstimate.Reason.REDUNDANT_COLUMN, "they determine it exactly"));
    double[] drawn = estimate.clone();
    for (int i = 0; i < p; i++) {
      double move = 0;
      for (int j = 0; j <= i; j++) {
        move = Math.fma(factor[i * p + j], normals[j], move);
      }
      drawn[i] = Math.fma(Math.sqrt(stretch), move, drawn[i]);
    }
    return new PosteriorDraw(drawn, Math.sqrt(dispersion * stretch));
  }
}
