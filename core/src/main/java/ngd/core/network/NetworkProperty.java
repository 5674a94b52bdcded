package ngd.core.network;

import java.util.Arrays;

/** Something that W is or is not. */
public enum NetworkProperty {
  /** Each link has its reverse, with the same weight. */
  SYMMETRIC,
  /** Each link has its reverse. */
  MUTUAL,
  /** The columns sum to 1 too. */
  DOUBLY_STOCHASTIC;

  private static final double ROUNDING = 1e-12;

  /** How far from 1 the columns of a doubly stochastic W may sum. */
  private static final double COLUMN_SUM_TOLERANCE = 1e-9;

  boolean of(Network network) {
    return switch (this) {
      case SYMMETRIC -> mutual(network, true);
      case MUTUAL -> mutual(network, false);
      case DOUBLY_STOCHASTIC ->
          Arrays.stream(network.columnSums())
              .allMatch(sum -> Math.abs(sum - 1) <= COLUMN_SUM_TOLERANCE);
    };
  }

  /** Whether each link has its reverse, and, where asked, with the same weight. */
  private static boolean mutual(Network network, boolean weights) {
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        double back = network.weight(network.heard()[e], m);
        if (back == 0 || (weights && Math.abs(back - network.weights()[e]) > ROUNDING)) {
          return false;
        }
      }
    }
    return true;
  }
}
