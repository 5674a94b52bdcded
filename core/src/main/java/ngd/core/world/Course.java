package ngd.core.world;

import java.util.ArrayList;
import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Place;
import ngd.core.rows.Rows;

/**
 * The one driver of rounds, for simulated clients, the pooled fit, real peers and devices alike: it
 * steps, draws, takes back the blocks that a round leaves behind, looks for divergence and calls
 * the hook.
 *
 * @param place where the blocks live
 * @param firstClient the number of the client whose row is the first here
 * @param looks whether to look at the estimates here; where not, whoever asked for the rounds looks
 *     by totals, so that clients in processes of their own decide alike
 */
public record Course(
    Exchange exchange, Local local, Place place, Streams streams, int firstClient, boolean looks) {
  /** Rounds between two looks for divergence: often enough to stop soon, too rarely to cost. */
  private static final int LOOK_EVERY = 16;

  public Course(Exchange exchange, Local local, Place place, Streams streams, int firstClient) {
    this(exchange, local, place, streams, firstClient, true);
  }

  /** The same clients with other data. */
  public Course with(Local data) {
    return new Course(exchange, data, place, streams, firstClient, looks);
  }

  /** The same clients over other links. */
  public Course with(Exchange other) {
    return new Course(other, local, place, streams, firstClient, looks);
  }

  /** The same, whose estimates may leave all bounds unseen. */
  public Course unseen() {
    return new Course(exchange, local, place, streams, firstClient, false);
  }

  /**
   * Runs this many more rounds; of blocks, only those of the state that is returned stay valid.
   *
   * @throws Diverged once an estimate leaves every bound, or a sum over all clients does
   */
  public <S extends Algorithm.State> S advance(
      Algorithm.Rounds<S> algorithm, S from, int rounds, Hook<? super S> hook) {
    S state = from;
    int end = Math.addExact(from.round(), rounds);
    while (state.round() < end) {
      hook.before(state.round());
      state = step(algorithm, state);
      place.recycle(state.rows());
      if (state.round() % LOOK_EVERY == 0 || hook.shows(state.round())) {
        requireFinite(state);
      }
      hook.after(state);
    }
    requireFinite(state);
    return state;
  }

  private <S extends Algorithm.State> S step(Algorithm.Rounds<S> algorithm, S state) {
    try {
      exchange.enter(state.round());
      S next =
          algorithm.step(state, exchange, local, new Draws(streams, state.round(), firstClient));
      int[] resting = exchange.resting();
      if (resting.length > 0) {
        keep(resting, state.rows(), next.rows());
      }
      return next;
    } catch (ArithmeticException lost) {
      // Sums and systems of equations notice estimates beyond all bounds before a look does.
      throw new Diverged(state.round() + 1, lost);
    }
  }

  /**
   * Puts back what clients had that sat the round out. An algorithm that only now has made its
   * other blocks keeps them: each client begins them from its own data.
   */
  private void keep(int[] clients, List<Rows> before, List<Rows> after) {
    if (before.size() != after.size()) {
      return;
    }
    // A block of the old state may be another one of the new: all is read before any is written.
    List<double[]> kept = new ArrayList<>();
    for (Rows block : before) {
      for (int row : clients) {
        kept.add(block.row(row));
      }
    }
    int at = 0;
    for (Rows block : after) {
      for (int row : clients) {
        place.write(block, row, kept.get(at++));
      }
    }
  }

  private void requireFinite(Algorithm.State state) {
    int lost = looks ? place.firstLost(state.theta()) : -1;
    if (lost >= 0) {
      throw new Diverged(state.round(), firstClient + lost);
    }
  }
}
