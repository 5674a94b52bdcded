package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Estimates from several imputed data sets put together (Rubin 1987), with the degrees of freedom
 * of Barnard and Rubin (1999), as {@code mice::pool} in R.
 *
 * @param imputations m
 * @param lines each coefficient, with t statistics
 * @param parts what its variance is made of
 * @param covariance of the coefficients, row by row: within + (1 + 1/m) between
 */
public record RubinsRules(
    int imputations, List<Coefficient> lines, List<Parts> parts, List<List<Double>> covariance) {
  /** A share below which there is as good as no variance between imputations, as in R. */
  private static final double LEAST_SHARE = 1e-4;

  public RubinsRules {
    lines = List.copyOf(lines);
    parts = List.copyOf(parts);
    covariance = List.copyOf(covariance);
  }

  /**
   * The variance of a coefficient.
   *
   * @param within the mean of its variances
   * @param between the variance of its estimates
   * @param freedom of its t statistic
   * @param increase riv, the relative increase in variance by what is missing
   * @param share λ, the share of the variance that is due to what is missing
   * @param missing fmi, the fraction of missing information
   */
  public record Parts(
      double within,
      double between,
      double freedom,
      double increase,
      double share,
      double missing) {}

  /**
   * Puts them together.
   *
   * @param estimates of each imputation
   * @param covariances of each, p × p, row by row
   * @param complete the degrees of freedom that the complete data would have
   * @param level of the intervals
   */
  public static RubinsRules of(
      List<String> terms,
      List<double[]> estimates,
      List<double[]> covariances,
      double complete,
      double level) {
    int m = estimates.size();
    int p = terms.size();
    double[] mean = new double[p];
    double[] within = new double[p * p];
    double[] between = new double[p * p];
    for (int k = 0; k < m; k++) {
      for (int i = 0; i < p; i++) {
        mean[i] += estimates.get(k)[i] / m;
      }
      for (int i = 0; i < p * p; i++) {
        within[i] += covariances.get(k)[i] / m;
      }
    }
    for (double[] one : estimates) {
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          between[i * p + j] += (one[i] - mean[i]) * (one[j] - mean[j]) / (m - 1);
        }
      }
    }
    List<Coefficient> lines = new ArrayList<>();
    List<Parts> parts = new ArrayList<>();
    List<List<Double>> covariance = new ArrayList<>();
    for (int i = 0; i < p; i++) {
      List<Double> row = new ArrayList<>();
      for (int j = 0; j < p; j++) {
        row.add(within[i * p + j] + (1 + 1.0 / m) * between[i * p + j]);
      }
      covariance.add(List.copyOf(row));
      Parts own = parts(within[i * p + i], between[i * p + i], m, complete);
      parts.add(own);
      lines.add(line(terms.get(i), mean[i], Math.sqrt(row.get(i)), own.freedom(), level));
    }
    return new RubinsRules(m, lines, parts, covariance);
  }

  private static Parts parts(double within, double between, int m, double complete) {
    double extra = (1 + 1.0 / m) * between;
    double share = extra / (within + extra);
    double increase = extra / within;
    double bounded = Math.max(share, LEAST_SHARE);
    double ofImputations = (m - 1) / (bounded * bounded);
    double ofRows = (complete + 1) / (complete + 3) * complete * (1 - bounded);
    double freedom =
        Double.isInfinite(complete)
            ? ofImputations
            : ofImputations * ofRows / (ofImputations + ofRows);
    return new Parts(
        within, between, freedom, increase, share, (increase + 2 / (freedom + 3)) / (increase + 1));
  }

  private static Coefficient line(
      String term, double estimate, double error, double freedom, double level) {
    TDistribution t = TDistribution.of(freedom);
    double reach = t.inverseSurvivalProbability((1 - level) / 2) * error;
    double statistic = estimate / error;
    return new Coefficient(
        term,
        estimate,
        error,
        statistic,
        Math.min(1, 2 * t.survivalProbability(Math.abs(statistic))),
        estimate - reach,
        estimate + reach);
  }
}
