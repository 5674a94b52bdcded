package ngd.core.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * The function that gives the linear predictor η of a mean μ, in R's words, by its inverse μ(η) and
 * the derivatives of that.
 */
public enum Link {
  IDENTITY("identity"),
  LOG("log"),
  INVERSE("inverse"),
  SQRT("sqrt"),
  INVERSE_SQUARE("1/mu^2"),
  LOGIT("logit"),
  PROBIT("probit"),
  CLOGLOG("cloglog"),
  CAUCHIT("cauchit");

  /** The largest predictor whose exponential is taken: the cube of exp(200) is a number still. */
  static final double CAP = 200;

  private final String word;

  Link(String word) {
    this.word = word;
  }

  /** The name on the command line. */
  public String word() {
    return word;
  }

  static Optional<Link> named(String word) {
    return Arrays.stream(values()).filter(link -> link.word.equals(word)).findFirst();
  }

  /** Whether a predictor has a mean. */
  boolean admits(double eta) {
    return switch (this) {
      case SQRT, INVERSE_SQUARE -> eta > 0;
      case INVERSE -> eta != 0;
      default -> true;
    };
  }

  /** Whether larger predictors have smaller means. */
  boolean decreasing() {
    return this == INVERSE || this == INVERSE_SQUARE;
  }

  double mean(double eta) {
    return switch (this) {
      case IDENTITY -> eta;
      case LOG -> Math.exp(Math.clamp(eta, -CAP, CAP));
      case INVERSE -> 1 / eta;
      case SQRT -> eta * eta;
      case INVERSE_SQUARE -> 1 / Math.sqrt(eta);
      case LOGIT -> new Logistic().mean(eta);
      case PROBIT -> new Probit().mean(eta);
      case CLOGLOG -> -Math.expm1(-Math.exp(Math.clamp(eta, -CAP, CAP)));
      // atan(η) / π + 1/2, without its cancellation far to the left.
      case CAUCHIT -> Math.atan2(1, -eta) / Math.PI;
    };
  }

  /**
   * The mean at an end of an interval of predictors around one that has a mean; beyond all that
   * have one, the limit of means there.
   */
  double end(double eta, double inside) {
    return switch (this) {
      case SQRT -> mean(Math.max(eta, 0));
      case INVERSE_SQUARE -> mean(Math.max(eta, 0));
      case INVERSE ->
          eta * inside > 0 ? mean(eta) : Math.copySign(Double.POSITIVE_INFINITY, inside);
      default -> mean(eta);
    };
  }

  double predictor(double mean) {
    return switch (this) {
      case IDENTITY -> mean;
      case LOG -> Math.log(mean);
      case INVERSE -> 1 / mean;
      case SQRT -> Math.sqrt(mean);
      case INVERSE_SQUARE -> 1 / (mean * mean);
      case LOGIT -> new Logistic().predictor(mean);
      case PROBIT -> new Probit().predictor(mean);
      case CLOGLOG -> Math.log(-Math.log1p(-mean));
      case CAUCHIT ->
          mean < 0.25
              ? -1 / Math.tan(Math.PI * mean)
              : mean > 0.75 ? 1 / Math.tan(Math.PI * (1 - mean)) : Math.tan(Math.PI * (mean - 0.5));
    };
  }

  /** dμ/dη. */
  double slope(double eta) {
    return switch (this) {
      case IDENTITY -> 1;
      case LOG -> mean(eta);
      case INVERSE -> -1 / (eta * eta);
      case SQRT -> 2 * eta;
      case INVERSE_SQUARE -> -0.5 / (eta * Math.sqrt(eta));
      case LOGIT -> new Logistic().information(eta);
      case PROBIT -> Math.exp(-0.5 * eta * eta) / Math.sqrt(2 * Math.PI);
      case CLOGLOG -> {
        double hazard = Math.exp(Math.clamp(eta, -CAP, CAP));
        yield hazard * Math.exp(-hazard);
      }
      case CAUCHIT -> 1 / (Math.PI * (1 + eta * eta));
    };
  }

  /** d²μ/dη². */
  double bend(double eta) {
    return switch (this) {
      case IDENTITY -> 0;
      case LOG -> mean(eta);
      case INVERSE -> 2 / (eta * eta * eta);
      case SQRT -> 2;
      case INVERSE_SQUARE -> 0.75 / (eta * eta * Math.sqrt(eta));
      case LOGIT -> slope(eta) * (1 - 2 * mean(eta));
      case PROBIT -> -eta * slope(eta);
      case CLOGLOG -> slope(eta) * (1 - Math.exp(Math.clamp(eta, -CAP, CAP)));
      case CAUCHIT -> -2 * eta / (1 + eta * eta) * slope(eta);
    };
  }
}
