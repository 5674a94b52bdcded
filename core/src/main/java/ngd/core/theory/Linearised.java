package ngd.core.theory;

import java.util.Arrays;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Glm;

/**
 * A problem with its local curvatures: Σ̂xx^(m) for the linear model, the Hessians at the global
 * estimate for others.
 */
final class Linearised {
  /** Eigenvalues of a Hessian below this share of the largest, times p, count as 0. */
  private static final double ROUNDING = 1e-14;

  private final Problem problem;
  private final Curvature curvature;
  private final Curvature.Range range;

  /** Several parts of a check ask for it; −1 until the first does. */
  private int rankOfAll = -1;

  private Linearised(Problem problem, Curvature curvature) {
    this.problem = problem;
    this.curvature = curvature;
    range = curvature.eigenvalues();
  }

  static Linearised of(Problem problem) throws NotComputed {
    if (!(problem.loss() instanceof CurvedLoss curved)) {
      throw new NotComputed(
          "the loss `%s` has no Hessian, and the theory needs one"
              .formatted(problem.loss().name()));
    }
    double[] at = problem.linear() ? new double[problem.parameters()] : problem.globalEstimate();
    return new Linearised(problem, Curvature.at(curved, problem.data(), at, problem.scales()));
  }

  Problem problem() {
    return problem;
  }

  Curvature curvature() {
    return curvature;
  }

  /** The extreme eigenvalues over all clients. */
  Curvature.Range range() {
    return range;
  }

  double safeAlpha() {
    return range.safeAlpha();
  }

  ContractionOperator operator() {
    return ContractionOperator.of(problem.network(), curvature, problem.alpha());
  }

  /** Whether every local curvature is positive semidefinite up to rounding. */
  boolean convex() {
    return problem.loss() instanceof Glm || range.smallest() >= -rounding(range.largest());
  }

  /**
   * The rank of the pooled curvature of some clients: for a generalised linear model that of their
   * stacked rows of positive weight, so that nothing is squared on the way; for another loss that
   * of the sum of their Hessians.
   */
  int rank(int[] members) {
    if (members.length < problem.data().clients()) {
      return rankOf(members);
    }
    if (rankOfAll < 0) {
      rankOfAll = rankOf(members);
    }
    return rankOfAll;
  }

  private int rankOf(int[] members) {
    int p = problem.parameters();
    if (problem.loss() instanceof Glm) {
      return problem.data().rank(members);
    }
    double[] eigenvalues = SymmetricMatrix.eigenvalues(curvature.mean(members), p);
    double floor = rounding(eigenvalues[p - 1]);
    return (int) Arrays.stream(eigenvalues).filter(value -> value > floor).count();
  }

  private double rounding(double largest) {
    return ROUNDING * problem.parameters() * Math.max(largest, 0);
  }
}
