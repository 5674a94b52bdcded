package ngd.core.theory;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.network.Network;

/**
 * What sites say to each other in rounds of a linear model's gradient descent, as far as it is
 * public: θ_m ← u_m − α_t c_m (A_m x_m − b_m) with u = Wθ, from a start that all know. Site m's
 * moments A_m (symmetric, p × p) and b_m are what is private.
 *
 * @param coefficients p
 * @param atOwnPoint whether gradients are taken at a site's own point, x = θ; else at the average,
 *     x = u
 * @param scales c_m
 * @param steps the step sizes of the rounds
 * @param rounds how many rounds there are
 * @param shares how much each site's α c_m A_m and α c_m b_m count in totals that all know; empty
 *     where no totals are known
 * @param intercept whether the first entry of each A_m, the mean of 1², is known
 * @param everything whether this is all that is said; where more is, nothing is safe by what is
 *     said here
 * @param precision the relative error of a number on the wire
 */
public record Conversation(
    Network network,
    int coefficients,
    boolean atOwnPoint,
    List<Double> scales,
    Steps steps,
    int rounds,
    List<Double> shares,
    boolean intercept,
    boolean everything,
    double precision) {
  /** A double's relative rounding error. */
  public static final double FLOAT64 = 0x1p-53;

  /** A float's relative rounding error. */
  public static final double FLOAT32 = 0x1p-24;

  /** The step size of each round, which is public. */
  public interface Steps {
    /** The step size of a round, from 0. */
    double at(int round);

    /** Whether it is the same in all rounds. */
    default boolean constant() {
      return false;
    }

    /** One step size for all rounds. */
    static Steps constant(double alpha) {
      return new Steps() {
        @Override
        public double at(int round) {
          return alpha;
        }

        @Override
        public boolean constant() {
          return true;
        }
      };
    }

    /** Chosen by the method: at first 1 over the largest curvature, which all learn. */
    static Steps chosen() {
      return constant(Double.POSITIVE_INFINITY);
    }
  }

  public Conversation {
    scales = List.copyOf(scales);
    shares = List.copyOf(shares);
    if (coefficients < 1 || rounds < 0) {
      throw new InvalidInput(
          "exposure: needs at least 1 coefficient and no fewer than 0 rounds; got %d and %d"
              .formatted(coefficients, rounds));
    }
    if (scales.size() != network.clients()
        || (!shares.isEmpty() && shares.size() != network.clients())) {
      throw new IllegalArgumentException("scales and shares: one for each site");
    }
  }

  int sites() {
    return network.clients();
  }

  /** The numbers in A_m and b_m. */
  int each() {
    return coefficients * (coefficients + 3) / 2;
  }

  /** The place of A_m's entry (i, j) among all sites' numbers. */
  int at(int site, int i, int j) {
    int high = Math.max(i, j);
    return site * each() + high * (high + 1) / 2 + Math.min(i, j);
  }

  /** The place of entry i of b_m. */
  int at(int site, int i) {
    return site * each() + coefficients * (coefficients + 1) / 2 + i;
  }

  /**
   * The rounds after which more tell nothing new. With one step size all models are a linear
   * recurrence of order at most N = M p + 1, whose first 2N terms give, as rational functions, the
   * recurrence and so all later terms.
   */
  int tellingRounds() {
    return 2 * (sites() * coefficients + 1);
  }
}
