package ngd.core.algorithm;

import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/**
 * The only way to hear others. Every client makes the same calls in the same order in a round, so
 * calls are numbered and two in one round never collide.
 */
public interface Exchange extends Totals {
  /** No client rests. */
  int[] NOBODY = {};

  /**
   * Says which round begins. Over a network that changes, what follows goes over the links of this
   * round.
   */
  default void enter(int round) {}

  /** The rows here of clients that sit the round out: what a step makes of them is dropped. */
  default int[] resting() {
    return NOBODY;
  }

  /** W x: each client's average of what it hears, by the rule of mixing. */
  Rows mix(Rows x);

  /**
   * The same over messages in fewer bytes: each client's average of its own row and of what it
   * reads in the messages of others.
   *
   * @param own what counts as a client's own: its row as it is, or as others read it
   */
  Rows mix(Rows own, CodedRows said);

  /**
   * Column-stochastic: each client splits its row equally over those who hear it and itself, and
   * receives the sum of the shares sent to it.
   */
  Rows push(Rows x);

  /** For each link, the row of the client that is heard; a client's weight on itself is no link. */
  Edges hear(Rows x);

  /**
   * For each link, what the client that is heard says where all average, lies among it: for those
   * who judge what they hear, whatever the rule of mixing.
   */
  default Edges said(Rows x) {
    throw new UnsupportedOperationException("what each client says cannot be looked at here");
  }

  /** Sends each link's row back to the client that was heard; every link must be mutual. */
  Edges reply(Edges x);

  /** W's weight of each link, as {@link #hear} orders them; what is left of 1 is a client's own. */
  double[] linkWeights();

  /** The exact sum of all clients' rows, as {@link #total(double[][])} gives it. */
  default double[] total(Rows x) {
    double[][] perRow = new double[x.rows()][];
    for (int m = 0; m < perRow.length; m++) {
      perRow[m] = x.row(m);
    }
    return total(perRow);
  }
}
