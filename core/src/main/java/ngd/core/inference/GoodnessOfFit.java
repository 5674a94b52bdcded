package ngd.core.inference;

import java.util.OptionalDouble;
import ngd.core.model.Linear;
import ngd.core.model.MEstimator;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Quasi;
import ngd.core.model.Regression;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * How well a model fits, in the numbers that {@code glm} and {@code lm} in R report.
 *
 * @param dispersion Pearson's estimate, or 1 where the family knows it
 * @param residualFreedom rows of positive weight less coefficients
 * @param nullFreedom the same for the null model
 * @param deviance twice the distance of the log-likelihood from that of a perfect fit, in units of
 *     the dispersion
 * @param nullDeviance that of the model with an intercept and offsets alone
 * @param logLikelihood at the estimate, with the maximum-likelihood dispersion where there is one;
 *     not a number where the family has no likelihood
 * @param nullLogLikelihood that of the null model
 * @param aic −2 logLikelihood + 2 times the parameters, an estimated dispersion or theta being one
 * @param rSquared the share of the null deviance that a gaussian model explains
 * @param adjustedRSquared the same with both deviances over their degrees of freedom; none where
 *     coefficients are penalised and so have fewer
 * @param mcFadden 1 − logLikelihood / nullLogLikelihood, for families of labels and counts; the
 *     densities of the others may exceed 1, and the ratio of their logarithms says nothing
 */
public record GoodnessOfFit(
    double dispersion,
    long residualFreedom,
    long nullFreedom,
    double deviance,
    double nullDeviance,
    double logLikelihood,
    double nullLogLikelihood,
    double aic,
    OptionalDouble rSquared,
    OptionalDouble adjustedRSquared,
    OptionalDouble mcFadden) {

  /**
   * That of an estimate.
   *
   * @param least the loss of all rows under the saturated model
   * @param rest what minus the log-likelihood has besides the loss, at dispersion 1
   */
  static GoodnessOfFit of(PooledEstimate estimate, double least, double rest) {
    Regression model = estimate.regression();
    Size size = estimate.size();
    int p = estimate.terms().size();
    long freedom = size.counted() - p;
    long nullFreedom = size.counted() - estimate.nullModel().coefficients();
    Likelihood likelihood = estimate.end().at();
    double deviance = 2 * (likelihood.loss() - least);
    double nullDeviance = 2 * (estimate.nullModel().loss() - least);
    double dispersion =
        model.dispersed() ? freedom > 0 ? likelihood.pearson() / freedom : Double.NaN : 1;
    double logLikelihood = logLikelihood(model, size, deviance, least, rest);
    double nullLogLikelihood = logLikelihood(model, size, nullDeviance, least, rest);
    boolean theta = model instanceof NegativeBinomial found && found.estimated();
    int parameters = p + (model.dispersed() || theta ? 1 : 0);
    boolean linear = model instanceof Linear;
    // Least squares leave residuals orthogonal to what is fitted, so that this is lm's ratio too.
    double left = deviance / nullDeviance;
    double adjusted = freedom > 0 ? 1 - left * nullFreedom / freedom : Double.NaN;
    return new GoodnessOfFit(
        dispersion,
        freedom,
        nullFreedom,
        deviance,
        nullDeviance,
        logLikelihood,
        nullLogLikelihood,
        -2 * logLikelihood + 2 * parameters,
        where(linear, 1 - left),
        where(linear && estimate.penalty().none(), adjusted),
        where(
            !model.dispersed() && !(model instanceof MEstimator),
            1 - logLikelihood / nullLogLikelihood));
  }

  private static OptionalDouble where(boolean holds, double value) {
    return holds ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** With the dispersion that R's families use in their AIC: deviance over n, or over Σ w. */
  private static double logLikelihood(
      Regression model, Size size, double deviance, double least, double rest) {
    String family = model.family().replaceFirst(":.*", "");
    if (model instanceof Quasi || model instanceof MEstimator || family.equals("tweedie")) {
      return Double.NaN;
    }
    if (family.equals("gaussian")) {
      double n = size.counted();
      return -0.5 * (n * (Math.log(2 * Math.PI * deviance / n) + 1) - size.logWeight());
    }
    double loss = deviance / 2 + least;
    if (family.equals("inverse-gaussian")) {
      double n = size.weight();
      return -0.5 * (n * (Math.log(2 * Math.PI * deviance / n) + 1)) - 1.5 * rest;
    }
    if (family.equals("gamma")) {
      // Σ w [(a − 1) log y − a (y / μ + η) + a log a − log Γ(a)], a = 1 / dispersion.
      double shape = size.weight() / deviance;
      double logs = least - size.weight();
      return (shape - 1) * logs
          - shape * loss
          + size.weight() * (shape * Math.log(shape) - LogGamma.value(shape));
    }
    return -loss - rest;
  }
}
