package ngd.core.linalg;

import ngd.core.linalg.Arnoldi.LinearMap;

/**
 * The spectral radius of any operator from the norms of its powers, by Gelfand's formula: it is at
 * most {@code ‖A^k‖^{1/k}} for every k, and these approach it.
 *
 * <p>This needs no eigenvalue to stand apart from the others, on which iterations for single ones
 * depend: those of a network whose clients hear others at random fill a disc.
 */
public final class PowerNorms {
  /** Steps of Lanczos for a norm. */
  private static final int STEPS = 16;

  /** How seldom a start hides the norm. */
  private static final double CHANCE = 1e-9;

  private PowerNorms() {}

  /**
   * A spectral radius.
   *
   * @param near what the norms grow by in a step, between half the power and the whole
   * @param atMost what it cannot exceed, but for a chance of 1e−9 of the start
   * @param power the highest power whose norm was taken
   */
  public record Radius(double near, double atMost, int power) {}

  /** From powers up to {@code power}, which must be even; {@code transposed} is by Aᵀ. */
  public static Radius radius(int size, LinearMap times, LinearMap transposed, int power) {
    double pace = pace(size, times, power);
    if (!(pace > 0)) {
      return new Radius(0, 0, power);
    }
    double half = norm(size, times, transposed, power / 2, pace);
    double whole = norm(size, times, transposed, power, pace);
    double atMost = pace * Math.pow(whole / Math.sqrt(1 - shortfall(size)), 1.0 / power);
    double near = pace * Math.pow(whole / half, 2.0 / power);
    return new Radius(Math.min(near, atMost), atMost, power);
  }

  /** What a vector grows by in a step, by which all products are divided so that none vanishes. */
  private static double pace(int size, LinearMap times, int power) {
    double[] x = Lanczos.start(size);
    double[] y = new double[size];
    double log = 0;
    for (int k = 0; k < power; k++) {
      times.apply(x, y);
      double norm = Math.sqrt(Lanczos.dot(y, y));
      if (norm == 0) {
        return 0;
      }
      log += Math.log(norm);
      for (int i = 0; i < size; i++) {
        x[i] = y[i] / norm;
      }
    }
    return Math.exp(log / power);
  }

  private static double norm(
      int size, LinearMap times, LinearMap transposed, int power, double pace) {
    double[] between = new double[size];
    return Math.sqrt(
        Lanczos.ends(
                size,
                (x, product) -> {
                  System.arraycopy(x, 0, product, 0, size);
                  raise(product, between, times, power, pace);
                  raise(product, between, transposed, power, pace);
                },
                Lanczos.End.LARGEST,
                STEPS,
                0)
            .largest()
            .value());
  }

  /** Replaces x by (A / pace)^power x. */
  private static void raise(
      double[] x, double[] between, LinearMap operator, int power, double pace) {
    for (int k = 0; k < power; k++) {
      operator.apply(x, between);
      for (int i = 0; i < x.length; i++) {
        x[i] = between[i] / pace;
      }
    }
  }

  /**
   * By which share Lanczos may miss the largest eigenvalue of a positive semidefinite operator
   * after its steps, but for that chance of a random start: Kuczyński and Woźniakowski (1992),
   * theorem 4.2, {@code 1.648 √n exp(−√ε (2k − 1))}.
   */
  private static double shortfall(int size) {
    double root = Math.log(1.648 * Math.sqrt(size) / CHANCE) / (2 * STEPS - 1);
    return Math.min(root * root, 0.99);
  }
}
