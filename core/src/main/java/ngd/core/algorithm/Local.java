package ngd.core.algorithm;

import java.util.Arrays;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/** The only way to see data: each client's own loss, at points of the algorithm's choosing. */
public interface Local {
  /** Each client's gradient at its own row. */
  Rows gradient(Rows at);

  /** The diagonal of each client's Hessian at its own row; only for losses that have one. */
  default Rows curvature(Rows at) {
    double[][] diagonals = new double[at.rows()][at.width()];
    for (int m = 0; m < diagonals.length; m++) {
      double[] hessian = moments(m).hessian(at.row(m));
      for (int j = 0; j < at.width(); j++) {
        diagonals[m][j] = hessian[j * (at.width() + 1)];
      }
    }
    return at.of(diagonals);
  }

  /** For each link, the gradient of the hearing client's loss at that link's row. */
  Edges gradient(Edges at);

  /**
   * Each client's minimiser of its loss plus {@code rho / 2} times the squared distance to its row
   * of {@code centre}; only for losses with a Hessian.
   */
  default Rows prox(Rows centre, double rho) {
    double[] each = new double[centre.rows()];
    Arrays.fill(each, rho);
    return prox(centre, each);
  }

  /** The same with {@code rho[m]} for row m. */
  default Rows prox(Rows centre, double[] rho) {
    double[][] minimisers = new double[centre.rows()][];
    for (int m = 0; m < minimisers.length; m++) {
      double[] own = centre.row(m);
      minimisers[m] = ProximalStep.solve(moments(m), own, rho[m], own);
    }
    return centre.of(minimisers);
  }

  /**
   * A step towards the same that need not go all the way, for methods that take one a round: it
   * lowers what {@code prox} minimises, and stands still at its minimiser alone. What is returned
   * depends on the arguments and on nothing that was asked before.
   */
  default Proximal prox(Rows centre, double[] rho, Proximal from) {
    Rows solved = prox(centre, rho);
    return new Proximal(solved, solved);
  }

  /**
   * What each client may share of its data: one entry for each row; only for generalised linear
   * models.
   */
  Moments moments(int row);

  /**
   * The same losses on mini-batches. In an epoch every client goes once through its own rows in an
   * order of its own, {@code size} at a time, the last batch shorter; the round decides the batch.
   */
  Local batch(int size, int round);

  /**
   * The same data in other coordinates: with features R⁻ᵀx, so that a model θ there is R⁻¹θ here;
   * only for generalised linear models.
   *
   * @param upper the upper triangular R, row by row
   */
  Local in(double[] upper);
}
