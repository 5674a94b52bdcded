package ngd.core.inference;

/**
 * How well a model fits, in the numbers that {@code glm} in R reports.
 *
 * @param dispersion Pearson's estimate, or 1 where the family knows it
 * @param residualFreedom rows of positive weight less coefficients
 * @param nullFreedom the same for the null model
 * @param deviance twice the distance of the log-likelihood from that of a perfect fit, in units of
 *     the dispersion
 * @param nullDeviance that of the model with an intercept and offsets alone
 * @param logLikelihood at the estimate, with the maximum-likelihood dispersion where there is one
 * @param nullLogLikelihood that of the null model
 * @param aic −2 logLikelihood + 2 times the parameters, an estimated dispersion being one
 */
public record GoodnessOfFit(
    double dispersion,
    long residualFreedom,
    long nullFreedom,
    double deviance,
    double nullDeviance,
    double logLikelihood,
    double nullLogLikelihood,
    double aic) {

  /** 1 − logLikelihood / nullLogLikelihood. */
  public double mcFadden() {
    return 1 - logLikelihood / nullLogLikelihood;
  }
}
