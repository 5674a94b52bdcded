package ngd.core.network;

import java.util.OptionalDouble;

/**
 * A number and how it was found; absent where it was not computed, and then {@code how} is the
 * reason.
 *
 * @param error how far off it may be; 0 where only rounding stands between it and the truth
 */
public record Measured(OptionalDouble value, double error, String how) {

  public static Measured of(double value, String how) {
    return within(value, 0, how);
  }

  public static Measured within(double value, double error, String how) {
    return new Measured(OptionalDouble.of(value), error, how);
  }

  public static Measured not(String reason) {
    return new Measured(OptionalDouble.empty(), 0, reason);
  }

  /** What the number, which must be there, is at least. */
  public double atLeast() {
    return value.orElseThrow() - error;
  }

  /** What the number, which must be there, is at most. */
  public double atMost() {
    return value.orElseThrow() + error;
  }

  /** The number, or NaN if it was not computed. */
  public double orNaN() {
    return value.orElse(Double.NaN);
  }
}
