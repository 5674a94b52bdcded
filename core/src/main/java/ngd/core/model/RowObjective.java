package ngd.core.model;

import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.Link;

/** A generalised linear model on all shards, row by row through the kernels. */
final class RowObjective implements Objective {
  private final Glm loss;
  private final Link link;
  private final Shards shards;
  private final Kernels kernels = Kernels.best();

  /** What the kernels write to on the way: one for each thread, as rounds are many. */
  private final ThreadLocal<double[]> scratch =
      ThreadLocal.withInitial(() -> new double[Kernels.scratch(parameters())]);

  RowObjective(Glm loss, Link link, Shards shards) {
    this.loss = loss;
    this.link = link;
    this.shards = shards;
  }

  @Override
  public Glm loss() {
    return loss;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public int parameters() {
    return shards.features();
  }

  @Override
  public long work() {
    // Two multiply-adds a number, and about thirty for an exponential a row.
    return shards.totalRows() * (2L * shards.features() + 30);
  }

  @Override
  public void gradients(double[] at, double[] gradient, int stride, int from, int to) {
    double[] own = scratch.get();
    for (int m = from; m < to; m++) {
      gradient(m, at, m * stride, gradient, m * stride, own);
    }
  }

  @Override
  public void gradient(int client, double[] at, int atOffset, double[] out, int outOffset) {
    gradient(client, at, atOffset, out, outOffset, scratch.get());
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
    Shard batch = shards.shard(client).take(rows, from, to);
    kernels.rowGradient(
        link,
        loss.factor() / batch.rows(),
        batch.xArray(),
        batch.xOffset(),
        batch.yArray(),
        batch.yOffset(),
        batch.rows(),
        shards.features(),
        at,
        atOffset,
        out,
        outOffset,
        scratch.get());
  }

  private void gradient(
      int client, double[] at, int atOffset, double[] out, int outOffset, double[] own) {
    int rows = shards.rows(client);
    kernels.rowGradient(
        link,
        loss.factor() / rows,
        shards.xArray(),
        shards.xOffsets()[client],
        shards.yArray(),
        shards.yOffsets()[client],
        rows,
        shards.features(),
        at,
        atOffset,
        out,
        outOffset,
        own);
  }
}
