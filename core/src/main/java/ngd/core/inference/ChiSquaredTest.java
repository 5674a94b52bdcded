package ngd.core.inference;

import java.util.Optional;
import ngd.core.linalg.SymmetricMatrix;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** A statistic that is χ² under its hypothesis, with its degrees of freedom. */
public record ChiSquaredTest(double statistic, int freedom, double pValue) {
  static ChiSquaredTest of(double statistic, int freedom) {
    return new ChiSquaredTest(
        statistic, freedom, ChiSquaredDistribution.of(freedom).survivalProbability(statistic));
  }

  /** vᵀ A⁻¹ v; nothing where A is singular. */
  static Optional<ChiSquaredTest> of(double[] vector, double[] matrix, int freedom) {
    int p = vector.length;
    // Units of the diagonal, so that columns on different scales lose no digits.
    double[] scaled = new double[p * p];
    double[] unit = new double[p];
    for (int i = 0; i < p; i++) {
      unit[i] = Math.sqrt(matrix[i * (p + 1)]);
    }
    double[] right = new double[p];
    for (int i = 0; i < p; i++) {
      right[i] = vector[i] / unit[i];
      for (int j = 0; j < p; j++) {
        scaled[i * p + j] = matrix[i * p + j] / unit[i] / unit[j];
      }
    }
    return SymmetricMatrix.solve(scaled, p, right)
        .map(
            solved -> {
              double sum = 0;
              for (int i = 0; i < p; i++) {
                sum = Math.fma(right[i], solved[i], sum);
              }
              return of(sum, freedom);
            });
  }
}
