package ngd.peer;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Totals;
import ngd.core.rows.Host;
import ngd.core.world.World;

/** A peer's place in the federation, for the program that it runs. */
public interface PeerContext {
  /** This client's number. */
  int self();

  /**
   * Binds what follows to this client's data; comes before the first sum. All clients' commitments
   * are exchanged, and masks derive from them: other data, other masks.
   *
   * @param commitment 32 bytes that say nothing of the data to others, and differ where the data do
   * @throws ngd.core.InvalidInput if this run began with other data, here or elsewhere
   */
  byte[] commit(byte[] commitment);

  /**
   * Compares all sums so far with those of the other clients; comes before an answer is called one.
   * Where neighbours that are gone are not waited for, nothing is compared: then every sum is of
   * terms that all clients signed, but a client that signed two is found only where they meet.
   *
   * @throws ngd.core.WorkFailed if some client's sums are others
   */
  void requireAgreement();

  /** Where blocks of rows live; make {@link Local}s with it. */
  Host host();

  /** Sums and maxima over all clients; all else belongs in rounds. */
  Totals totals();

  /** The world of this one client with its data; every call of {@code advance} is a stage. */
  World world(Local local);

  /**
   * Runs an asynchronous algorithm until this client has made this many updates.
   *
   * @param start this client's parameters at the beginning
   * @return the last state; its rows are overwritten by the next stage
   */
  <S extends Algorithm.State> S advance(
      Algorithm.Events<S> algorithm, Local local, double[] start, int updates);
}
