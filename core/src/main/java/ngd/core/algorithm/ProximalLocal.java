package ngd.core.algorithm;

import java.util.Arrays;
import ngd.core.rows.Rows;

/** Data under a loss whose proximal steps are known; see {@link Need#PROXIMAL_STEPS}. */
public interface ProximalLocal extends LinkLocal {
  /**
   * Each client's minimiser of its loss plus {@code rho / 2} times the squared distance to its row
   * of {@code centre}.
   */
  default Rows prox(Rows centre, double rho) {
    double[] each = new double[centre.rows()];
    Arrays.fill(each, rho);
    return prox(centre, each);
  }

  /** The same with {@code rho[m]} for row m. */
  Rows prox(Rows centre, double[] rho);

  /** The same, found the sooner the nearer each row of {@code from} is to it. */
  default Rows prox(Rows centre, double[] rho, Rows from) {
    return prox(centre, rho);
  }

  /**
   * The minimiser itself, for algorithms that want one a round: found the sooner the nearer the
   * points of {@code from} are to it, and the points near which the next are to be looked for. What
   * is returned depends on the arguments and on nothing that was asked before.
   */
  default Proximal minimiser(Rows centre, double[] rho, Proximal from) {
    Rows solved = prox(centre, rho, from.at());
    return new Proximal(solved, solved);
  }

  /**
   * A step towards the same that need not go all the way, for algorithms that take one a round: it
   * lowers what {@code prox} minimises, and stands still at its minimiser alone. What is returned
   * depends on the arguments and on nothing that was asked before.
   */
  default Proximal prox(Rows centre, double[] rho, Proximal from) {
    Rows solved = prox(centre, rho);
    return new Proximal(solved, solved);
  }

  /** These data, of which a {@link Need} said before the run that they have proximal steps. */
  static ProximalLocal in(Local local) {
    return Need.PROXIMAL_STEPS.in(local, ProximalLocal.class);
  }
}
