package ngd.core.theory;

import org.jspecify.annotations.Nullable;

/** A number and how it was computed, or no number and the reason why not. */
public record Measured(@Nullable Double value, String how) {

  public static Measured of(double value, String how) {
    return new Measured(value, how);
  }

  public static Measured absent(String reason) {
    return new Measured(null, reason);
  }

  public boolean present() {
    return value != null;
  }
}
