package ngd.peer;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.rows.Host;
import ngd.core.world.World;

/**
 * What a peer does from beginning to end: sums over all clients, stages of rounds, more sums.
 *
 * <p>It must be deterministic. After a crash it is run again from the beginning, but what was done
 * before is not done again: sums and finished stages come from the disk, and the stage that was
 * under way goes on from its last snapshot.
 */
@FunctionalInterface
public interface Program<R> {
  R run(Seat seat);

  /** A peer's place in the federation, for the program that it runs. */
  interface Seat {
    /** This client's number. */
    int self();

    /** Where blocks of rows live; make {@link Local}s with it. */
    Host host();

    /** Sums and maxima over all clients; all else belongs into rounds. */
    Exchange exchange();

    /** The world of this one client with its data; every call of {@code advance} is a stage. */
    World world(Local local);

    /**
     * Runs an asynchronous algorithm until this client has made so many updates.
     *
     * @param start this client's parameters at the beginning
     * @return the last state; its rows are overwritten by the next stage
     */
    <S extends Algorithm.State> S advance(
        Algorithm.Events<S> algorithm, Local local, double[] start, int updates);
  }
}
