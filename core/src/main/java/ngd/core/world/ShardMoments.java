package ngd.core.world;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;
import ngd.core.algorithm.Moments;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.CompensatedSums;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.ClampedLoss;
import ngd.core.model.Objective;
import ngd.core.model.RowwiseLoss;

/** One shard's moments; sums of products carry what rounding takes from them. */
record ShardMoments(Objective objective, int client, GradientCount gradients) implements Moments {
  /** Rows whose predictors are found at once. */
  private static final int PART = 1024;

  private Shards shards() {
    return objective.shards();
  }

  @Override
  public int rows() {
    return shards().rows(client);
  }

  @Override
  public double[] xx() {
    int p = shards().features();
    CompensatedSums lower =
        compensated(
            p * (p + 1) / 2,
            (rows, sums) -> {
              for (int from = 0; from < rows.rows(); from += Kernels.TILE) {
                addSquares(rows, from, Math.min(from + Kernels.TILE, rows.rows()), sums);
              }
            });
    double[] xx = new double[p * p];
    int at = 0;
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        xx[j * p + k] = lower.value(at++);
        xx[k * p + j] = xx[j * p + k];
      }
    }
    return xx;
  }

  /** Adds w x_j x_k over some rows to the sum of each j and k ≤ j, in the order of the rows. */
  private static void addSquares(Shard rows, int from, int to, CompensatedSums sums) {
    int p = rows.features();
    double[] x = rows.xArray();
    int[] all = new int[to - from];
    double[] weights = new double[to - from];
    for (int i = from; i < to; i++) {
      all[i - from] = rows.xOffset() + Shard.place(i, 0, p);
      weights[i - from] = rows.weight(i);
    }
    double[] factors = new double[to - from];
    int[] places = new int[to - from];
    int pair = 0;
    for (int j = 0; j < p; j++) {
      int shift = j * Kernels.LANES;
      int count = 0;
      for (int i = 0; i < all.length; i++) {
        int place = all[i];
        double factor = weights[i] * x[place + shift];
        // Columns of levels are full of zeros.
        if (factor != 0) {
          factors[count] = factor;
          places[count++] = place;
        }
      }
      sums.add(pair, j + 1, factors, count, x, places, Kernels.LANES);
      pair += j + 1;
    }
  }

  @Override
  public double[] xy() {
    int p = shards().features();
    CompensatedSums sums =
        compensated(
            p,
            (rows, into) -> {
              double[] x = new double[p];
              for (int i = 0; i < rows.rows(); i++) {
                rows.row(i, x);
                into.add(0, rows.weight(i) * (rows.y(i) - rows.offset(i)), x, p);
              }
            });
    double[] xy = new double[p];
    Arrays.setAll(xy, sums::value);
    return xy;
  }

  /** Sums over all blocks that carry what rounding takes from them. */
  private CompensatedSums compensated(int count, BiConsumer<Shard, CompensatedSums> rows) {
    return shards()
        .folded(
            client,
            block -> {
              CompensatedSums own = new CompensatedSums(count);
              rows.accept(block, own);
              return own;
            },
            (all, next) -> {
              all.add(next);
              return all;
            });
  }

  @Override
  public double value(double[] theta) {
    return objective.value(client, theta);
  }

  @Override
  public double[] gradient(double[] theta) {
    gradients.one(client, rows());
    double[] gradient = new double[objective.parameters()];
    objective.gradient(client, theta, 0, gradient, 0);
    return gradient;
  }

  @Override
  public double[] hessian(double[] theta) {
    gradients.one(client, rows());
    double[] hessian = new double[theta.length * theta.length];
    objective.hessian(client, theta, hessian);
    return hessian;
  }

  @Override
  public Optional<double[]> together(double[] theta, boolean curved) {
    if (!(objective.loss() instanceof RowwiseLoss loss)) {
      return Optional.empty();
    }
    gradients.one(client, (curved ? 2L : 1L) * rows());
    return Optional.of(shards().sum(client, rows -> loss.sums(rows, theta, curved)));
  }

  @Override
  public double[] steepness(double[] theta) {
    return objective.loss() instanceof ClampedLoss loss
        ? loss.steepness(shards(), client, theta)
        : hessian(theta);
  }

  @Override
  public double[] sums(double[] theta, RowTerm... terms) {
    return shards()
        .sum(
            client,
            rows -> {
              double[] sums = new double[terms.length];
              inParts(
                  rows,
                  theta,
                  (from, count, eta) -> {
                    for (int t = 0; t < terms.length; t++) {
                      sums[t] = sum(rows, from, count, eta, terms[t], sums[t]);
                    }
                  });
              return sums;
            });
  }

  /** A sum over some rows more. */
  private static double sum(
      Shard rows, int from, int count, double[] eta, RowTerm term, double before) {
    double sum = before;
    for (int i = 0; i < count; i++) {
      int row = from + i;
      sum += term.of(eta[i], rows.y(row), rows.offset(row), rows.weight(row));
    }
    return sum;
  }

  @Override
  public double[] sums(double[] theta, int count, RowTerms terms) {
    return shards()
        .sum(
            client,
            rows -> {
              double[] sums = new double[count];
              double[] own = new double[count + RowTerms.SPARE];
              inParts(
                  rows,
                  theta,
                  (from, some, eta) -> {
                    for (int i = 0; i < some; i++) {
                      int row = from + i;
                      terms.of(eta[i], rows.y(row), rows.offset(row), rows.weight(row), own);
                      for (int t = 0; t < count; t++) {
                        sums[t] += own[t];
                      }
                    }
                  });
              return sums;
            });
  }

  @Override
  public double[] table(double[] theta, int cells, RowCell cell, RowTerm... terms) {
    return shards()
        .sum(
            client,
            rows -> {
              double[] table = new double[cells * terms.length];
              inParts(
                  rows,
                  theta,
                  (from, count, eta) -> {
                    for (int i = 0; i < count; i++) {
                      double y = rows.y(from + i);
                      double offset = rows.offset(from + i);
                      double weight = rows.weight(from + i);
                      int at = cell.of(eta[i], y, offset, weight);
                      for (int t = 0; at >= 0 && t < terms.length; t++) {
                        table[at * terms.length + t] += terms[t].of(eta[i], y, offset, weight);
                      }
                    }
                  });
              return table;
            });
  }

  @Override
  public double[] squares(double[] theta, RowTerm term) {
    int p = shards().features();
    double[] squares =
        shards()
            .sum(
                client,
                rows -> {
                  double[] lower = new double[p * p];
                  double[] x = new double[p];
                  inParts(
                      rows,
                      theta,
                      (from, count, eta) -> {
                        for (int i = 0; i < count; i++) {
                          int row = from + i;
                          rows.row(row, x);
                          double factor =
                              term.of(eta[i], rows.y(row), rows.offset(row), rows.weight(row));
                          SymmetricMatrix.addSquare(lower, p, factor, x);
                        }
                      });
                  return lower;
                });
    for (int j = 0; j < p; j++) {
      for (int k = 0; k < j; k++) {
        squares[k * p + j] = squares[j * p + k];
      }
    }
    return squares;
  }

  /** Receives some rows with their linear predictors. */
  @FunctionalInterface
  private interface PartVisitor {
    void part(int from, int count, double[] eta);
  }

  /** All rows of a block with their linear predictors, as many at a time as stay in a cache. */
  private static void inParts(Shard rows, double[] theta, PartVisitor visitor) {
    double[] eta = new double[Math.min(PART, Kernels.padded(rows.rows()))];
    for (int from = 0; from < rows.rows(); from += PART) {
      int count = Math.min(PART, rows.rows() - from);
      rows.predictors(from, count, theta, eta);
      visitor.part(from, count, eta);
    }
  }
}
