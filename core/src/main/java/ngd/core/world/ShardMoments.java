package ngd.core.world;

import java.util.function.Function;
import ngd.core.algorithm.Moments;
import ngd.core.data.Shard;
import ngd.core.linalg.ExactSum;
import ngd.core.model.Glm;
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
          sum.add(shard.weight(i) * shard.x(i, j) * shard.x(i, k));
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
        sum.add(shard.weight(i) * shard.x(i, j) * (shard.y(i) - shard.offset(i)));
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
    double[] hessian = new double[theta.length * theta.length];
    objective.hessian(client, theta, hessian);
    return hessian;
  }

  @Override
  public double[] sums(double[] theta, RowTerm... terms) {
    return table(theta, 1, (eta, y, offset, weight) -> 0, terms);
  }

  @Override
  public double[] table(double[] theta, int cells, RowCell cell, RowTerm... terms) {
    Shard shard = shard();
    double[] table = new double[cells * terms.length];
    forEach(
        theta,
        (row, eta) -> {
          double y = shard.y(row);
          double offset = shard.offset(row);
          double weight = shard.weight(row);
          int at = cell.of(eta, y, offset, weight);
          for (int t = 0; at >= 0 && t < terms.length; t++) {
            table[at * terms.length + t] += terms[t].of(eta, y, offset, weight);
          }
        });
    return table;
  }

  @Override
  public double[] squares(double[] theta, RowTerm term) {
    Shard shard = shard();
    int p = shard.features();
    double[] squares = new double[p * p];
    double[] x = new double[p];
    forEach(
        theta,
        (row, eta) -> {
          shard.row(row, x);
          double factor = term.of(eta, shard.y(row), shard.offset(row), shard.weight(row));
          for (int j = 0; j < p; j++) {
            double scaled = factor * x[j];
            for (int k = 0; k <= j; k++) {
              squares[j * p + k] = Math.fma(scaled, x[k], squares[j * p + k]);
            }
          }
        });
    for (int j = 0; j < p; j++) {
      for (int k = 0; k < j; k++) {
        squares[k * p + j] = squares[j * p + k];
      }
    }
    return squares;
  }

  @Override
  public double[] of(Function<Shard, double[]> sums) {
    return sums.apply(shard());
  }

  @FunctionalInterface
  private interface RowVisitor {
    void row(int row, double eta);
  }

  /** Each row with its linear predictor. */
  private void forEach(double[] theta, RowVisitor visitor) {
    Shard shard = shard();
    double[] x = new double[shard.features()];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      visitor.row(i, Glm.dot(x, theta) + shard.offset(i));
    }
  }
}
