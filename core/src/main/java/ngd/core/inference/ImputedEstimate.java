package ngd.core.inference;

import java.util.List;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Regression;

/**
 * What the fits of several imputations came to.
 *
 * @param fits one for each imputation
 * @param imputed the variables with gaps
 */
public record ImputedEstimate(
    List<Inference> fits, List<ChainedEquations.Imputed> imputed, int iterations) {
  public ImputedEstimate {
    fits = List.copyOf(fits);
    imputed = List.copyOf(imputed);
  }

  /** The fits put together. */
  public RubinsRules pooled() {
    Inference first = fits.getFirst();
    double complete =
        first.options().covariance() == Covariance.SITE
            ? clients() - 1
            : first.fit().residualFreedom();
    return RubinsRules.of(
        terms(),
        fits.stream().map(fit -> fit.estimate().theta()).toList(),
        fits.stream().map(fit -> fit.covariance().orElseThrow()).toList(),
        complete,
        first.options().level());
  }

  public List<String> terms() {
    return fits.getFirst().estimate().terms();
  }

  /** M, over all processes. */
  public int clients() {
    return fits.getFirst().estimate().clients();
  }

  /** The model; of an estimated theta, the mean over the imputations. */
  public Regression regression() {
    return fits.getFirst().estimate().regression() instanceof NegativeBinomial
        ? new NegativeBinomial(
            fits.stream()
                .mapToDouble(fit -> ((NegativeBinomial) fit.estimate().regression()).theta())
                .average()
                .orElseThrow())
        : fits.getFirst().estimate().regression();
  }

  /** The mean of the fits' dispersions. */
  public double dispersion() {
    return fits.stream().mapToDouble(fit -> fit.fit().dispersion()).average().orElseThrow();
  }
}
