package ngd.core.world;

import ngd.core.algorithm.LinkLocal;
import ngd.core.algorithm.Local;
import ngd.core.data.Shard;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/** A round's mini-batches: gradients over the chosen rows. */
record BatchLocal(ShardsLocal whole, RowChoice batches, int round) implements LinkLocal {
  @Override
  public int rows(int row) {
    return whole.rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    return whole.batchGradient(at, batches, round);
  }

  @Override
  public Edges gradient(Edges at) {
    return whole.batchGradient(at, batches, round);
  }

  @Override
  public double[] losses(Rows at) {
    return rowLosses(at).means();
  }

  @Override
  public Evaluation evaluate(Rows at) {
    if (whole.objective.rowScores().isEmpty()) {
      return LinkLocal.super.evaluate(at);
    }
    whole.gradients.batch(batches, round);
    ShardLosses both = rowLosses(at);
    return new Evaluation(both.means(), both.gradient());
  }

  @Override
  public ShardLosses rowLosses(Rows at) {
    return whole.losses(at, this::chosen);
  }

  private Shard chosen(int row) {
    return whole
        .objective
        .shards()
        .taken(row, batches.order(row, round), batches.from(row, round), batches.to(row, round));
  }

  @Override
  public LinkLocal batch(int size, int otherRound) {
    return whole.batch(size, otherRound);
  }

  @Override
  public Local part(int[] chosen, int of) {
    return whole.part(chosen, of);
  }
}
