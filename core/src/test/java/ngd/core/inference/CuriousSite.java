package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import ngd.core.linalg.DenseSpectrum;
import ngd.core.linalg.QrAccumulator;
import ngd.core.network.Network;

/**
 * Site 0 of four on a ring, which keeps the models that its neighbours 1 and 3 send it and solves
 * for the moments of all three others. It is honest: it does its rounds and asks for nothing more.
 *
 * <p>In rounds site m does θ_m ← u_m − G_m u_m + h_m with u_m = (Wθ)_m, G_m = α c_m A_m and h_m = α
 * c_m b_m. Sites 0, 1 and 3 are heard, so only θ_2 must be guessed, and that from the known start
 * by its own G_2 and h_2; each round then states two vector equations, θ_1 and θ_3. Gauss-Newton
 * solves them, damped where it does not descend, the sensitivity ∂θ_2 carried along.
 */
final class CuriousSite {
  private static final int HIDDEN = 2;
  private static final List<Integer> OTHERS = List.of(1, 2, 3);

  /** Below this share of the largest, a singular value is rounding. */
  private static final double RANK = 1e-12;

  /** Steps in a row without gain, after which nothing more is expected. */
  private static final int VAIN = 10;

  private final Network network;
  private final double[][][] heard;
  private final double[] rest;
  private final int p;
  private final int each;
  private final int unknowns;
  private double[] guess;

  /**
   * What was overheard.
   *
   * @param heard the models by round and site, from the common start on; those of site 2 are not
   *     looked at
   * @param rest the sum over the others of what is sought: the published totals less its own
   */
  CuriousSite(Network network, double[][][] heard, double[] rest) {
    this.network = network;
    this.heard = heard;
    this.rest = rest;
    p = heard[0][0].length;
    each = p * (p + 1) / 2 + p;
    unknowns = OTHERS.size() * each;
    guess = new double[unknowns];
    Arrays.setAll(guess, k -> rest[k % each] / OTHERS.size());
  }

  private int at(int site, int i, int j) {
    int high = Math.max(i, j);
    return (site - 1) * each + high * (high + 1) / 2 + Math.min(i, j);
  }

  private int at(int site, int i) {
    return (site - 1) * each + p * (p + 1) / 2 + i;
  }

  int unknowns() {
    return unknowns;
  }

  /** α c_m A_m as guessed. */
  double[][] matrix(int site) {
    double[][] matrix = new double[p][p];
    for (int i = 0; i < p; i++) {
      int row = i;
      Arrays.setAll(matrix[i], j -> guess[at(site, row, j)]);
    }
    return matrix;
  }

  /** α c_m b_m as guessed. */
  double[] vector(int site) {
    double[] vector = new double[p];
    Arrays.setAll(vector, i -> guess[at(site, i)]);
    return vector;
  }

  /**
   * How many of the unknowns the equations settle, as seen from the guess.
   *
   * @param withTotals whether the published totals count among the equations
   */
  int rank(boolean withTotals) {
    double[] values =
        DenseSpectrum.singularValues(equations(guess, 0, withTotals ? 1 : 0).r(unknowns), unknowns)
            .orElseThrow();
    return (int) Arrays.stream(values).filter(value -> value > RANK * values[unknowns - 1]).count();
  }

  /** Solves for all; returns the norm of what stays unexplained. */
  double solve() {
    double damping = 1e-2;
    double miss = miss(guess);
    int vain = 0;
    while (vain < VAIN) {
      double[] change = equations(guess, damping, 1).leastSquares();
      double[] next = new double[unknowns];
      Arrays.setAll(next, k -> guess[k] + change[k]);
      double nextMiss = miss(next);
      if (nextMiss < miss) {
        vain = nextMiss < 0.99 * miss ? 0 : vain + 1;
        guess = next;
        miss = nextMiss;
        damping /= 10;
      } else {
        vain++;
        damping *= 4;
      }
    }
    return miss;
  }

  private double miss(double[] x) {
    double[] r = equations(x, 0, 1).r();
    // The last column of R is the residual rotated; its norm is that of the residual.
    double sum = 0;
    for (int i = 0; i <= unknowns; i++) {
      sum = Math.hypot(sum, r[i * (unknowns + 1) + unknowns]);
    }
    return sum;
  }

  /**
   * The linearised equations J Δ = residual, one under the other, the totals and √damping Δ = 0.
   */
  private QrAccumulator equations(double[] x, double damping, double totals) {
    QrAccumulator equations = new QrAccumulator(unknowns + 1);
    double[] hidden = heard[0][0];
    double[][] moved = new double[p][unknowns];
    for (int t = 0; t + 1 < heard.length; t++) {
      double[] nextHidden = hidden;
      double[][] nextMoved = moved;
      for (int m : OTHERS) {
        double[] u = new double[p];
        for (int i = 0; i < p; i++) {
          u[i] = network.weight(m, HIDDEN) * hidden[i];
          for (int k : List.of(0, 1, 3)) {
            u[i] += network.weight(m, k) * heard[t][k][i];
          }
        }
        double[] predicted = new double[p];
        double[][] slope = new double[p][unknowns + 1];
        for (int i = 0; i < p; i++) {
          predicted[i] = u[i] + x[at(m, i)];
          slope[i][at(m, i)] += 1;
          for (int j = 0; j < p; j++) {
            double g = x[at(m, i, j)];
            predicted[i] -= g * u[j];
            slope[i][at(m, i, j)] -= u[j];
            double through = ((i == j ? 1 : 0) - g) * network.weight(m, HIDDEN);
            for (int k = 0; k < unknowns; k++) {
              slope[i][k] += through * moved[j][k];
            }
          }
        }
        if (m == HIDDEN) {
          nextHidden = predicted;
          nextMoved = slope;
        } else {
          for (int i = 0; i < p; i++) {
            slope[i][unknowns] = heard[t + 1][m][i] - predicted[i];
            equations.add(slope[i]);
          }
        }
      }
      hidden = nextHidden;
      moved = nextMoved;
    }
    for (int k = 0; k < each; k++) {
      double[] row = new double[unknowns + 1];
      row[unknowns] = totals * rest[k];
      for (int j = k; j < unknowns; j += each) {
        row[j] = totals;
        row[unknowns] -= totals * x[j];
      }
      equations.add(row);
    }
    for (int k = 0; k < unknowns && damping > 0; k++) {
      double[] row = new double[unknowns + 1];
      row[k] = Math.sqrt(damping);
      equations.add(row);
    }
    return equations;
  }
}
