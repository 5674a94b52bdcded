package ngd.core.world;

import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Glm;
import ngd.core.model.Objective;
import ngd.core.rows.HostRows;

/**
 * One step towards a proximal minimiser at the cost of a gradient: to the minimiser of a quadratic
 * that touches the loss at θ and lies above it, θ + (B + ρ I)⁻¹ (ρ (centre − θ) − ∇L(θ)).
 *
 * <p>B is {@link Glm#majorant} at the point where the client last solved a proximal step to the
 * end. It lies above every Hessian within a ball around that point, in which no predictor moves by
 * more than a {@link #reach}; a step that would end outside must not be taken. B and its inverse
 * are made anew where that point has changed, and follow from it alone.
 */
final class MajorisedProx {
  /**
   * How far predictors may move, the furthest first: further, and B grows, so that steps get
   * shorter; less far, and more of them must go all the way.
   */
  private static final double[] REACHES = {Double.POSITIVE_INFINITY, 2, 1, 0.5};

  /** How many times as large as the Hessian and ρ together B and ρ may be for a further reach. */
  private static final double MOST = 2;

  private final Objective objective;
  private final double[] rho;
  private final int p;

  /** The squared radius of each client's ball. */
  private final double[] radii;

  /** (B + ρ I)⁻¹. */
  private final KeptInverses inverses;

  MajorisedProx(Objective objective, Glm glm, double[] rho, Kernels kernels) {
    this.objective = objective;
    this.rho = rho.clone();
    p = objective.parameters();
    radii = new double[objective.clients()];
    inverses = new KeptInverses(objective, rho, kernels, (m, point) -> majorised(glm, m, point));
  }

  boolean isFor(double[] others) {
    return inverses.isFor(others);
  }

  /** Makes the matrices of the clients [from, to) hold for these points. */
  void prepare(HostRows solved, int from, int to) {
    inverses.prepare(solved, from, to);
  }

  private double[] majorised(Glm glm, int m, double[] point) {
    double reach = reach(glm, objective.shards(), m, point, rho[m]);
    radii[m] = radius(m, reach);
    return majorant(glm, objective.shards(), m, point, reach);
  }

  /**
   * The furthest reach at which B is still near enough to the Hessian, by their traces: any at all
   * where ρ outweighs a curvature that has a bound, as often in logistic models.
   */
  static double reach(Glm glm, Shards shards, int client, double[] point, double rho) {
    int p = point.length;
    double most = MOST * (trace(glm, shards, client, point, 0) + rho * p);
    for (double reach : REACHES) {
      if (trace(glm, shards, client, point, reach) + rho * p <= most) {
        return reach;
      }
    }
    return REACHES[REACHES.length - 1];
  }

  private static double[] majorant(
      Glm glm, Shards shards, int client, double[] point, double reach) {
    return shards.mean(
        client,
        rows -> {
          double[] majorant = new double[point.length * point.length];
          glm.majorant(rows, point, reach, majorant);
          return majorant;
        });
  }

  private static double trace(Glm glm, Shards shards, int client, double[] point, double reach) {
    int p = point.length;
    double[] majorant = majorant(glm, shards, client, point, reach);
    double trace = 0;
    for (int j = 0; j < p; j++) {
      trace += majorant[j * (p + 1)];
    }
    return trace;
  }

  /** (reach / max ‖x‖)²: within that no predictor moves further than the reach. */
  private double radius(int client, double reach) {
    double longest = objective.shards().folded(client, this::longest, Math::max);
    return longest == 0 ? Double.POSITIVE_INFINITY : reach * reach / longest;
  }

  private double longest(Shard rows) {
    double longest = 0;
    for (int i = 0; i < rows.rows(); i++) {
      double squares = 0;
      for (int j = 0; j < p; j++) {
        squares = Math.fma(rows.x(i, j), rows.x(i, j), squares);
      }
      longest = Math.max(longest, squares);
    }
    return longest;
  }

  /**
   * Each client's step, for the rows [from, to).
   *
   * @param against −θ
   * @param slope ρ (centre − θ) − ∇L(θ)
   */
  void step(HostRows against, HostRows slope, HostRows out, int from, int to) {
    inverses.times(slope, against, out, from, to);
  }

  /** Whether a client's row lies in its ball; a row of anything but numbers does not. */
  boolean holds(HostRows at, int m) {
    return inverses.isDefinite(m) && inverses.distance(at, m) <= radii[m];
  }
}
