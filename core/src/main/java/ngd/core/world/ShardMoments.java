package ngd.core.world;

import java.util.Arrays;
import ngd.core.algorithm.Moments;
import ngd.core.data.Shard;
import ngd.core.linalg.CompensatedSums;
import ngd.core.model.Glm;
import ngd.core.model.Objective;

/** One shard's moments; sums of products carry what rounding takes from them. */
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
    CompensatedSums[] lower = new CompensatedSums[p];
    Arrays.setAll(lower, j -> new CompensatedSums(j + 1));
    double[] x = new double[p];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      for (int j = 0; j < p; j++) {
        lower[j].add(shard.weight(i) * x[j], x);
      }
    }
    double[] xx = new double[p * p];
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        xx[j * p + k] = lower[j].value(k);
        xx[k * p + j] = xx[j * p + k];
      }
    }
    return xx;
  }

  @Override
  public double[] xy() {
    Shard shard = shard();
    int p = shard.features();
    CompensatedSums sums = new CompensatedSums(p);
    double[] x = new double[p];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      sums.add(shard.weight(i) * (shard.y(i) - shard.offset(i)), x);
    }
    double[] xy = new double[p];
    Arrays.setAll(xy, sums::value);
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
