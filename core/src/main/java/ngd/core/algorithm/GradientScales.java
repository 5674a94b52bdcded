package ngd.core.algorithm;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * The factors c_m by which clients scale their gradients, one for each row that this process holds,
 * so that clients with more rows, or that are heard less, count for what they hold.
 *
 * <p>A method that minimises Σ π_m L_m comes to the pooled estimate with c_m = (n_m / N) / π_m
 * (docs/theory.md, 4); where π is even, as under doubly stochastic W, that is M n_m / N.
 */
public final class GradientScales {
  /** Every gradient as it is. */
  public static final GradientScales NONE = new GradientScales(null);

  private final double @Nullable [] factors;

  private GradientScales(double @Nullable [] factors) {
    this.factors = factors;
  }

  /** One positive factor for each row; {@link #NONE} where all are 1. */
  public static GradientScales of(double... factors) {
    for (int m = 0; m < factors.length; m++) {
      if (!(factors[m] > 0) || Double.isInfinite(factors[m])) {
        throw new InvalidInput(
            "gradient scale of client %d: must be positive and finite, or its data would not count; got %s"
                .formatted(m, factors[m]));
      }
    }
    return Arrays.stream(factors).allMatch(c -> c == 1)
        ? NONE
        : new GradientScales(factors.clone());
  }

  /** M n_m / N: for methods in which all clients count alike. */
  public static GradientScales bySize(int[] rows) {
    double total = Arrays.stream(rows).asLongStream().sum();
    return of(Arrays.stream(rows).mapToDouble(n -> rows.length * (n / total)).toArray());
  }

  /** (n_m / N) / π_m: for methods in which client m counts with π_m. */
  public static GradientScales bySizeAndWeight(int[] rows, double[] pi) {
    double total = Arrays.stream(rows).asLongStream().sum();
    double[] factors = new double[rows.length];
    Arrays.setAll(factors, m -> rows[m] / total / pi[m]);
    return of(factors);
  }

  /** Each row times its factor. */
  public Rows times(Rows gradient) {
    return factors == null ? gradient : gradient.timesEach(factors);
  }

  /** Each number over its row's factor. */
  public double[] under(double[] numbers) {
    if (factors == null) {
      return numbers;
    }
    double[] under = new double[numbers.length];
    Arrays.setAll(under, m -> numbers[m] / factors[m]);
    return under;
  }

  /** Whether nothing is scaled. */
  public boolean areAllOne() {
    return factors == null;
  }

  /** c_m of one row. */
  public double of(int row) {
    return factors == null ? 1 : factors[row];
  }

  /** The largest factor: what a safe step size must be divided by. */
  public double largest() {
    return factors == null ? 1 : Arrays.stream(factors).max().orElse(1);
  }

  @Override
  public String toString() {
    return factors == null ? "none" : Arrays.toString(factors);
  }
}
