package ngd.core.algorithm.admm;

import ngd.core.InvalidInput;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/** What methods over links need of those a client hears. */
final class Neighbours {
  private Neighbours() {}

  /** How many clients each hears, itself not among them. */
  static double[] counts(Edges heard, int rows) {
    double[] counts = new double[rows];
    for (int m = 0; m < rows; m++) {
      counts[m] = (double) heard.first(m + 1) - heard.first(m);
    }
    return counts;
  }

  /** For each client, Σ (x_m − x_k) over those it hears. */
  static Rows apart(Edges heard, Rows x) {
    return heard.fromMean(x).timesEach(counts(heard, x.rows()));
  }

  static void requirePositive(String algorithm, String parameter, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new InvalidInput(
          "%s: %s must be positive; got %s".formatted(algorithm, parameter, value));
    }
  }

  static void requireRelaxation(String algorithm, double relaxation) {
    if (!(relaxation > 0 && relaxation < 1)) {
      throw new InvalidInput(
          "%s: RELAXATION must lie strictly between 0 and 1; got %s"
              .formatted(algorithm, relaxation));
    }
  }
}
