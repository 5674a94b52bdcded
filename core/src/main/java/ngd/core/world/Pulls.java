package ngd.core.world;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How far each of several vectors pulls a client, by the rules that look at distances alone: from
 * its own vector x, the first, the client goes to x + Σ share (x_k − x).
 *
 * <p>Since nothing but distances is needed, the same shares serve rows in memory and on a device.
 */
public final class Pulls {
  private Pulls() {}

  /**
   * The shares of all; that of the client itself says nothing.
   *
   * @param squares the squared distances between all of them, infinite where one is not finite
   * @param weights W's weights of the others
   */
  public static double[] of(Mixing.ByDistance rule, double[][] squares, double[] weights) {
    return switch (rule) {
      case Mixing.Clipped(double radius) -> clipped(squares[0], weights, radius);
      case Mixing.AdaptivelyClipped(double share) ->
          clipped(squares[0], weights, radius(squares[0], weights, share));
      case Mixing.Nearest(int bad) -> mean(nearest(squares, bad)[0], squares.length);
      case Mixing.Krum(int bad) -> mean(new int[] {krum(squares, bad)}, squares.length);
      case Mixing.GeometricMedian _ -> GeometricMedianShares.of(squares);
    };
  }

  private static double[] clipped(double[] squares, double[] weights, double radius) {
    double[] shares = new double[squares.length];
    for (int k = 1; k < shares.length; k++) {
      double distance = Math.sqrt(squares[k]);
      // What has no length has no direction either and is not followed.
      if (distance > 0 && distance < Double.POSITIVE_INFINITY) {
        shares[k] = weights[k] * Math.min(1, radius / distance);
      }
    }
    return shares;
  }

  /**
   * √(Σ w d² / share) over the nearest: the farthest are left out until they have this share of W.
   */
  private static double radius(double[] squares, double[] weights, double share) {
    int[] order = byDistance(squares);
    double left = 0;
    int end = order.length;
    // A share of a third is one neighbour of three, whatever 1/3 is in binary.
    while (end > 1 && left < share * (1 - 1e-12)) {
      left += weights[order[--end]];
    }
    double sum = 0;
    for (int i = 1; i < end; i++) {
      sum += weights[order[i]] * squares[order[i]];
    }
    return Math.sqrt(sum / share);
  }

  /** For each, itself and those nearest to it without the {@code bad} farthest, ascending. */
  public static int[][] nearest(double[][] squares, int bad) {
    int[][] kept = new int[squares.length][];
    for (int i = 0; i < kept.length; i++) {
      int[] order = byDistance(squares[i]);
      int end = Math.max(1, kept.length - bad);
      while (end > 1 && Double.isInfinite(squares[i][order[end - 1]])) {
        end--;
      }
      kept[i] = Arrays.stream(order, 0, end).sorted().toArray();
    }
    return kept;
  }

  private static int krum(double[][] squares, int bad) {
    int counted = Math.max(1, squares.length - bad - 2);
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < squares.length; i++) {
      int[] order = byDistance(squares[i]);
      double score = 0;
      // The first in order is the vector itself.
      for (int k = 1; k <= Math.min(counted, order.length - 1); k++) {
        score += squares[i][order[k]];
      }
      if (score < least) {
        least = score;
        best = i;
      }
    }
    return best;
  }

  private static double[] mean(int[] kept, int count) {
    double[] shares = new double[count];
    for (int k : kept) {
      shares[k] = 1.0 / kept.length;
    }
    return shares;
  }

  /** All by their distance to one of them, which comes first; of equal ones the lower number. */
  private static int[] byDistance(double[] squares) {
    return IntStream.range(0, squares.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer k) -> squares[k]).thenComparing(k -> k))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
