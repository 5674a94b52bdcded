package ngd.core.simulation;

import ngd.core.model.Objective;
import ngd.core.rows.Rows;

/** A number that a trace records of all clients' estimates. */
public interface Measure {
  /** The column's name. */
  String name();

  double of(Rows theta);

  /** The natural log of ‖θ* − θ0*‖² / M, where the truth θ0 is known. */
  static Measure logMse(double[] truth) {
    return named("log_mse", theta -> Math.log(meanSquaredDistance(theta, truth)));
  }

  /** ‖θ* − θ̂*‖ / √M, the root mean squared distance to the global estimate. */
  static Measure distance(double[] globalEstimate) {
    return named("distance", theta -> Math.sqrt(meanSquaredDistance(theta, globalEstimate)));
  }

  /** The root mean squared distance of the clients to their plain average. */
  static Measure consensus() {
    return named("consensus", theta -> Math.sqrt(meanSquaredDistance(theta, mean(theta))));
  }

  /** The norm of the pooled gradient, Σ n_m ∇L_m / N, at the clients' plain average. */
  static Measure gradientNorm(Objective objective) {
    return named("gradient_norm", theta -> pooledGradientNorm(objective, mean(theta)));
  }

  private static double pooledGradientNorm(Objective objective, double[] at) {
    int p = at.length;
    double[] pooled = new double[p];
    double[] own = new double[p];
    double total = objective.shards().totalRows();
    for (int m = 0; m < objective.clients(); m++) {
      objective.gradient(m, at, 0, own, 0);
      double share = objective.shards().rows(m) / total;
      for (int j = 0; j < p; j++) {
        pooled[j] = Math.fma(share, own[j], pooled[j]);
      }
    }
    double square = 0;
    for (double g : pooled) {
      square += g * g;
    }
    return Math.sqrt(square);
  }

  /** The plain average of all clients' estimates. */
  static double[] mean(Rows theta) {
    double[] mean = new double[theta.width()];
    for (int m = 0; m < theta.rows(); m++) {
      for (int j = 0; j < mean.length; j++) {
        mean[j] += theta.get(m, j);
      }
    }
    for (int j = 0; j < mean.length; j++) {
      mean[j] /= theta.rows();
    }
    return mean;
  }

  private static double meanSquaredDistance(Rows theta, double[] point) {
    double sum = 0;
    for (int m = 0; m < theta.rows(); m++) {
      for (int j = 0; j < point.length; j++) {
        double d = theta.get(m, j) - point[j];
        sum += d * d;
      }
    }
    return sum / theta.rows();
  }

  private static Measure named(String name, java.util.function.ToDoubleFunction<Rows> of) {
    return new Measure() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public double of(Rows theta) {
        return of.applyAsDouble(theta);
      }
    };
  }
}
