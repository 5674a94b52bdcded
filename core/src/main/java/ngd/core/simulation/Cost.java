package ngd.core.simulation;

/**
 * What a run has cost so far.
 *
 * @param traffic what the clients have sent each other
 * @param gradients the gradients that they have evaluated, by the row: one of all data counts N
 * @param seconds the simulated time: in rounds, a client of ordinary speed takes a second for a
 *     gradient of its rows, and everybody waits for the slowest client and the last message; in
 *     events, it takes a second between two updates
 */
public record Cost(Traffic traffic, long gradients, double seconds) {
  /** Nothing yet. */
  public static final Cost NONE = new Cost(Traffic.NONE, 0, 0);
}
