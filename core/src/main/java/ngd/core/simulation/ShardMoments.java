package ngd.core.simulation;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.data.Shard;
import ngd.core.linalg.ExactSum;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Objective;

/** One shard's moments, each sum exact and rounded once. */
record ShardMoments(Objective objective, int client) implements Moments {

  private Shard shard() {
    return objective.shards().shard(client);
  }

  @Override
  public int rows() {
    return shard().rows();
  }

  @Override
  public double[] xx() {
    Shard shard = shard();
    int p = shard.features();
    double[] xx = new double[p * p];
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        ExactSum sum = new ExactSum();
        for (int i = 0; i < shard.rows(); i++) {
          sum.add(shard.x(i, j) * shard.x(i, k));
        }
        xx[j * p + k] = sum.value();
        xx[k * p + j] = xx[j * p + k];
      }
    }
    return xx;
  }

  @Override
  public double[] xy() {
    Shard shard = shard();
    double[] xy = new double[shard.features()];
    for (int j = 0; j < xy.length; j++) {
      ExactSum sum = new ExactSum();
      for (int i = 0; i < shard.rows(); i++) {
        sum.add(shard.x(i, j) * shard.y(i));
      }
      xy[j] = sum.value();
    }
    return xy;
  }

  @Override
  public double value(double[] theta) {
    return objective.value(client, theta);
  }

  @Override
  public double[] gradient(double[] theta) {
    double[] gradient = new double[objective.parameters()];
    objective.gradient(client, theta, 0, gradient, 0);
    return gradient;
  }

  @Override
  public double[] hessian(double[] theta) {
    if (!(objective.loss() instanceof CurvedLoss curved)) {
      throw new InvalidInput(
          "loss `%s`: has no Hessian to share".formatted(objective.loss().name()));
    }
    double[] hessian = new double[theta.length * theta.length];
    curved.hessian(shard(), theta, hessian);
    return hessian;
  }
}
