package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import ngd.core.preparation.QuantileGrid;

/**
 * Deviance residuals of all rows together, as {@code residuals(fit)} in R has them: moments, and
 * quantiles from counts on a grid. No single residual, and so neither the smallest nor the largest,
 * is among them.
 *
 * @param skewness the third central moment over the standard deviation's cube
 * @param kurtosis the fourth over its fourth power, less 3
 * @param quantiles those that leave enough rows on either side
 * @param within how far a quantile is at most from that of the residuals one by one
 */
public record ResidualSummary(
    double mean,
    double deviation,
    double skewness,
    double kurtosis,
    List<Quantile> quantiles,
    double within) {
  private static final double[] SHARES = {0.05, 0.25, 0.5, 0.75, 0.95};

  /** A share of the residuals is below this value. */
  public record Quantile(double share, double value) {}

  public ResidualSummary {
    quantiles = List.copyOf(quantiles);
  }

  /**
   * From moments of residuals in units of the root of their mean square.
   *
   * @param unit that root
   * @param sums of the scaled residuals and their third and fourth powers
   */
  static ResidualSummary moments(double n, double unit, double[] sums) {
    double mean = sums[0] / n;
    double square = 1 - mean * mean;
    double third = sums[1] / n - 3 * mean + 2 * mean * mean * mean;
    double fourth =
        sums[2] / n - 4 * mean * sums[1] / n + 6 * mean * mean - 3 * mean * mean * mean * mean;
    return new ResidualSummary(
        mean * unit,
        unit * Math.sqrt(square * n / (n - 1)),
        third / Math.pow(square, 1.5),
        fourth / (square * square) - 3,
        List.of(),
        Double.NaN);
  }

  /** With the quantiles of residuals that were counted on a grid from {@code from} on. */
  ResidualSummary quantiles(QuantileGrid grid, double[] counts, int from, double n) {
    List<Quantile> told = new ArrayList<>();
    List<Double> all = grid.quantiles(counts, from, SHARES);
    for (int i = 0; i < SHARES.length; i++) {
      if (Math.min(SHARES[i], 1 - SHARES[i]) * n >= SmallCells.MINIMUM) {
        told.add(new Quantile(SHARES[i], all.get(i)));
      }
    }
    return new ResidualSummary(mean, deviation, skewness, kurtosis, told, grid.error());
  }
}
