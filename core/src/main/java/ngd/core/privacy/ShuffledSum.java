package ngd.core.privacy;

import java.util.Arrays;
import ngd.core.InvalidInput;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Sums of numbers in [0, 1] in the shuffled model (Cheu, Smith, Ullman, Zeber and Zhilyaev 2019):
 * each row is rounded at random to r bits with the right mean, every bit is turned over with a
 * chance, and somebody who is trusted with nothing else mixes the bits of all rows. Here masked
 * sums do: only the number of ones of all rows is seen.
 *
 * @param rows n, those whose bits are honest
 * @param bits r
 * @param flip the chance that a bit is turned over, at most 1/2
 */
public record ShuffledSum(int rows, int bits, double flip) {
  /** Up to this many bits of others, every number of ones among them is looked at. */
  private static final int EXACT = 120;

  public ShuffledSum {
    if (rows < 1 || bits < 1) {
      throw new InvalidInput(
          "shuffled sum: must have at least 1 row and 1 bit; got %d and %d".formatted(rows, bits));
    }
    if (!(flip > 0 && flip <= 0.5)) {
      throw new InvalidInput(
          "shuffled sum: the chance to turn a bit over must lie in (0, 1/2]; got " + flip);
    }
  }

  /** The sum with the least noise that a budget allows; bits that are all coins say nothing. */
  public static ShuffledSum of(int rows, int bits, double epsilon, double delta) {
    double least =
        Threshold.between(0, 0.5, flip -> new ShuffledSum(rows, bits, flip).delta(epsilon) > delta)
            .above();
    if (least == 0.5) {
      throw new InvalidInput(
          "shuffled sum: %d rows are too few to hide one and say something".formatted(rows));
    }
    return new ShuffledSum(rows, bits, least);
  }

  /** The number of ones that one row says of its number, a term of the sum that is seen. */
  public int encode(double value, UniformRandomProvider random) {
    if (!(value >= 0 && value <= 1)) {
      throw new InvalidInput("shuffled sum: numbers must lie in [0, 1]; got " + value);
    }
    double scaled = value * bits;
    int ones = (int) Math.floor(scaled);
    if (random.nextDouble() < scaled - ones) {
      ones++;
    }
    int said = 0;
    for (int b = 0; b < bits; b++) {
      boolean turned = random.nextDouble() < flip;
      said += b < ones != turned ? 1 : 0;
    }
    return said;
  }

  /** The sum of all numbers without bias, from the ones that all rows said. */
  public double estimate(double ones) {
    if (flip == 0.5) {
      throw new InvalidInput("shuffled sum: bits turned over with chance 1/2 say nothing");
    }
    return (ones - (double) rows * bits * flip) / (bits * (1 - 2 * flip));
  }

  /** The standard deviation of the estimate, at most: noise and rounding together. */
  public double standardDeviation() {
    double noise = (double) rows * bits * flip * (1 - flip);
    double share = bits * (1 - 2 * flip);
    return Math.sqrt(noise / (share * share) + rows / (4.0 * bits * bits));
  }

  /** δ at ε: exactly, by enumeration, where bits are few; a bound otherwise. */
  public double delta(double epsilon) {
    int others = (rows - 1) * bits;
    return others <= EXACT ? enumerated(others, epsilon) : bound(epsilon);
  }

  private double enumerated(int others, double epsilon) {
    double worst = 0;
    for (int ones = 0; ones <= others; ones++) {
      double[] base = convolved(binomial(ones, 1 - flip), binomial(others - ones, flip));
      double[] none = convolved(base, binomial(bits, flip));
      double[] all = convolved(base, binomial(bits, 1 - flip));
      worst = Math.max(worst, Math.max(beyond(none, all, epsilon), beyond(all, none, epsilon)));
    }
    return worst;
  }

  /**
   * A bound of δ at ε. A bit that is turned over with chance f is a fair coin with chance 2f and
   * itself otherwise. Whoever is told which bits of others are coins sees the row's ones and c
   * coins, c binomial; fewer coins hide less.
   */
  double bound(double epsilon) {
    int others = (rows - 1) * bits;
    double mean = others * 2 * flip;
    double spread = Math.sqrt(mean * (1 - 2 * flip)) + 1;
    double[] coins = binomial(others, 2 * flip);
    double best = 1;
    for (double away = 0; away <= 12; away += 0.5) {
      int least = (int) Math.max(0, Math.floor(mean - away * spread));
      double fewer = 0;
      for (int c = 0; c < least; c++) {
        fewer += coins[c];
      }
      double[] fair = Arrays.copyOf(binomial(least, 0.5), least + 1 + bits);
      double[] moved = new double[fair.length];
      System.arraycopy(fair, 0, moved, bits, least + 1);
      double seen = Math.max(beyond(fair, moved, epsilon), beyond(moved, fair, epsilon));
      best = Math.min(best, fewer + seen);
    }
    return best;
  }

  /** Σ (p − e^ε q)₊. */
  private static double beyond(double[] p, double[] q, double epsilon) {
    double sum = 0;
    double factor = Math.exp(epsilon);
    for (int i = 0; i < p.length; i++) {
      sum += Math.max(0, p[i] - factor * q[i]);
    }
    return sum;
  }

  /**
   * The probabilities of a binomial distribution, from the mode outwards so that none overflows.
   */
  private static double[] binomial(int n, double chance) {
    double[] p = new double[n + 1];
    if (chance == 1) {
      p[n] = 1;
      return p;
    }
    int mode = (int) Math.min(n, Math.floor((n + 1) * chance));
    double odds = chance / (1 - chance);
    p[mode] = 1;
    for (int k = mode; k < n; k++) {
      p[k + 1] = p[k] * odds * (n - k) / (k + 1);
    }
    for (int k = mode; k > 0; k--) {
      p[k - 1] = p[k] / odds * k / (n - k + 1);
    }
    double sum = Arrays.stream(p).sum();
    for (int k = 0; k <= n; k++) {
      p[k] /= sum;
    }
    return p;
  }

  private static double[] convolved(double[] a, double[] b) {
    double[] sum = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        sum[i + j] += a[i] * b[j];
      }
    }
    return sum;
  }
}
