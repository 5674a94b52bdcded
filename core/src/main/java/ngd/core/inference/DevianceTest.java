package ngd.core.inference;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.FDistribution;

/**
 * Whether a model fits better than one within it by more than chance: the likelihood-ratio test by
 * χ², or F where the dispersion is estimated, as {@code anova} in R.
 *
 * @param statistic the deviance that is explained, over the dispersion; F divides it by freedom too
 * @param freedom the coefficients that it takes
 * @param dispersionFreedom those of the estimated dispersion; infinite for χ²
 * @param pValue the chance of so much or more where these coefficients are zero
 */
public record DevianceTest(
    double statistic, long freedom, double dispersionFreedom, double pValue) {

  /**
   * The test.
   *
   * @param explained the deviance of the smaller model less that of the larger
   * @param dispersion that of the largest model that is compared
   */
  public static DevianceTest of(
      double explained, long freedom, double dispersion, double dispersionFreedom) {
    double chi = Math.max(0, explained) / dispersion;
    if (freedom < 1 || !(chi >= 0) || Double.isInfinite(chi)) {
      return new DevianceTest(Double.NaN, freedom, dispersionFreedom, Double.NaN);
    }
    if (Double.isInfinite(dispersionFreedom)) {
      double chance = ChiSquaredDistribution.of((double) freedom).survivalProbability(chi);
      return new DevianceTest(chi, freedom, dispersionFreedom, chance);
    }
    double f = chi / freedom;
    double chance = FDistribution.of((double) freedom, dispersionFreedom).survivalProbability(f);
    return new DevianceTest(f, freedom, dispersionFreedom, chance);
  }
}
