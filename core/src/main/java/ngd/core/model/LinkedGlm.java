package ngd.core.model;

import java.util.Optional;

/**
 * A generalised linear model by its variance and its link, for pairs that have no kernel of their
 * own: with μ(η) the inverse link, a row's score is (μ − y) μ′ / V, its curvature μ′² / V + (μ − y)
 * (μ″ / V − μ′² V′ / V²) and its information μ′² / V.
 *
 * <p>Predictors without a possible mean have an infinite loss, before which steps are halved.
 */
public record LinkedGlm(Spread spread, Link by) implements Glm {
  @Override
  public String name() {
    return spread.family() + "-" + by.word();
  }

  @Override
  public String family() {
    return spread.family();
  }

  @Override
  public String link() {
    return by.word();
  }

  @Override
  public double mean(double eta) {
    return by.mean(eta);
  }

  @Override
  public double predictor(double mean) {
    return by.predictor(mean);
  }

  @Override
  public double variance(double mean) {
    return spread.variance(mean);
  }

  /** Whether a predictor has a mean that the family may have. */
  private boolean admits(double eta) {
    return by.admits(eta) && spread.admits(mean(eta));
  }

  /**
   * Whether the log-likelihood is written by the logarithms of both means, which neither overflow
   * nor cancel: −log μ and −log(1 − μ) by η.
   */
  private boolean inTails() {
    return by == Link.CLOGLOG || by == Link.CAUCHIT;
  }

  @Override
  public double rowLoss(double eta, double y) {
    if (inTails()) {
      return (y == 0 ? 0 : -y * logMean(eta)) + (y == 1 ? 0 : -(1 - y) * logRest(eta));
    }
    return admits(eta) ? spread.loss(mean(eta), y) : Double.POSITIVE_INFINITY;
  }

  @Override
  public double score(double eta, double y) {
    if (inTails()) {
      return (1 - y) * hazard(eta) - y * reversed(eta);
    }
    double mean = mean(eta);
    return admits(eta) ? (mean - y) * by.slope(eta) / variance(mean) : Double.POSITIVE_INFINITY;
  }

  @Override
  public double curvature(double eta, double y) {
    if (inTails()) {
      return y * bendOfMean(eta) + (1 - y) * bendOfRest(eta);
    }
    if (!admits(eta)) {
      return Double.POSITIVE_INFINITY;
    }
    double mean = mean(eta);
    double variance = variance(mean);
    double slope = by.slope(eta);
    return slope * slope / variance
        + (mean - y)
            / variance
            * (by.bend(eta) - slope * slope * spread.varianceSlope(mean) / variance);
  }

  @Override
  public double information(double eta) {
    if (inTails()) {
      // Where one of them is 0 so is the product, whatever the other.
      double one = hazard(eta);
      double other = reversed(eta);
      return one == 0 || other == 0 ? 0 : one * other;
    }
    double slope = by.slope(eta);
    return admits(eta) ? slope * slope / variance(mean(eta)) : Double.POSITIVE_INFINITY;
  }

  @Override
  public double informationSlope(double eta) {
    if (inTails()) {
      double information = information(eta);
      return information == 0
          ? 0
          : by == Link.CAUCHIT
              ? information * (hazard(eta) - reversed(eta) - 4 * eta / (1 + eta * eta))
              : information * (2 - rate(eta) - reversed(eta));
    }
    double mean = mean(eta);
    double slope = by.slope(eta);
    double variance = variance(mean);
    return admits(eta)
        ? slope
            / variance
            * (2 * by.bend(eta) - slope * slope * spread.varianceSlope(mean) / variance)
        : Double.POSITIVE_INFINITY;
  }

  /** exp(η), where the chance of a 0 is exp(−exp(η)). */
  private static double rate(double eta) {
    return Math.exp(Math.clamp(eta, -700, Link.CAP));
  }

  private double logMean(double eta) {
    if (by == Link.CAUCHIT) {
      return Math.log(mean(eta));
    }
    double rate = rate(eta);
    return rate < 1e-300 ? eta : Math.log(-Math.expm1(-rate));
  }

  private double logRest(double eta) {
    return by == Link.CAUCHIT ? Math.log(by.mean(-eta)) : -rate(eta);
  }

  /** μ′ / (1 − μ). */
  private double hazard(double eta) {
    return by == Link.CAUCHIT ? by.slope(eta) / by.mean(-eta) : rate(eta);
  }

  /** μ′ / μ. */
  private double reversed(double eta) {
    if (by == Link.CAUCHIT) {
      return by.slope(eta) / by.mean(eta);
    }
    double rate = rate(eta);
    return rate / Math.expm1(rate);
  }

  /** (−log μ)″. */
  private double bendOfMean(double eta) {
    double reversed = reversed(eta);
    if (by == Link.CAUCHIT) {
      return reversed * (2 * eta / (1 + eta * eta) + reversed);
    }
    double rate = rate(eta);
    // For small rates r the first factor is 1 − r/2, and the second r/2.
    return reversed * (rate < 1e-5 ? 0.5 * rate : reversed + rate - 1);
  }

  /** (−log(1 − μ))″. */
  private double bendOfRest(double eta) {
    double hazard = hazard(eta);
    return by == Link.CAUCHIT ? hazard * (hazard - 2 * eta / (1 + eta * eta)) : hazard;
  }

  @Override
  public boolean convex() {
    return false;
  }

  @Override
  public boolean everywhere() {
    return inTails() || (by == Link.LOG && !(spread instanceof Spread.Binary));
  }

  @Override
  public boolean decreasing() {
    return by.decreasing();
  }

  @Override
  public double end(double eta, double inside) {
    return by.end(eta, inside);
  }

  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double least(double y) {
    return spread.least(y);
  }

  @Override
  public double rest(double y, double weight) {
    return spread.rest(y, weight);
  }

  @Override
  public boolean dispersed() {
    return spread.dispersed();
  }

  @Override
  public double startingPredictor(double y) {
    return by.predictor(spread.near(y));
  }

  /** A label or a count of 0 is never fitted worse by a smaller mean; all else has a best one. */
  @Override
  public double against(double move, double y) {
    return switch (spread) {
      case Spread.Binary _ -> new Logistic().against(move, y);
      case Spread.Counts _ when y == 0 -> move;
      default -> Math.abs(move);
    };
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    return spread.objection(y, weight);
  }
}
