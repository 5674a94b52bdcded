package ngd.core.inference;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Fisher's exact test of independence: the share, by their probability, of the tables with the same
 * margins that are no more probable than this one.
 *
 * @param odds of two by two levels
 */
public record ExactTest(double pValue, Optional<Odds> odds) {
  /** Tables that are as probable but for rounding count, as in R. */
  private static final double ROUNDING = 1 + 1e-7;

  /** Of more steps the test would take seconds. */
  private static final long MOST_STEPS = 5_000_000;

  private static final long MOST_ROWS = 200_000;

  private static final double TAIL = 0.025;

  /**
   * The odds ratio of two by two levels: its conditional maximum likelihood estimate and its exact
   * 95 % interval.
   */
  public record Odds(double ratio, double low, double high) {}

  /** The test of a table without empty rows and columns; nothing where it would take too long. */
  static Optional<ExactTest> of(long[][] counts) {
    if (Arrays.stream(counts).flatMapToLong(Arrays::stream).sum() > MOST_ROWS) {
      return Optional.empty();
    }
    if (counts.length == 2 && counts[0].length == 2) {
      return Optional.of(ofTwo(counts));
    }
    Tables tables = new Tables(counts);
    return tables.walk()
        ? Optional.of(new ExactTest(tables.share(), Optional.empty()))
        : Optional.empty();
  }

  private static double logFactorial(long n) {
    return LogGamma.value(n + 1.0);
  }

  private static ExactTest ofTwo(long[][] counts) {
    long x = counts[0][0];
    long first = x + counts[0][1];
    long left = x + counts[1][0];
    long right = counts[0][1] + counts[1][1];
    TwoByTwo of = new TwoByTwo(first, left, right);
    double[] central = of.shares(0);
    double own = central[(int) (x - of.low)];
    double p = Arrays.stream(central).filter(share -> share <= own * ROUNDING).sum();
    return new ExactTest(Math.min(1, p), Optional.of(of.odds(x)));
  }

  /** The count of one cell of two by two, given all margins, as its odds ratio makes it. */
  private static final class TwoByTwo {
    private final long low;
    private final long high;

    /** The logarithm of each count's probability, but for a constant, without any dependence. */
    private final double[] weights;

    TwoByTwo(long first, long left, long right) {
      low = Math.max(0, first - right);
      high = Math.min(first, left);
      weights = new double[(int) (high - low + 1)];
      for (int i = 0; i < weights.length; i++) {
        long k = low + i;
        weights[i] =
            -logFactorial(k)
                - logFactorial(left - k)
                - logFactorial(first - k)
                - logFactorial(right - first + k);
      }
    }

    /** The probability of each count under the logarithm of an odds ratio. */
    double[] shares(double logOdds) {
      double[] shares = new double[weights.length];
      Arrays.setAll(shares, i -> weights[i] + i * logOdds);
      double most = Arrays.stream(shares).max().orElseThrow();
      double sum = 0;
      for (int i = 0; i < shares.length; i++) {
        shares[i] = Math.exp(shares[i] - most);
        sum += shares[i];
      }
      double total = sum;
      return Arrays.stream(shares).map(share -> share / total).toArray();
    }

    private double mean(double logOdds) {
      double[] shares = shares(logOdds);
      double mean = 0;
      for (int i = 0; i < shares.length; i++) {
        mean += (low + i) * shares[i];
      }
      return mean;
    }

    private double upTo(long x, double logOdds) {
      return Arrays.stream(shares(logOdds), 0, (int) (x - low) + 1).sum();
    }

    private double from(long x, double logOdds) {
      return Arrays.stream(shares(logOdds), (int) (x - low), weights.length).sum();
    }

    Odds odds(long x) {
      double ratio = x == low ? 0 : x == high ? Double.POSITIVE_INFINITY : root(t -> mean(t) - x);
      double least = x == low ? 0 : root(t -> from(x, t) - TAIL);
      double most = x == high ? Double.POSITIVE_INFINITY : root(t -> TAIL - upTo(x, t));
      return new Odds(ratio, least, most);
    }

    /** The odds ratio at which a rising function of its logarithm is zero. */
    private static double root(DoubleUnaryOperator rising) {
      double low = -1;
      while (rising.applyAsDouble(low) > 0) {
        low *= 2;
      }
      double high = 1;
      while (rising.applyAsDouble(high) < 0) {
        high *= 2;
      }
      while (high - low > 1e-13 * Math.max(1, Math.abs(high))) {
        double middle = (low + high) / 2;
        if (rising.applyAsDouble(middle) < 0) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return Math.exp((low + high) / 2);
    }
  }

  /** All tables with the margins of one, column by column. */
  private static final class Tables {
    private final long[] inColumn;
    private final long[] inRow;
    private final double[] logFactorials;
    private final double constant;
    private final double own;
    private double share;
    private long steps;

    Tables(long[][] counts) {
      inRow = new long[counts.length];
      inColumn = new long[counts[0].length];
      long n = Arrays.stream(counts).flatMapToLong(Arrays::stream).sum();
      logFactorials = new double[(int) n + 1];
      Arrays.setAll(logFactorials, ExactTest::logFactorial);
      double cells = 0;
      for (int r = 0; r < counts.length; r++) {
        for (int c = 0; c < inColumn.length; c++) {
          inRow[r] += counts[r][c];
          inColumn[c] += counts[r][c];
          cells += logFactorials[(int) counts[r][c]];
        }
      }
      constant =
          Arrays.stream(inRow).mapToDouble(ExactTest::logFactorial).sum()
              + Arrays.stream(inColumn).mapToDouble(ExactTest::logFactorial).sum()
              - logFactorials[(int) n];
      own = constant - cells;
    }

    double share() {
      return Math.min(1, share);
    }

    /** Adds up what is as probable or less; whether it came to an end. */
    boolean walk() {
      return place(0, 0, inColumn[0], inRow.clone(), 0);
    }

    private boolean place(int column, int row, long left, long[] rows, double cells) {
      if (++steps > MOST_STEPS) {
        return false;
      }
      if (column == inColumn.length - 1) {
        double all = cells;
        for (long rest : rows) {
          all += logFactorials[(int) rest];
        }
        double probability = constant - all;
        if (probability <= own + Math.log(ROUNDING)) {
          share += Math.exp(probability);
        }
        return true;
      }
      if (row == rows.length - 1) {
        if (left > rows[row]) {
          return true;
        }
        rows[row] -= left;
        boolean ended =
            place(column + 1, 0, inColumn[column + 1], rows, cells + logFactorials[(int) left]);
        rows[row] += left;
        return ended;
      }
      for (long count = 0; count <= Math.min(left, rows[row]); count++) {
        rows[row] -= count;
        boolean ended =
            place(column, row + 1, left - count, rows, cells + logFactorials[(int) count]);
        rows[row] += count;
        if (!ended) {
          return false;
        }
      }
      return true;
    }
  }
}
