package ngd.core.inference;

import java.util.List;

/**
 * The deviance of rows that a model has not seen, at each λ of a path, as {@code cv.glmnet} reports
 * it: every fold's mean deviance of a row, the mean of these, and its standard error.
 *
 * @param folds how many there are
 * @param means at each λ
 * @param errors their standard errors
 * @param least the place of the λ whose mean is least
 * @param simplest that of the largest λ whose mean is within one standard error of it
 */
public record CrossValidation(
    int folds, List<Double> means, List<Double> errors, int least, int simplest) {
  public CrossValidation {
    means = List.copyOf(means);
    errors = List.copyOf(errors);
  }

  /**
   * Puts folds together.
   *
   * @param deviances by λ and fold, each a fold's mean of a row
   * @param weights of the folds
   */
  static CrossValidation of(List<double[]> deviances, double[] weights) {
    int count = deviances.size();
    Double[] means = new Double[count];
    Double[] errors = new Double[count];
    double all = 0;
    for (double weight : weights) {
      all += weight;
    }
    for (int l = 0; l < count; l++) {
      double mean = 0;
      for (int k = 0; k < weights.length; k++) {
        mean = Math.fma(weights[k] / all, deviances.get(l)[k], mean);
      }
      double variance = 0;
      for (int k = 0; k < weights.length; k++) {
        double way = deviances.get(l)[k] - mean;
        variance = Math.fma(weights[k] / all * way, way, variance);
      }
      means[l] = mean;
      errors[l] = Math.sqrt(variance / (weights.length - 1));
    }
    int least = 0;
    for (int l = 1; l < count; l++) {
      if (means[l] < means[least]) {
        least = l;
      }
    }
    int simplest = 0;
    while (means[simplest] > means[least] + errors[least]) {
      simplest++;
    }
    return new CrossValidation(weights.length, List.of(means), List.of(errors), least, simplest);
  }
}
