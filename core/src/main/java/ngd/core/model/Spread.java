package ngd.core.model;

import java.util.Optional;
import ngd.core.InvalidInput;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * How responses vary around their mean: an exponential dispersion model, known by its variance V(μ)
 * in units of the dispersion. Minus the log-likelihood of a response y is, but for terms without μ,
 * the integral of (μ − y) / V(μ).
 */
public sealed interface Spread {
  /** The family's name on the command line. */
  String family();

  double variance(double mean);

  /** dV/dμ. */
  double varianceSlope(double mean);

  /** The integral of (μ − y) / V(μ). */
  double loss(double mean, double y);

  /** The least {@link #loss} of a response, at the mean y. */
  double least(double y);

  /** What minus the log-likelihood of a row has besides, at dispersion 1. */
  default double rest(double y, double weight) {
    return 0;
  }

  boolean dispersed();

  /** Whether a mean is possible. */
  boolean admits(double mean);

  /** A possible mean near a response. */
  default double near(double y) {
    return y;
  }

  Optional<String> objection(double y, double weight);

  /** Normal responses. */
  record Gaussian() implements Spread {
    @Override
    public String family() {
      return "gaussian";
    }

    @Override
    public double variance(double mean) {
      return 1;
    }

    @Override
    public double varianceSlope(double mean) {
      return 0;
    }

    @Override
    public double loss(double mean, double y) {
      return 0.5 * (y - mean) * (y - mean);
    }

    @Override
    public double least(double y) {
      return 0;
    }

    @Override
    public boolean dispersed() {
      return true;
    }

    @Override
    public boolean admits(double mean) {
      return true;
    }

    @Override
    public Optional<String> objection(double y, double weight) {
      return Optional.empty();
    }
  }

  /** Counts. */
  record Counts() implements Spread {
    @Override
    public String family() {
      return "poisson";
    }

    @Override
    public double variance(double mean) {
      return mean;
    }

    @Override
    public double varianceSlope(double mean) {
      return 1;
    }

    @Override
    public double loss(double mean, double y) {
      return mean - (y == 0 ? 0 : y * Math.log(mean));
    }

    @Override
    public double least(double y) {
      return new Poisson().least(y);
    }

    @Override
    public double rest(double y, double weight) {
      return weight * LogGamma.value(y + 1);
    }

    @Override
    public boolean dispersed() {
      return false;
    }

    @Override
    public boolean admits(double mean) {
      return mean > 0;
    }

    @Override
    public double near(double y) {
      return y + 0.1;
    }

    @Override
    public Optional<String> objection(double y, double weight) {
      return new Poisson().objection(y, weight);
    }
  }

  /** Labels 0 and 1, or shares of as many of them as the weight says. */
  record Binary() implements Spread {
    @Override
    public String family() {
      return "binomial";
    }

    @Override
    public double variance(double mean) {
      return mean * (1 - mean);
    }

    @Override
    public double varianceSlope(double mean) {
      return 1 - 2 * mean;
    }

    @Override
    public double loss(double mean, double y) {
      return -(y == 0 ? 0 : y * Math.log(mean)) - (y == 1 ? 0 : (1 - y) * Math.log1p(-mean));
    }

    @Override
    public double least(double y) {
      return new Logistic().least(y);
    }

    @Override
    public double rest(double y, double weight) {
      return new Logistic().rest(y, weight);
    }

    @Override
    public boolean dispersed() {
      return false;
    }

    @Override
    public boolean admits(double mean) {
      return mean > 0 && mean < 1;
    }

    @Override
    public double near(double y) {
      return 0.25 + 0.5 * y;
    }

    @Override
    public Optional<String> objection(double y, double weight) {
      return new Logistic().objection(y, weight);
    }
  }

  /**
   * Variance μ^power: gamma responses at 2, inverse gaussian ones at 3, and Tweedie's at any other
   * from 1 on, which between 1 and 2 are positive or 0.
   */
  record Power(String name, double power) implements Spread {
    public static final Power GAMMA = new Power("gamma", 2);
    public static final Power INVERSE_GAUSSIAN = new Power("inverse-gaussian", 3);

    static Power tweedie(double power) {
      if (!(power >= 1) || Double.isInfinite(power)) {
        throw new InvalidInput(
            "family tweedie: POWER, of the variance mean^POWER, must be a number of at least 1, such as 1.5; got "
                + power);
      }
      return new Power("tweedie", power);
    }

    @Override
    public String family() {
      return name.equals("tweedie") ? "tweedie:" + power : name;
    }

    @Override
    public double variance(double mean) {
      return Math.pow(mean, power);
    }

    @Override
    public double varianceSlope(double mean) {
      return power * Math.pow(mean, power - 1);
    }

    @Override
    public double loss(double mean, double y) {
      if (power == 1) {
        return mean - (y == 0 ? 0 : y * Math.log(mean));
      }
      if (power == 2) {
        return y / mean + Math.log(mean);
      }
      return Math.pow(mean, 2 - power) / (2 - power)
          - (y == 0 ? 0 : y * Math.pow(mean, 1 - power) / (1 - power));
    }

    @Override
    public double least(double y) {
      return y == 0 ? 0 : loss(y, y);
    }

    /** The sum of log y, which the inverse gaussian density has besides its dispersion's part. */
    @Override
    public double rest(double y, double weight) {
      return power == 3 ? weight * Math.log(y) : 0;
    }

    @Override
    public boolean dispersed() {
      return true;
    }

    @Override
    public boolean admits(double mean) {
      return mean > 0;
    }

    @Override
    public double near(double y) {
      return power < 2 ? y + 0.1 : y;
    }

    @Override
    public Optional<String> objection(double y, double weight) {
      if (power < 2) {
        return y >= 0
            ? Optional.empty()
            : Optional.of("responses of the %s family must not be negative".formatted(family()));
      }
      return y > 0
          ? Optional.empty()
          : Optional.of("responses of the %s family must be positive".formatted(family()));
    }
  }
}
