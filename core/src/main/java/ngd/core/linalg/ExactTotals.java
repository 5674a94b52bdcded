package ngd.core.linalg;

import java.util.Arrays;

/**
 * The exact sum of each column of a block, rounded once: what {@link ExactSum} gives, for many rows
 * at once.
 *
 * <p>The terms are cut at a power of two so far above all of them that the upper parts add up
 * without rounding, and what is left of each term is cut alike (Rump, Ogita and Oishi 2008, the
 * extraction of their AccSum). With σ = 2^k · 2^e, |x| &lt; 2^e for all terms and 2^k at least two
 * more than there are rows, q = (σ + x) − σ and x − q are exact, and so is every partial sum of the
 * q, as they are multiples of 2^−53 σ that stay below σ. What is left is at most 2^−53 σ, so the
 * next σ is known beforehand and one pass makes both cuts. Numbers of ordinary size leave nothing
 * after two, and the sum of two doubles is one rounding.
 */
public final class ExactTotals {
  private ExactTotals() {}

  /**
   * The totals of the columns of a block of rows, each row {@code stride} numbers after the one
   * before and {@code width} of them in use.
   */
  public static double[] of(double[] values, int rows, int width, int stride, Kernels kernels) {
    double largest = kernels.largest(values, 0, rows * stride);
    int headroom = 64 - Long.numberOfLeadingZeros(rows + 1L);
    int high = Math.getExponent(largest) + 1 + headroom;
    // 2^−53 σ is reached, not only approached: one more power of two lies above all that is left.
    int low = high - 53 + 1 + headroom;
    if (high > Double.MAX_EXPONENT || (low < Double.MIN_EXPONENT && largest > 0)) {
      return bySums(values, rows, width, stride);
    }
    double[] sums = new double[3 * stride];
    kernels.extract(values, Math.scalb(1.0, high), Math.scalb(1.0, low), sums, stride, 0, rows);
    double[] totals = new double[width];
    for (int j = 0; j < totals.length; j++) {
      totals[j] = sums[j] + sums[stride + j];
      // The search for the largest passes over NaN, which ends up here and is found below.
      if (sums[2 * stride + j] > 0 || !Double.isFinite(totals[j])) {
        return bySums(values, rows, width, stride);
      }
    }
    return totals;
  }

  private static double[] bySums(double[] values, int rows, int width, int stride) {
    double[] totals = new double[width];
    Arrays.setAll(
        totals,
        j -> {
          ExactSum sum = new ExactSum();
          for (int m = 0; m < rows; m++) {
            sum.add(values[m * stride + j]);
          }
          return sum.value();
        });
    return totals;
  }
}
