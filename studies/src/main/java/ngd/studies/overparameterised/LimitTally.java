package ngd.studies.overparameterised;

import java.util.Arrays;
import ngd.core.simulation.Quartiles;

/**
 * How often each of three ways said, for one network, that there is one limit from every start.
 *
 * @param certified by the certificate
 * @param below by a spectral radius below 1
 * @param met by iteration: all starts met
 * @param apart by iteration: they did not; what is neither is undecided
 * @param agreeing in how many of the decided replicates all three say the same
 */
record LimitTally(
    String network,
    int certified,
    int below,
    int met,
    int apart,
    int agreeing,
    int replicates,
    double medianRadius,
    double largestRadius) {
  /** A radius closer to 1 than this is taken for 1. */
  private static final double ONE = 1e-9;

  /** Starts whose distance shrank below the one have met; above the other they have not. */
  private static final double MET = 1e-6;

  private static final double APART = 1e-3;

  /**
   * Counts.
   *
   * @param certificate 1 for one limit, in each replicate
   * @param radius the spectral radius
   * @param spread how far runs from random starts ended apart, as a share of how far they began
   */
  static LimitTally of(String network, double[] certificate, double[] radius, double[] spread) {
    int certified = 0;
    int below = 0;
    int met = 0;
    int apart = 0;
    int agreeing = 0;
    for (int r = 0; r < radius.length; r++) {
      boolean one = certificate[r] == 1;
      boolean contracts = radius[r] < 1 - ONE;
      boolean together = spread[r] < MET;
      boolean decided = together || spread[r] > APART;
      certified += one ? 1 : 0;
      below += contracts ? 1 : 0;
      met += together ? 1 : 0;
      apart += decided && !together ? 1 : 0;
      agreeing += decided && one == contracts && one == together ? 1 : 0;
    }
    return new LimitTally(
        network,
        certified,
        below,
        met,
        apart,
        agreeing,
        radius.length,
        Quartiles.of(radius).median(),
        Arrays.stream(radius).max().orElse(Double.NaN));
  }

  /** The replicates in which iteration decided. */
  int decided() {
    return met + apart;
  }
}
