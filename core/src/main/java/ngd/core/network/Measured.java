package ngd.core.network;

import java.util.OptionalDouble;

/**
 * A number and how it was found; absent where it was not computed, and then {@code how} is the
 * reason.
 */
public record Measured(OptionalDouble value, String how) {

  public static Measured of(double value, String how) {
    return new Measured(OptionalDouble.of(value), how);
  }

  public static Measured not(String reason) {
    return new Measured(OptionalDouble.empty(), reason);
  }

  /** The number, or NaN if it was not computed. */
  public double orNaN() {
    return value.orElse(Double.NaN);
  }
}
