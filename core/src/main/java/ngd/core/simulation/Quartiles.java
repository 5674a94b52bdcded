package ngd.core.simulation;

import java.util.Arrays;

/**
 * The quartiles of replicates, by linear interpolation between order statistics (type 7). Diverged
 * runs count as infinite, so a median is finite as long as most runs are.
 */
public record Quartiles(double low, double median, double high) {

  public static Quartiles of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Quartiles(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
  }

  /** The quantile of sorted values. */
  private static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    double weight = place - below;
    if (weight == 0 || sorted[below] == sorted[below + 1]) {
      return sorted[below];
    }
    return sorted[below] + weight * (sorted[below + 1] - sorted[below]);
  }
}
