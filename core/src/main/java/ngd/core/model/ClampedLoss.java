package ngd.core.model;

import ngd.core.data.Shards;

/**
 * A convex loss of linear predictors whose derivative is a straight line between two bounds:
 * clamp(u, lower, upper) with u = slope · (η − centre) + shift. So it is quadratic near the centre
 * and linear on both sides of that, and its second derivative is the slope or 0.
 */
public sealed interface ClampedLoss extends CurvedPredictorLoss permits MEstimator, SmoothedHinge {
  /** The derivative's own derivative between the bounds; positive. */
  double slope();

  /** The predictor at which the line has the value {@link #shift}. */
  double centre(double y);

  /** The line's value at the centre. */
  default double shift() {
    return 0;
  }

  /** The least derivative; at most 0. */
  double lower(double y);

  /** The largest derivative; at least 0. */
  double upper(double y);

  /** What is added to every row's loss. */
  default double level() {
    return 0;
  }

  private double line(double eta, double y) {
    return Math.fma(slope(), eta - centre(y), shift());
  }

  @Override
  default double rowLoss(double eta, double y) {
    double u = line(eta, y);
    double at = Math.clamp(u, lower(y), upper(y));
    // u² / 2 between the bounds, and straight on from there.
    return at * (u - at / 2) / slope() + level();
  }

  @Override
  default double score(double eta, double y) {
    double u = line(eta, y);
    double lower = lower(y);
    double upper = upper(y);
    return u < lower ? lower : u > upper ? upper : u;
  }

  /**
   * A matrix above the Hessians of all points, in which every row counts as if it had a curvature:
   * where few have any now, others may have some later.
   */
  default double[] steepness(Shards shards, int client, double[] theta) {
    return shards.mean(
        client,
        rows -> {
          double[] bound = new double[theta.length * theta.length];
          squares(rows, theta, bound, (eta, y) -> slope());
          return bound;
        });
  }

  @Override
  default double curvature(double eta, double y) {
    double u = line(eta, y);
    return u > lower(y) && u < upper(y) ? slope() : 0;
  }
}
