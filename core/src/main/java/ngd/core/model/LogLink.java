package ngd.core.model;

/** The families with the log link, whose mean is the exponential of the linear predictor. */
sealed interface LogLink extends Glm permits Poisson, Gamma, NegativeBinomial {
  @Override
  default String link() {
    return "log";
  }

  @Override
  default double mean(double eta) {
    return Math.exp(Math.min(eta, Poisson.CAP));
  }

  @Override
  default double predictor(double mean) {
    return Math.log(mean);
  }
}
