package ngd.core.model;

import java.util.Optional;

/**
 * A model of a response by a linear predictor η = xᵀθ + offset, whose coefficients the pooled fit
 * estimates: minus its log-likelihood, or what stands for that, is the sum over all clients of what
 * each computes from its own rows, or a function of such sums.
 */
public sealed interface Regression extends CurvedLoss, ResponseRule
    permits Glm, Cox, Categories, MEstimator {

  /** The name on the command line, with its parameter where it has one. */
  default String family() {
    return name();
  }

  /** The name of the function that gives the linear predictor of a mean. */
  String link();

  /** 2 for minus twice the log-likelihood over n; 1 for half the mean squared error. */
  default double factor() {
    return 2;
  }

  /** The expected response at a linear predictor; of a Cox model the hazard beside the baseline. */
  double mean(double eta);

  /** Whether the responses' variance has a factor that the data determine. */
  default boolean dispersed() {
    return false;
  }

  /** Why this response of a row of some weight cannot come from this family, if it cannot. */
  @Override
  default Optional<String> objection(double y, double weight) {
    return Optional.empty();
  }
}
