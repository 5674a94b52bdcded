package ngd.core.world;

import ngd.core.algorithm.Local;
import ngd.core.algorithm.Moments;
import ngd.core.algorithm.Proximal;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/** A round's mini-batches: gradients over the chosen rows; all else over all rows. */
record BatchLocal(ShardsLocal whole, Batches batches, int round) implements Local {

  @Override
  public Rows gradient(Rows at) {
    return whole.batchGradient(at, batches, round);
  }

  @Override
  public Rows curvature(Rows at) {
    return whole.curvature(at);
  }

  @Override
  public Edges gradient(Edges at) {
    return whole.batchGradient(at, batches, round);
  }

  @Override
  public Rows prox(Rows centre, double[] rho) {
    return whole.prox(centre, rho);
  }

  @Override
  public Proximal prox(Rows centre, double[] rho, Proximal from) {
    return whole.prox(centre, rho, from);
  }

  @Override
  public Moments moments(int row) {
    return whole.moments(row);
  }

  @Override
  public Local batch(int size, int otherRound) {
    return whole.batch(size, otherRound);
  }

  @Override
  public Local in(double[] upper) {
    return whole.in(upper);
  }
}
