package ngd.core.model;

import ngd.core.data.Shard;

/** A loss with a second derivative: what the theory and Newton's method need. */
public interface CurvedLoss extends Loss {

  /**
   * Writes the symmetric p × p Hessian of {@link #value} at theta into {@code hessian}, row by row.
   */
  void hessian(Shard shard, double[] theta, double[] hessian);
}
