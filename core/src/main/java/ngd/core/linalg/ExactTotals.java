package ngd.core.linalg;

import java.util.Arrays;

/**
 * The exact sum of each column of a block, rounded once: what {@link ExactSum} gives, for many rows
 * at once.
 *
 * <p>The terms are cut at a power of two so far above all of them that the upper parts add up
 * without rounding; what is left of each term is cut again until nothing is (Rump, Ogita and Oishi
 * 2008, the extraction of their AccSum). With σ = 2^k · 2^e, |x| < 2^e for all terms and 2^k at
 * least two more than there are rows, q = (σ + x) − σ and x − q are exact, and so is every partial
 * sum of the q, as they are multiples of 2^−53 σ that stay below σ. Numbers of ordinary size take
 * two cuts, and the sum of two doubles is one rounding.
 */
final class ExactTotals {
  private ExactTotals() {}

  /** The totals of the block's columns; {@code scratch} has its shape and is written over. */
  static double[] of(HostRows block, HostRows scratch, Kernels kernels) {
    int stride = block.stride();
    int count = block.rows() * stride;
    double[] rest = scratch.values();
    System.arraycopy(block.values(), 0, rest, 0, count);
    int headroom = 64 - Long.numberOfLeadingZeros(block.rows() + 1L);
    double[] first = new double[stride];
    double[] second = new double[stride];
    double largest = kernels.largest(rest, 0, count);
    for (int cut = 0; cut < 2 && largest > 0; cut++) {
      int exponent = Math.getExponent(largest) + 1 + headroom;
      if (exponent > Double.MAX_EXPONENT) {
        return bySums(block);
      }
      kernels.extract(
          rest, Math.scalb(1.0, exponent), cut == 0 ? first : second, stride, 0, block.rows());
      largest = kernels.largest(rest, 0, count);
    }
    double[] totals = new double[block.width()];
    for (int j = 0; j < totals.length; j++) {
      totals[j] = first[j] + second[j];
      // The search for the largest passes over NaN, which ends up here and is refused below.
      if (largest > 0 || !Double.isFinite(totals[j])) {
        return bySums(block);
      }
    }
    return totals;
  }

  private static double[] bySums(HostRows block) {
    double[] totals = new double[block.width()];
    Arrays.setAll(
        totals,
        j -> {
          ExactSum sum = new ExactSum();
          for (int m = 0; m < block.rows(); m++) {
            sum.add(block.values()[m * block.stride() + j]);
          }
          return sum.value();
        });
    return totals;
  }
}
