package ngd.core.algorithm;

import ngd.core.rows.Rows;

/**
 * Data under a loss with a Hessian, such as a generalised linear model; see {@link Need#HESSIAN}.
 */
public interface CurvedLocal extends ProximalLocal {
  /** The diagonal of each client's Hessian at its own row. */
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

  @Override
  default Rows prox(Rows centre, double[] rho) {
    double[][] minimisers = new double[centre.rows()][];
    for (int m = 0; m < minimisers.length; m++) {
      double[] own = centre.row(m);
      minimisers[m] = ProximalStep.solve(moments(m), own, rho[m], own);
    }
    return centre.of(minimisers);
  }

  /** What one client may share of its data: the client of row {@code row} of a block. */
  Moments moments(int row);

  /**
   * The same data in other coordinates: with features R⁻ᵀx, so that a model θ there is R⁻¹θ here.
   *
   * @param upper the upper triangular R, row by row
   */
  default CurvedLocal in(double[] upper) {
    return in(upper, new double[0]);
  }

  /**
   * The same with a point taken from all features first, as losses without an intercept of their
   * own allow that do not see it: with features R⁻ᵀ(x − centre).
   *
   * @param centre as many numbers as there are features, or none
   */
  CurvedLocal in(double[] upper, double[] centre);

  /** These data, of which a {@link Need} said before the run that they have a Hessian. */
  static CurvedLocal in(Local local) {
    return Need.HESSIAN.in(local, CurvedLocal.class);
  }
}
