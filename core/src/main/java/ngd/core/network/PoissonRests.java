package ngd.core.network;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * Clients that take part in one round and then sit out a Poisson number of rounds, again and again,
 * as a function of the round alone: a renewal process in equilibrium from the first round on.
 *
 * <p>In equilibrium the rounds still to sit out are r with probability P(X ≥ r) / (1 + E X), X the
 * rounds between two. That is where each client begins; all that follows are its own draws in their
 * order, so that whoever asks for one round alone goes there from the first.
 */
final class PoissonRests {
  private final int count;
  private final IntFunction<UniformRandomProvider> clients;

  /** P(X ≤ r) for each r, up to where it is 1. */
  private final double[] rests;

  /** The same for the rounds still to sit out in equilibrium. */
  private final double[] residual;

  /** Where the clients are in the round that was asked for last. */
  private @Nullable Standing known;

  private static final class Standing {
    final UniformRandomProvider[] random;
    final int[] left;
    int round;
    boolean[] here;

    Standing(UniformRandomProvider[] random, int[] left) {
      this.random = random;
      this.left = left;
      here = takingPart();
    }

    boolean[] takingPart() {
      boolean[] now = new boolean[left.length];
      for (int m = 0; m < now.length; m++) {
        now[m] = left[m] == 0;
      }
      return now;
    }
  }

  /**
   * This many clients.
   *
   * @param clients a new generator for each client
   */
  PoissonRests(int count, double mean, IntFunction<UniformRandomProvider> clients) {
    this.count = count;
    this.clients = clients;
    // Beyond mean + 40 + 20 √mean a Poisson variable is with a probability far below 1e-16.
    int most = (int) Math.ceil(mean + 40 + 20 * Math.sqrt(mean));
    rests = new double[most + 1];
    residual = new double[most + 1];
    double probability = Math.exp(-mean);
    double below = 0;
    double sum = 0;
    for (int r = 0; r <= most; r++) {
      sum += (1 - below) / (1 + mean);
      residual[r] = sum;
      below += probability;
      rests[r] = below;
      probability *= mean / (r + 1);
    }
  }

  /** Which clients take part in a round. Nobody writes to the array. */
  synchronized boolean[] at(int round) {
    Standing now = known == null || known.round > round ? first() : known;
    known = now;
    if (now.round < round) {
      for (; now.round < round; now.round++) {
        for (int m = 0; m < count; m++) {
          now.left[m] = now.left[m] > 0 ? now.left[m] - 1 : draw(rests, now.random[m]);
        }
      }
      now.here = now.takingPart();
    }
    return now.here;
  }

  private Standing first() {
    UniformRandomProvider[] random = new UniformRandomProvider[count];
    Arrays.setAll(random, clients);
    int[] left = new int[count];
    Arrays.setAll(left, m -> draw(residual, random[m]));
    return new Standing(random, left);
  }

  /** The least number whose distribution function reaches a uniform one. */
  private static int draw(double[] distribution, UniformRandomProvider random) {
    int found = Arrays.binarySearch(distribution, random.nextDouble());
    return Math.min(found < 0 ? -found - 1 : found + 1, distribution.length - 1);
  }
}
