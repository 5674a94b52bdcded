package ngd.core.world;

import ngd.core.algorithm.ProximalLocal;
import ngd.core.algorithm.ProximalStep;
import ngd.core.model.Objective;
import ngd.core.model.ProximalLoss;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;

/** Data in this process under a loss without a Hessian whose proximal steps are known. */
final class ProximalShardsLocal extends ShardsLocal implements ProximalLocal {
  private final ProximalLoss loss;

  ProximalShardsLocal(
      ProximalLoss loss, Objective objective, Host host, Streams streams, int firstClient) {
    super(objective, host, streams, firstClient);
    this.loss = loss;
  }

  @Override
  public Rows prox(Rows centre, double[] rho) {
    HostRows in = checked(centre, objective.clients());
    HostRows out = host.block(in.rows(), in.width());
    gradients.whole();
    host.workers()
        .run(
            in.rows(),
            objective.work() * in.width(),
            (from, to) -> {
              for (int m = from; m < to; m++) {
                ProximalStep.requirePositive(rho[m]);
                double[] found = loss.prox(objective.shards(), m, in.row(m), rho[m]);
                System.arraycopy(found, 0, out.values(), m * out.stride(), out.width());
              }
            });
    return out;
  }
}
