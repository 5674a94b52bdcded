package ngd.core.world;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.rows.Rows;

/**
 * A place where algorithms run: what its clients hear, their data, and whoever does the rounds. The
 * simulator holds all clients' rows, a real peer its own.
 */
public interface World {
  Exchange exchange();

  Local local();

  /** How many clients' rows this process holds. */
  int rows();

  /** A block of these rows. */
  Rows block(double[][] rows);

  /** Does so many rounds; of blocks, only those of the last state that was returned stay valid. */
  <S extends Algorithm.State> S advance(Algorithm.Rounds<S> algorithm, S state, int rounds);

  /** The same clients, their data in other coordinates: {@link Local#in}. */
  World in(double[] upper);
}
