package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Gathered;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;

/**
 * A loss of linear predictors on all shards: predictors of some rows at once, their scores, and the
 * sum of the rows times these, eight rows side by side as they lie in memory.
 */
final class PredictorObjective implements Objective {
  /** Rows whose predictors are found at once. */
  private static final int PART = 512;

  private final PredictorLoss loss;
  private final Shards shards;
  private final ThreadLocal<Scratch> scratch;

  /** What a thread writes to on the way. */
  private static final class Scratch {
    final double[] eta = new double[PART];
    final double[] theta;
    final double[] lanes;
    final Gathered batch = new Gathered();

    Scratch(int p) {
      theta = new double[p];
      lanes = new double[p * Kernels.LANES];
    }
  }

  PredictorObjective(PredictorLoss loss, Shards shards) {
    this.loss = loss;
    this.shards = shards;
    scratch = ThreadLocal.withInitial(() -> new Scratch(shards.features()));
  }

  @Override
  public Loss loss() {
    return loss;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public void gradients(double[] at, double[] gradient, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      gradient(m, at, m * stride, gradient, m * stride);
    }
  }

  @Override
  public void gradient(int client, double[] at, int atOffset, double[] out, int outOffset) {
    double scale = loss.factor() / shards.rows(client);
    if (shards.isOneBlock(client)) {
      write(sums(shards.shard(client), at, atOffset), scale, out, outOffset);
      return;
    }
    // Blocks may be summed by several threads.
    write(shards.sum(client, block -> sums(block, at, atOffset).clone()), scale, out, outOffset);
  }

  @Override
  public void batchGradient(
      int client,
      int[] rows,
      int from,
      int to,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset) {
    Shard batch = scratch.get().batch.of(shards, client, rows, from, to);
    write(sums(batch, at, atOffset), loss.factor() / (to - from), out, outOffset);
  }

  @Override
  public void gradient(
      Shard rows, double[] factors, double[] at, int atOffset, double[] out, int outOffset) {
    write(sums(rows.weighted(factors), at, atOffset), loss.factor() / rows.rows(), out, outOffset);
  }

  /** Each row times its weight and score, in partial sums that are this thread's own. */
  private double[] sums(Shard shard, double[] at, int atOffset) {
    Scratch own = scratch.get();
    double[] eta = own.eta;
    System.arraycopy(at, atOffset, own.theta, 0, own.theta.length);
    Arrays.fill(own.lanes, 0);
    for (int from = 0; from < shard.rows(); from += PART) {
      int count = Math.min(PART, shard.rows() - from);
      shard.predictors(from, count, own.theta, eta);
      for (int i = 0; i < count; i++) {
        eta[i] = shard.weight(from + i) * loss.score(eta[i], shard.y(from + i));
      }
      Arrays.fill(eta, count, Kernels.padded(count), 0);
      shard.addScaled(from, count, eta, own.lanes);
    }
    return own.lanes;
  }

  private static void write(double[] lanes, double scale, double[] out, int outOffset) {
    for (int j = 0; j < lanes.length / Kernels.LANES; j++) {
      double sum = 0;
      for (int lane = 0; lane < Kernels.LANES; lane++) {
        sum += lanes[j * Kernels.LANES + lane];
      }
      out[outOffset + j] = scale * sum;
    }
  }
}
