package ngd.core.world;

import java.util.stream.IntStream;

/**
 * The geometric median of several vectors, the point z with the least Σ ‖z − x_k‖, as shares of
 * them: z = Σ a_k x_k with a ≥ 0 and Σ a = 1.
 *
 * <p>With D the squared distances, ‖z − x_k‖² = (D a)_k − aᵀ D a / 2, so that distances are all
 * that is needed. A vector is itself the median where the unit vectors from it to the others sum to
 * no more than its multiplicity (Vardi and Zhang 2000); that is looked at first. Elsewhere the
 * derivative vanishes, Σ (z − x_k)/‖z − x_k‖ = 0, and Weiszfeld's steps, a_k ∝ 1/‖z − x_k‖, go down
 * to it.
 */
final class GeometricMedianShares {
  private static final int MOST_STEPS = 2000;

  /** A movement this small, in units of the largest distance, is none. */
  private static final double STILL = 1e-14;

  private static final double ROUNDING = 1e-9;

  private final double[][] squares;

  /** Those that are finite. */
  private final int[] among;

  private GeometricMedianShares(double[][] squares) {
    this.squares = squares;
    among =
        IntStream.range(0, squares.length)
            .filter(k -> squares[0][k] < Double.POSITIVE_INFINITY)
            .toArray();
  }

  static double[] of(double[][] squares) {
    return new GeometricMedianShares(squares).shares();
  }

  private double[] shares() {
    double[] shares = new double[squares.length];
    for (int k : among) {
      if (isMedian(k)) {
        shares[k] = 1;
        return shares;
      }
    }
    for (int k : among) {
      shares[k] = 1.0 / among.length;
    }
    double scale = largest();
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] next = step(shares);
      double[] moved = new double[next.length];
      for (int k : among) {
        moved[k] = next[k] - shares[k];
      }
      shares = next;
      // ‖Σ moved x‖² = −movedᵀ D moved / 2, since moved sums to 0.
      if (-product(moved) / 2 <= STILL * STILL * scale) {
        break;
      }
    }
    return shares;
  }

  private boolean isMedian(int k) {
    double multiplicity = 0;
    double square = 0;
    for (int i : among) {
      if (squares[k][i] == 0) {
        multiplicity++;
        continue;
      }
      for (int j : among) {
        if (squares[k][j] > 0) {
          double inner = (squares[k][i] + squares[k][j] - squares[i][j]) / 2;
          square += inner / Math.sqrt(squares[k][i] * squares[k][j]);
        }
      }
    }
    // Of two vectors each is a median, up to rounding; the first is taken.
    return square <= multiplicity * multiplicity * (1 + ROUNDING);
  }

  private double[] step(double[] shares) {
    double half = product(shares) / 2;
    double[] next = new double[shares.length];
    double sum = 0;
    for (int k : among) {
      double square = -half;
      for (int i : among) {
        square += squares[k][i] * shares[i];
      }
      next[k] = 1 / Math.sqrt(Math.max(square, Double.MIN_NORMAL));
      sum += next[k];
    }
    for (int k : among) {
      next[k] /= sum;
    }
    return next;
  }

  private double product(double[] a) {
    double sum = 0;
    for (int i : among) {
      for (int k : among) {
        sum += a[i] * squares[i][k] * a[k];
      }
    }
    return sum;
  }

  private double largest() {
    double largest = 0;
    for (int i : among) {
      for (int k : among) {
        largest = Math.max(largest, squares[i][k]);
      }
    }
    return largest;
  }
}
