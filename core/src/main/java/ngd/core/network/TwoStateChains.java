package ngd.core.network;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntFunction;
import ngd.core.InvalidInput;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * Independent Markov chains that are up or down, in equilibrium from the first round on, as a
 * function of the round alone.
 *
 * <p>Each round has a uniform number for each chain. A chain that is up goes down where it is below
 * {@code leave}, one that is down stays so where it is below {@code 1 − back}: so a number below
 * both, or above both, decides the state whatever it was before. Looking back to the last such
 * round and going forward from there gives the state exactly (coupling from the past: Propp and
 * Wilson 1996), and no state has to be carried from round to round.
 */
final class TwoStateChains {
  private final int count;
  private final double leave;
  private final double back;
  private final IntFunction<UniformRandomProvider> rounds;

  /** The states of one round, from which the next follow; any thread may put another here. */
  private volatile @Nullable States known;

  private static final class States {
    final int round;
    final boolean[] up;

    States(int round, boolean[] up) {
      this.round = round;
      this.up = up;
    }
  }

  /**
   * This many chains.
   *
   * @param rounds a generator for each round, those before the first included
   */
  TwoStateChains(int count, double leave, double back, IntFunction<UniformRandomProvider> rounds) {
    this.count = count;
    this.leave = leave;
    this.back = back;
    this.rounds = rounds;
  }

  static void require(String form, double leave, double back) {
    if (!(leave > 0 && leave < 1 && back > 0 && back <= 1)) {
      throw new InvalidInput(
          "%s: P must lie in (0, 1) and Q in (0, 1], probabilities; got %s and %s"
              .formatted(form, leave, back));
    }
  }

  /** How often a chain is up. */
  static double share(double leave, double back) {
    return back / (leave + back);
  }

  /** Which chains are up in a round. Nobody writes to the array. */
  boolean[] at(int round) {
    States last = known;
    if (last != null && last.round == round) {
      return last.up;
    }
    boolean[] up =
        last != null && last.round == round - 1 ? next(last.up, draws(round)) : found(round);
    known = new States(round, up);
    return up;
  }

  private double[] draws(int round) {
    UniformRandomProvider random = rounds.apply(round);
    double[] draws = new double[count];
    Arrays.setAll(draws, _ -> random.nextDouble());
    return draws;
  }

  private boolean[] next(boolean[] before, double[] draws) {
    boolean[] up = new boolean[count];
    for (int i = 0; i < count; i++) {
      up[i] = draws[i] >= (before[i] ? leave : 1 - back);
    }
    return up;
  }

  private boolean[] found(int round) {
    Deque<double[]> later = new ArrayDeque<>();
    boolean[] decided = new boolean[count];
    int left = count;
    for (int t = round; left > 0; t--) {
      double[] draws = draws(t);
      later.push(draws);
      for (int i = 0; i < count; i++) {
        if (!decided[i] && (draws[i] < leave) == (draws[i] < 1 - back)) {
          decided[i] = true;
          left--;
        }
      }
    }
    boolean[] up = new boolean[count];
    for (double[] draws : later) {
      up = next(up, draws);
    }
    return up;
  }
}
