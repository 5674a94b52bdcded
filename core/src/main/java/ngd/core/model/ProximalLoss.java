package ngd.core.model;

import ngd.core.data.Shards;

/** A loss whose proximal step is known, though it may have no Hessian. */
public interface ProximalLoss extends Loss {
  /**
   * The minimiser of a client's loss plus {@code rho / 2} times the squared distance to {@code
   * centre}.
   *
   * @param rho positive
   */
  double[] prox(Shards shards, int client, double[] centre, double rho);
}
