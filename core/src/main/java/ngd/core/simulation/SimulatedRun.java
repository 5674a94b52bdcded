package ngd.core.simulation;

import java.util.function.IntPredicate;
import ngd.core.rows.Rows;

/**
 * An algorithm under way over simulated clients: advance it, look at it, advance it again. For one
 * thread at a time.
 */
public sealed interface SimulatedRun extends AutoCloseable permits Run, EventRun {
  /** The rounds done; the simulated seconds of an asynchronous algorithm. */
  int round();

  /** Does this many more rounds, or lets as many simulated seconds pass. */
  default void advance(int rounds) {
    advance(rounds, _ -> false, () -> {});
  }

  /**
   * The same, with someone looking on.
   *
   * @param wants after which rounds to look
   * @param look is called after each of them, while this run is there to be looked at
   * @throws ngd.core.world.Diverged once an estimate leaves every bound
   */
  void advance(int rounds, IntPredicate wants, Runnable look);

  /** All clients' estimates now; overwritten when the run goes on. */
  Rows theta();

  /** What it has cost so far. */
  Cost cost();

  /** What the clients sent each other so far. */
  default Traffic traffic() {
    return cost().traffic();
  }

  /** Ends its threads. */
  @Override
  void close();
}
