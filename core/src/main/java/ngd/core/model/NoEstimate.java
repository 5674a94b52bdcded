package ngd.core.model;

/** The pooled data have no global estimate; the message says why and what to do about it. */
public final class NoEstimate extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why it does not exist. */
  public enum Reason {
    /** A column is a linear combination of earlier ones. */
    REDUNDANT_COLUMN,
    /** There are fewer rows than coefficients. */
    TOO_FEW_ROWS,
    /** The likelihood grows forever along some direction. */
    SEPARATION,
    /** The minimiser found no minimum within its limits. */
    NOT_CONVERGED
  }

  private final Reason reason;

  public NoEstimate(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
