package ngd.core.algorithm;

import java.util.Arrays;

/**
 * Sums and maxima over all clients, the same bits at each: the only way to agree on something.
 * Every client makes the same calls in the same order.
 */
public interface Totals {
  /**
   * The exact sum over all clients of one vector each, rounded once: the same bits at every client,
   * whatever the order of arrival. {@code perRow} holds a vector for each row this process holds.
   *
   * @throws NotFinite at every client alike, where a term of any client or the sum is not finite
   */
  double[] total(double[]... perRow);

  /**
   * The largest over all clients of one number each; infinities are numbers here.
   *
   * @throws NotFinite at every client alike, where any client's number is NaN
   */
  double max(double... perRow);

  /** M, how many clients there are, of which this process holds {@code rows}. */
  default double clients(int rows) {
    double[][] ones = new double[rows][];
    Arrays.fill(ones, new double[] {1});
    return total(ones)[0];
  }

  /** The sums where all of them are finite; what every implementation of {@link #total} ends in. */
  static double[] finite(double[] sums) {
    for (double sum : sums) {
      if (!Double.isFinite(sum)) {
        throw new NotFinite("a sum over all clients is not finite");
      }
    }
    return sums;
  }

  /** The largest of these; what every implementation of {@link #max} ends in. */
  static double largest(double... numbers) {
    double largest = Arrays.stream(numbers).max().orElseThrow();
    if (Double.isNaN(largest)) {
      throw new NotFinite("a maximum over all clients is not a number");
    }
    return largest;
  }
}
