package ngd.core.algorithm.admm;

import ngd.core.InvalidInput;
import ngd.core.rows.Edges;

/** What methods over links need of those a client hears. */
final class Neighbours {
  private Neighbours() {}

  /** How many clients each hears, itself not among them. */
  static double[] counts(Edges heard, int rows) {
    return counts(heard, rows, 1);
  }

  /** So many times as many. */
  static double[] counts(Edges heard, int rows, double factor) {
    double[] counts = new double[rows];
    int first = 0;
    for (int m = 0; m < rows; m++) {
      int next = heard.first(m + 1);
      counts[m] = factor * (next - first);
      first = next;
    }
    return counts;
  }

  /** For each client ρ times the number of clients it hears, at least one. */
  static double[] penalties(Edges heard, int rows, double rho) {
    double[] penalties = counts(heard, rows, rho);
    for (int m = 0; m < rows; m++) {
      penalties[m] = Math.max(rho, penalties[m]);
    }
    return penalties;
  }

  /** For each number share / (base + factor · number). */
  static double[] shares(double share, double base, double factor, double[] numbers) {
    double[] shares = new double[numbers.length];
    for (int m = 0; m < shares.length; m++) {
      shares[m] = share / (base + factor * numbers[m]);
    }
    return shares;
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
