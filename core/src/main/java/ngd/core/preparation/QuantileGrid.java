package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bins in which all sites count a variable's values, laid out from pooled mean and standard
 * deviation alone, so that no site reveals its smallest or largest value.
 *
 * <p>Whole numbers get a bin each where these are few enough, and quantiles are then exact.
 * Otherwise there are at least 64 bins to a standard deviation, or as many as are asked for. Bins
 * reach 8 standard deviations to either side; by Chebyshev's inequality at most 1/64 of the values
 * lie beyond, so the quantiles from 5 % to 95 % never do.
 */
public final class QuantileGrid {
  private static final int HALF_WIDTH_IN_DEVIATIONS = 8;
  private static final int BINS_TO_A_DEVIATION = 64;
  private static final int MOST_WHOLE_NUMBERS = 4096;

  private final boolean whole;
  private final double first;
  private final double width;
  private final int bins;

  /**
   * One for a description. Edges are multiples of a power of two, and so are the ends, of a larger
   * one: data that change a little are counted in the same bins.
   */
  QuantileGrid(double mean, double deviation, boolean allWhole) {
    double halfWidth = HALF_WIDTH_IN_DEVIATIONS * deviation;
    double step = powerOfTwoBelow(deviation / BINS_TO_A_DEVIATION);
    double block = Math.max(1, powerOfTwoBelow(deviation));
    double low = Math.floor((mean - halfWidth) / block) * block;
    double high = Math.ceil((mean + halfWidth) / block) * block;
    whole = allWhole && high - low < MOST_WHOLE_NUMBERS;
    if (!(deviation > 0)) {
      first = mean;
      width = 0;
      bins = 1;
    } else if (whole) {
      first = low;
      width = 1;
      bins = (int) (high - low) + 1;
    } else {
      block = BINS_TO_A_DEVIATION * step;
      first = Math.floor((mean - halfWidth) / block) * block;
      width = step;
      bins = (int) ((Math.ceil((mean + halfWidth) / block) * block - first) / step);
    }
  }

  private static double powerOfTwoBelow(double number) {
    return number > 0 ? Math.scalb(1.0, Math.getExponent(number)) : 0;
  }

  /** One for numbers of any kind, coarser or finer. */
  public static QuantileGrid of(double mean, double deviation, int binsToADeviation) {
    return new QuantileGrid(mean, deviation, binsToADeviation);
  }

  private QuantileGrid(double mean, double deviation, int binsToADeviation) {
    whole = false;
    if (deviation > 0) {
      first = mean - HALF_WIDTH_IN_DEVIATIONS * deviation;
      width = deviation / binsToADeviation;
      bins = 2 * HALF_WIDTH_IN_DEVIATIONS * binsToADeviation;
    } else {
      first = mean;
      width = 0;
      bins = 1;
    }
  }

  /** What makes two grids the same. */
  String layout() {
    return "%s %s %d".formatted(first, width, bins);
  }

  public int bins() {
    return bins;
  }

  /** How far a quantile may be from the true one. */
  public double error() {
    return whole ? 0 : width;
  }

  /** Where a bin begins. */
  public double edge(int bin) {
    return first + width * bin;
  }

  /** Values beyond the grid are counted in its outermost bins. */
  public int bin(double value) {
    return width == 0 ? 0 : (int) Math.clamp((value - first) / width, 0, bins - 1);
  }

  /** The quantiles of values that were counted so, at rising shares. */
  public List<Double> quantiles(double[] counts, int from, double... shares) {
    double n = Arrays.stream(counts, from, from + bins).sum();
    List<Double> quantiles = new ArrayList<>();
    for (double share : shares) {
      double below = 0;
      int bin = 0;
      while (bin < bins - 1 && below + counts[from + bin] < share * n) {
        below += counts[from + bin++];
      }
      double inside = counts[from + bin] == 0 ? 0 : (share * n - below) / counts[from + bin];
      quantiles.add(n == 0 ? Double.NaN : first + width * (bin + (whole ? 0 : inside)));
    }
    return quantiles;
  }
}
