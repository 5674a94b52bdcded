package ngd.core.theory;

import java.util.Arrays;
import java.util.Optional;
import ngd.core.model.Linear;
import ngd.core.network.Measured;

/**
 * How differently the data lie at the clients: the paper's ŜE(Σ̂xx), ŜE(Σ̂xy) and ŜE(L̇) (2.3,
 * 2.5).
 *
 * <p>All three average over clients without weights, as the paper does. The centre of the first two
 * is the pooled Σ̂xx and Σ̂xy, in which every row counts the same: the mean of the clients' only
 * where all have as many rows.
 *
 * @param seSigmaXX √ tr M⁻¹ Σ (Σ̂xx^(m) − Σ̂xx)²
 * @param seSigmaXY √ M⁻¹ Σ ‖Σ̂xy^(m) − Σ̂xy‖²
 * @param seScore √ M⁻¹ Σ ‖L̇_m‖², at the true parameters where they are known, else at the global
 *     estimate; {@code how} says which
 */
public record DataHeterogeneity(double seSigmaXX, double seSigmaXY, Measured seScore) {

  public static DataHeterogeneity of(Problem problem, Optional<double[]> truth) {
    ClientDerivatives data = problem.data();
    int p = data.features();
    Linear linear = new Linear();
    double[] origin = new double[data.clients() * p];
    Spread xx = new Spread(p * p);
    Spread xy = new Spread(p);
    double[] matrices = data.hessians(linear, origin);
    double[] vectors = data.gradients(linear, origin); // −Σ̂xy
    for (int m = 0; m < data.clients(); m++) {
      xx.add(Arrays.copyOfRange(matrices, m * p * p, (m + 1) * p * p), data.rows(m));
      xy.add(Arrays.copyOfRange(vectors, m * p, (m + 1) * p), data.rows(m));
    }
    return new DataHeterogeneity(xx.deviation(), xy.deviation(), score(problem, truth));
  }

  private static Measured score(Problem problem, Optional<double[]> truth) {
    if (truth.isPresent()) {
      return Measured.of(score(problem, truth.get()), "at the true parameters");
    }
    try {
      return Measured.of(
          score(problem, problem.globalEstimate()),
          "at the global estimate, as the true parameters are not known");
    } catch (NotComputed why) {
      return Measured.not(
          "the true parameters are not known, and there is no global estimate to take instead: "
              + why.reason());
    }
  }

  private static double score(Problem problem, double[] theta) {
    ClientDerivatives data = problem.data();
    double sum = 0;
    for (double value :
        data.gradients(problem.loss(), ClientDerivatives.everywhere(theta, data.clients()))) {
      sum += value * value;
    }
    return Math.sqrt(sum / data.clients());
  }

  /**
   * The mean square of the distance of some vectors from their weighted mean: that from their plain
   * mean, by Welford's recursion, and the square of the distance between the two means.
   */
  private static final class Spread {
    private final double[] mean;
    private final double[] weightedMean;
    private double squares;
    private double weights;
    private int count;

    Spread(int size) {
      mean = new double[size];
      weightedMean = new double[size];
    }

    void add(double[] x, double weight) {
      count++;
      weights += weight;
      for (int i = 0; i < mean.length; i++) {
        double before = x[i] - mean[i];
        mean[i] += before / count;
        squares += before * (x[i] - mean[i]);
        weightedMean[i] += (x[i] - weightedMean[i]) * (weight / weights);
      }
    }

    double deviation() {
      double between = 0;
      for (int i = 0; i < mean.length; i++) {
        between += (mean[i] - weightedMean[i]) * (mean[i] - weightedMean[i]);
      }
      return Math.sqrt(squares / count + between);
    }
  }
}
