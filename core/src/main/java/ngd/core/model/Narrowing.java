package ngd.core.model;

import ngd.core.data.Shards;

/**
 * The minimiser of a loss that has a curvature near each row's centre alone: first of one so wide
 * that all rows have, then of ever narrower ones, each from where the last ended.
 */
public final class Narrowing {
  /** How much narrower each is than the one before. */
  private static final double STEP = 4;

  private Narrowing() {}

  /**
   * How many times as wide the first should be: the largest power of {@link #STEP} that is needed
   * for the rows at some distance from their centres to have a curvature.
   */
  public static double widest(MEstimator loss, double distance) {
    double factor = 1;
    while (factor * loss.reach() < distance) {
      factor *= STEP;
    }
    return factor;
  }

  /** The next narrower one. */
  public static double narrower(double factor) {
    return factor / STEP;
  }

  static GlobalEstimate minimise(MEstimator loss, Shards shards) {
    double[] theta = new double[shards.features()];
    int steps = 0;
    for (double factor = widest(loss, largest(shards)); factor > 1; factor = narrower(factor)) {
      GlobalEstimate wide = CurvedMinimiser.minimise(loss.widened(factor), shards, theta);
      theta = wide.theta();
      steps += wide.iterations();
    }
    GlobalEstimate last = CurvedMinimiser.minimise(loss, shards, theta);
    return new GlobalEstimate(last.theta(), last.method(), steps + last.iterations());
  }

  private static double largest(Shards shards) {
    double[] largest = {0};
    for (int m = 0; m < shards.clients(); m++) {
      shards.forEach(
          m,
          (block, _) -> {
            for (int i = 0; i < block.rows(); i++) {
              largest[0] = Math.max(largest[0], Math.abs(block.y(i) - block.offset(i)));
            }
          });
    }
    return largest[0];
  }
}
