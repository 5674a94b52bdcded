package ngd.core.model;

import ngd.core.data.Shard;
import ngd.core.linalg.Kernels;

/** The sums of {@link RowwiseLoss} of a loss of linear predictors. */
final class PredictorSums {
  private PredictorSums() {}

  static double[] of(CurvedPredictorLoss loss, Shard shard, double[] theta, boolean curved) {
    PredictorLoss.requireWidth(shard, theta);
    int p = theta.length;
    RowTile tile = new RowTile(shard);
    double[] slopes = new double[p * Kernels.LANES];
    double[] squares = new double[curved ? p * (p + 1) / 2 * Kernels.LANES : 0];
    double[] sums = new double[2 + (slopes.length + squares.length) / Kernels.LANES];
    for (int from = 0; from < shard.rows(); from += Kernels.TILE) {
      tile.take(from);
      tile.predict(theta, tile.eta);
      tile.shift(from, tile.eta);
      derivatives(loss, tile, curved, sums);
      tile.project(tile.slopes, slopes);
      if (curved) {
        tile.square(tile.bends, squares);
      }
    }
    RowTile.fold(slopes, sums, 2);
    RowTile.fold(squares, sums, 2 + p);
    return sums;
  }

  /**
   * Writes slopes and bends of the rows' losses times their weights, and adds the first two sums.
   */
  private static void derivatives(
      CurvedPredictorLoss loss, RowTile tile, boolean curved, double[] sums) {
    switch (loss) {
      case Quasi quasi -> derivatives(quasi.of(), tile, curved, sums);
      case Logistic _ -> logistic(tile, curved, sums);
      case Poisson _ -> poisson(tile, curved, sums);
      case Glm glm when curved -> curved(glm, tile, sums);
      default -> any(loss, tile, curved, sums);
    }
  }

  private static void any(CurvedPredictorLoss loss, RowTile tile, boolean curved, double[] sums) {
    for (int i = 0; i < tile.count; i++) {
      double weight = tile.weights[i];
      double eta = tile.eta[i];
      double y = tile.y[i];
      sums[0] += weight == 0 ? 0 : weight * loss.rowLoss(eta, y);
      tile.slopes[i] = weight == 0 ? 0 : weight * loss.score(eta, y);
      tile.bends[i] = weight == 0 || !curved ? 0 : weight * loss.curvature(eta, y);
    }
  }

  private static void curved(Glm glm, RowTile tile, double[] sums) {
    double[] all = new double[Glm.ALL];
    for (int i = 0; i < tile.count; i++) {
      double weight = tile.weights[i];
      if (weight == 0) {
        tile.slopes[i] = 0;
        tile.bends[i] = 0;
        continue;
      }
      glm.all(tile.eta[i], tile.y[i], all);
      sums[0] += weight * all[0];
      sums[1] += weight * glm.pearson(all[3], tile.y[i]);
      tile.slopes[i] = weight * all[1];
      tile.bends[i] = weight * all[2];
    }
  }

  /** {@link Logistic} with one exponential and one division a row. */
  private static void logistic(RowTile tile, boolean curved, double[] sums) {
    double[] excess = tile.excess;
    for (int i = 0; i < tile.count; i++) {
      excess[i] = -Math.abs(tile.eta[i]);
    }
    tile.kernels.exp(excess, tile.count, excess);
    double loss = 0;
    double pearson = 0;
    for (int i = 0; i < tile.count; i++) {
      double weight = tile.weights[i];
      double eta = tile.eta[i];
      double share = 1 / (1 + excess[i]);
      double rest = excess[i] * share;
      double slope = (eta >= 0 ? share : rest) - tile.y[i];
      double bend = share * rest;
      tile.slopes[i] = weight * slope;
      tile.bends[i] = weight * bend;
      loss += weight == 0 ? 0 : weight * (Math.max(eta, 0) - tile.y[i] * eta);
      pearson += !curved || weight == 0 ? 0 : weight * slope * slope / bend;
    }
    sums[0] += loss + tile.logs();
    sums[1] += pearson;
  }

  /** {@link Poisson} with one exponential a row. */
  private static void poisson(RowTile tile, boolean curved, double[] sums) {
    double[] mean = tile.excess;
    for (int i = 0; i < tile.count; i++) {
      mean[i] = Math.min(tile.eta[i], Poisson.CAP);
    }
    tile.kernels.exp(mean, tile.count, mean);
    double loss = 0;
    double pearson = 0;
    for (int i = 0; i < tile.count; i++) {
      double weight = tile.weights[i];
      double eta = tile.eta[i];
      double slope = mean[i] - tile.y[i];
      tile.slopes[i] = weight * slope;
      tile.bends[i] = weight * mean[i];
      loss +=
          weight == 0
              ? 0
              : weight * (mean[i] * (1 + Math.max(eta - Poisson.CAP, 0)) - tile.y[i] * eta);
      pearson += !curved || weight == 0 ? 0 : weight * slope * slope / mean[i];
    }
    sums[0] += loss;
    sums[1] += pearson;
  }
}
