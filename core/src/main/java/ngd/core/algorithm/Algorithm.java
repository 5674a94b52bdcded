package ngd.core.algorithm;

import java.util.List;
import ngd.core.linalg.Rows;
import ngd.core.random.Draws;

/**
 * A decentralized method, written once for every world: a function of its state, of what it can
 * hear and of its own data.
 */
public sealed interface Algorithm<S extends Algorithm.State> permits Algorithm.Rounds {

  /** The word for it on the command line. */
  String name();

  /** What an algorithm carries from round to round. */
  interface State {
    /** The rounds done. */
    int round();

    /** The estimate, a row for each client. */
    Rows theta();

    /** Every block of this state: all else is recycled, and a checkpoint holds these. */
    default List<Rows> rows() {
      return List.of(theta());
    }
  }

  /** A synchronous method: all clients finish a round before the next begins. */
  non-sealed interface Rounds<S extends State> extends Algorithm<S> {
    S start(Rows theta);

    S step(S state, Exchange exchange, Local local, Draws draws);
  }
}
