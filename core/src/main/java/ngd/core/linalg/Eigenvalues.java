package ngd.core.linalg;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Eigenvalues that bound all those of a matrix.
 *
 * @param real whether the matrix is symmetric, if only after its rows and columns are scaled: then
 *     the smallest eigenvalue is listed alone
 */
public record Eigenvalues(boolean real, List<Value> values) {
  /** One of them. */
  public record Value(double real, double imaginary) {
    public double modulus() {
      return Math.hypot(real, imaginary);
    }
  }

  public Eigenvalues {
    values = List.copyOf(values);
  }

  /** The smallest real part; 1 where none is listed. */
  public double smallest() {
    return Math.min(1, least(Value::real));
  }

  /** The smallest of a number that each has; infinite where none is listed. */
  public double least(ToDoubleFunction<Value> number) {
    return values.stream().mapToDouble(number).min().orElse(Double.POSITIVE_INFINITY);
  }
}
