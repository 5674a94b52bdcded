package ngd.core.model;

import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfcx;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The distribution F of a latent response that thresholds cut into ordered classes: a class has
 * probability F(upper) − F(lower).
 */
public enum Thresholds {
  LOGIT("logit") {
    // F(a) − F(b) = F(a) (1 − F(b)) (1 − e^(b−a)), which loses no digits in the tails.
    @Override
    void at(double upper, double lower, Parts parts) {
      double gap = upper - lower;
      double behind = 1 / StrictMath.expm1(gap);
      // With d = a − b: e^d / (e^d − 1)² = (1 + behind) behind.
      double bend = behind == 0 ? 0 : behind * (1 + behind);
      double above = below(-upper);
      double under = below(lower);
      parts.loss = softplus(-upper) + softplus(lower) - StrictMath.log(-StrictMath.expm1(-gap));
      parts.byUpper = -above - behind;
      parts.byLower = under + behind;
      parts.upperTwice = above * (1 - above) + bend;
      parts.lowerTwice = under * (1 - under) + bend;
      parts.both = -bend;
    }

    @Override
    double threshold(double share) {
      return StrictMath.log(share / (1 - share));
    }
  },
  PROBIT("probit") {
    @Override
    void at(double upper, double lower, Parts parts) {
      // P(a, b) = P(−b, −a): the side on which the lower end is the farther one loses no digits.
      boolean turned = upper > 0 && upper + lower > 0;
      double a = turned ? -lower : upper;
      double b = turned ? -upper : lower;
      double ofA;
      double ofB;
      if (a <= 0) {
        // Both relative to the density at a: Φ(a) − Φ(b) = φ(a) (M(a) − e^((a²−b²)/2) M(b)).
        double fall = Double.isInfinite(b) ? 0 : StrictMath.exp(0.5 * (a - b) * (a + b));
        double share = mills(a) - (fall == 0 ? 0 : fall * mills(b));
        parts.loss = 0.5 * a * a + LOG_ROOT_TWO_PI - StrictMath.log(share);
        ofA = 1 / share;
        ofB = fall / share;
      } else {
        double share = 1 - tail(a) - tail(-b);
        parts.loss = -StrictMath.log(share);
        ofA = density(a) / share;
        ofB = density(b) / share;
      }
      // f′(u) = −u f(u); a density of 0 has none.
      double bentA = ofA == 0 ? 0 : ofA * (a + ofA);
      double bentB = ofB == 0 ? 0 : ofB * (ofB - b);
      parts.byUpper = turned ? -ofB : -ofA;
      parts.byLower = turned ? ofA : ofB;
      parts.upperTwice = turned ? bentB : bentA;
      parts.lowerTwice = turned ? bentA : bentB;
      parts.both = -ofA * ofB;
    }

    @Override
    double threshold(double share) {
      return NormalDistribution.of(0, 1).inverseCumulativeProbability(share);
    }
  },
  CLOGLOG("cloglog") {
    // 1 − F(u) = exp(−e^u), so that F(a) − F(b) = exp(−e^b) (1 − exp(−(e^a − e^b))).
    @Override
    void at(double upper, double lower, Parts parts) {
      double high = StrictMath.exp(upper);
      double low = StrictMath.exp(lower);
      double rise = low == 0 ? high : low * StrictMath.expm1(upper - lower);
      double ofUpper = Double.isInfinite(high) ? 0 : high / StrictMath.expm1(rise);
      double ofLower = low == 0 ? 0 : low / -StrictMath.expm1(-rise);
      parts.loss = low - StrictMath.log(-StrictMath.expm1(-rise));
      parts.byUpper = -ofUpper;
      parts.byLower = ofLower;
      // f′(u) = f(u) (1 − e^u).
      parts.upperTwice = ofUpper == 0 ? 0 : ofUpper * (high - 1 + ofUpper);
      parts.lowerTwice = ofLower == 0 ? 0 : ofLower * (1 - low + ofLower);
      parts.both = ofUpper == 0 || ofLower == 0 ? 0 : -ofUpper * ofLower;
    }

    @Override
    double threshold(double share) {
      return StrictMath.log(-StrictMath.log1p(-share));
    }
  };

  private static final double ROOT_HALF = Math.sqrt(0.5);
  private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  /** Minus the log of a class's probability, and its derivatives by the ends of the class. */
  static final class Parts {
    double loss;
    double byUpper;
    double byLower;
    double upperTwice;
    double lowerTwice;
    double both;
  }

  private final String word;

  Thresholds(String word) {
    this.word = word;
  }

  /** The name of its link on the command line. */
  public String word() {
    return word;
  }

  /**
   * The parts of a class between two ends; an end that is infinite has none. Not numbers where the
   * upper end is not above the lower one.
   */
  abstract void at(double upper, double lower, Parts parts);

  /** The threshold below which this share of the latent responses lies. */
  abstract double threshold(double share);

  /** That of a word, where it is one. */
  static Optional<Thresholds> named(String word) {
    for (Thresholds one : values()) {
      if (one.word.equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** 1 / (1 + e^−u). */
  private static double below(double u) {
    double small = StrictMath.exp(-Math.abs(u));
    return (u < 0 ? small : 1) / (1 + small);
  }

  /** log(1 + e^u). */
  static double softplus(double u) {
    return Math.max(u, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(u)));
  }

  /** Φ(u) / φ(u), of u that is not positive. */
  private static double mills(double u) {
    return Math.sqrt(0.5 * Math.PI) * Erfcx.value(-u * ROOT_HALF);
  }

  private static double density(double u) {
    return StrictMath.exp(-0.5 * u * u - LOG_ROOT_TWO_PI);
  }

  /** 1 − Φ(u), of u that is not negative. */
  private static double tail(double u) {
    double far = u * ROOT_HALF;
    return Double.isInfinite(u) ? 0 : 0.5 * StrictMath.exp(-far * far) * Erfcx.value(far);
  }
}
