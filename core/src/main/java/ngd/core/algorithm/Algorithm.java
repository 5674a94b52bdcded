package ngd.core.algorithm;

import java.util.List;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * A decentralized method, written once for every world: a function of its state, of what it can
 * hear and of its own data.
 */
public sealed interface Algorithm<S extends Algorithm.State>
    permits Algorithm.Rounds, Algorithm.Events {

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

  /**
   * An asynchronous method: one client, its own clock, and letters that arrive when they do. A
   * state's {@code theta} has one row, and its {@code round} counts the client's own updates.
   */
  non-sealed interface Events<S extends State> extends Algorithm<S> {
    /** Where the client begins; it may introduce itself to others. */
    S start(Rows theta, Mail mail);

    /** The client's clock strikes. */
    S wake(S state, Mail mail, Local local, Draws draws);

    /** A letter arrives. */
    S receive(S state, Letter letter, Mail mail);

    /**
     * How many numbers a letter may hold, for a model of this many parameters; others are refused.
     */
    List<Integer> letterWidths(int parameters);
  }

  /**
   * A message from one client to another.
   *
   * @param from the client that wrote it
   * @param content one row, of any width; valid until the state that is made of it is returned
   */
  record Letter(int from, Rows content) {}

  /** One client's way to others: whom it hears, who hears it, and letters to them. */
  interface Mail {
    /** The clients it hears with positive weight, ascending, itself among them where W says so. */
    List<Integer> hears();

    /** The weight of the i-th client that it hears. */
    double weight(int i);

    /** The clients that hear it and can be reached now, ascending, without itself. */
    List<Integer> listeners();

    /** This client's number. */
    int self();

    /** Sends a row; it may arrive late, out of order, or never. */
    void send(int to, Rows content);
  }
}
