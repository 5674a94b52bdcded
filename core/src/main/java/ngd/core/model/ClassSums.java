package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Shard;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.TileKernels;

/**
 * The sums of {@link RowwiseLoss} of baseline-category logits: all rows of a tile class by class.
 */
final class ClassSums {
  private final RowTile tile;
  private final int p;
  private final int levels;

  /** Coefficients, probabilities of the rows, and the lanes of the score, of each class but one. */
  private final double[][] theta;

  private final double[][] shares;
  private final double[][] slopes;

  /** The lanes of the second derivatives of two classes. */
  private final double[][] squares;

  /** The largest predictor of each row, or 0. */
  private final double[] most = new double[Kernels.TILE];

  private final double[] total = new double[Kernels.TILE];

  private ClassSums(Shard shard, double[] point, int levels, boolean curved) {
    tile = new RowTile(shard);
    p = shard.features();
    this.levels = levels;
    theta = new double[levels][p];
    for (int t = 0; t < point.length; t++) {
      theta[t % levels][t / levels] = point[t];
    }
    shares = new double[levels][Kernels.TILE];
    slopes = new double[levels][p * Kernels.LANES];
    int pairs = curved ? levels * (levels + 1) / 2 : 0;
    squares = new double[pairs][p * (p + 1) / 2 * Kernels.LANES];
  }

  static double[] of(Shard shard, double[] point, int levels, boolean curved) {
    ClassSums of = new ClassSums(shard, point, levels, curved);
    double loss = 0;
    for (int from = 0; from < shard.rows(); from += Kernels.TILE) {
      loss += of.add(from);
    }
    return of.found(loss);
  }

  /** Adds a tile, and returns its loss. */
  private double add(int from) {
    tile.take(from);
    Arrays.fill(most, 0, tile.count, 0);
    double[] own = tile.eta;
    Arrays.fill(own, 0, tile.count, 0);
    for (int k = 0; k < levels; k++) {
      double[] eta = shares[k];
      tile.predict(theta[k], eta);
      for (int i = 0; i < tile.count; i++) {
        most[i] = eta[i] > most[i] ? eta[i] : most[i];
        own[i] = tile.y[i] == k + 1 ? eta[i] : own[i];
      }
    }
    soften();
    double sum = tile.logs();
    for (int i = 0; i < tile.count; i++) {
      sum += tile.weights[i] == 0 ? 0 : tile.weights[i] * (most[i] - own[i]);
    }
    int pair = 0;
    for (int k = 0; k < levels; k++) {
      for (int i = 0; i < tile.count; i++) {
        double less = tile.y[i] == k + 1 ? 1 : 0;
        tile.slopes[i] = tile.weights[i] * (shares[k][i] - less);
      }
      tile.project(tile.slopes, slopes[k]);
      for (int l = 0; l <= k && squares.length > 0; l++) {
        for (int i = 0; i < tile.count; i++) {
          double rest = (k == l ? 1 : 0) - shares[l][i];
          tile.bends[i] = tile.weights[i] * shares[k][i] * rest;
        }
        tile.square(tile.bends, squares[pair++]);
      }
    }
    return sum;
  }

  /** From predictors to probabilities; one of the terms of their sum is 1, the others' excess. */
  private void soften() {
    for (int i = 0; i < tile.count; i++) {
      total[i] = -most[i];
    }
    tile.kernels.exp(total, tile.count, total);
    for (int k = 0; k < levels; k++) {
      double[] share = shares[k];
      for (int i = 0; i < tile.count; i++) {
        share[i] -= most[i];
      }
      tile.kernels.exp(share, tile.count, share);
      for (int i = 0; i < tile.count; i++) {
        total[i] += share[i];
      }
    }
    for (int i = 0; i < tile.count; i++) {
      tile.excess[i] = total[i] - 1;
      total[i] = 1 / total[i];
    }
    for (int k = 0; k < levels; k++) {
      double[] share = shares[k];
      for (int i = 0; i < tile.count; i++) {
        share[i] *= total[i];
      }
    }
  }

  /** In the order of a point: for each column all classes. */
  private double[] found(double loss) {
    int q = p * levels;
    double[] sums = new double[2 + q + (squares.length == 0 ? 0 : q * (q + 1) / 2)];
    sums[0] = loss;
    for (int t = 0; t < q; t++) {
      sums[2 + t] = TileKernels.laneSum(slopes[t % levels], t / levels * Kernels.LANES);
    }
    int at = 2 + q;
    for (int t = 0; t < q && squares.length > 0; t++) {
      for (int u = 0; u <= t; u++) {
        int place = place(t / levels, u / levels);
        sums[at++] =
            TileKernels.laneSum(squares[place(t % levels, u % levels)], place * Kernels.LANES);
      }
    }
    return sums;
  }

  /** Where (i, j) or (j, i) stands in a lower triangle. */
  private static int place(int i, int j) {
    int large = Math.max(i, j);
    return large * (large + 1) / 2 + Math.min(i, j);
  }
}
