package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
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

  /**
   * With the quantiles of residuals that were counted on a grid. Where rows were counted in
   * neighbouring bins, as many as follow the counts, a quantile lies between those of somewhat
   * smaller and larger shares.
   *
   * @param from where the counts begin
   */
  ResidualSummary quantiles(QuantileGrid grid, double[] counts, int from) {
    double n = Arrays.stream(counts, from, from + grid.bins()).sum();
    double off = counts[from + grid.bins()] / n;
    List<Quantile> told = new ArrayList<>();
    double most = grid.error();
    for (double share : SHARES) {
      if ((Math.min(share, 1 - share) - off) * n >= SmallCells.MINIMUM) {
        List<Double> around = grid.quantiles(counts, from, share - off, share, share + off);
        told.add(new Quantile(share, around.get(1)));
        double away = Math.max(around.get(1) - around.getFirst(), around.getLast() - around.get(1));
        most = Math.max(most, away + (off > 0 ? grid.error() : 0));
      }
    }
    return new ResidualSummary(mean, deviation, skewness, kurtosis, told, most);
  }
}
