package ngd.core.theory;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Loss;
import ngd.core.network.Measured;

/**
 * How differently the data lie at the clients: the paper's ŜE(Σ̂xx), ŜE(Σ̂xy) and ŜE(L̇) (2.3,
 * 2.5).
 *
 * <p>All three average over clients without weights, as the paper does for shards of equal size.
 * Where sizes differ they still do, and the centre of the first two is the mean of the clients'
 * matrices, so that both stay standard deviations; it then is not the pooled matrix.
 *
 * @param seSigmaXX √ tr M⁻¹ Σ (Σ̂xx^(m) − mean)²
 * @param seSigmaXY √ M⁻¹ Σ ‖Σ̂xy^(m) − mean‖²
 * @param seScore √ M⁻¹ Σ ‖L̇_m‖², at the true parameters where they are known, else at the global
 *     estimate; {@code how} says which
 */
public record Heterogeneity(double seSigmaXX, double seSigmaXY, Measured seScore) {

  public static Heterogeneity of(Problem problem, Optional<double[]> truth) {
    Shards shards = problem.shards();
    int p = shards.features();
    Linear linear = new Linear();
    double[] origin = new double[p];
    Spread xx = new Spread(p * p);
    Spread xy = new Spread(p);
    double[] matrix = new double[p * p];
    double[] vector = new double[p];
    for (int m = 0; m < shards.clients(); m++) {
      linear.hessian(shards.shard(m), origin, matrix);
      xx.add(matrix);
      linear.gradient(shards.shard(m), origin, vector); // −Σ̂xy
      xy.add(vector);
    }
    return new Heterogeneity(xx.deviation(), xy.deviation(), score(problem, truth));
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
    Loss loss = problem.loss();
    Shards shards = problem.shards();
    double[] gradient = new double[problem.parameters()];
    double sum = 0;
    for (int m = 0; m < shards.clients(); m++) {
      loss.gradient(shards.shard(m), theta, gradient);
      for (double value : gradient) {
        sum += value * value;
      }
    }
    return Math.sqrt(sum / shards.clients());
  }

  /** Welford's running mean of vectors and the mean square of the distance from it. */
  private static final class Spread {
    private final double[] mean;
    private double squares;
    private int count;

    Spread(int size) {
      mean = new double[size];
    }

    void add(double[] x) {
      count++;
      for (int i = 0; i < mean.length; i++) {
        double before = x[i] - mean[i];
        mean[i] += before / count;
        squares += before * (x[i] - mean[i]);
      }
    }

    double deviation() {
      return Math.sqrt(squares / count);
    }
  }
}
