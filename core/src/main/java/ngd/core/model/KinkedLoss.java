package ngd.core.model;

import ngd.core.data.Shards;

/**
 * A convex loss of linear predictors of two straight lines that meet at a kink: lower · (η − kink)
 * before it and upper · (η − kink) after it, lower ≤ 0 ≤ upper. It has no Hessian; its proximal
 * step is exact ({@link KinkedProx}).
 */
public sealed interface KinkedLoss extends PredictorLoss, ProximalLoss permits Quantile, Hinge {
  /** Where the lines meet. */
  double kink(double y);

  /** The slope before the kink; at most 0. */
  double lower(double y);

  /** The slope after the kink; at least 0. */
  double upper(double y);

  @Override
  default double rowLoss(double eta, double y) {
    double past = eta - kink(y);
    return Math.max(lower(y) * past, upper(y) * past);
  }

  /** At the kink itself 0, which is a subgradient too. */
  @Override
  default double score(double eta, double y) {
    double past = eta - kink(y);
    return past < 0 ? lower(y) : past > 0 ? upper(y) : 0;
  }

  @Override
  default double[] prox(Shards shards, int client, double[] centre, double rho) {
    return new KinkedProx(this, shards, client).solve(centre, rho);
  }
}
