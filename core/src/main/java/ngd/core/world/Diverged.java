package ngd.core.world;

/** A run whose estimates left every bound: found by the given round. */
public final class Diverged extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int round;

  /** Seen first at the given client. */
  public Diverged(int round, int client) {
    super("diverged by round %d: client %d's estimate is beyond bounds".formatted(round, client));
    this.round = round;
  }

  /** Seen by a sum or a system of equations. */
  public Diverged(int round, ArithmeticException lost) {
    super("diverged by round %d: %s".formatted(round, lost.getMessage()), lost);
    this.round = round;
  }

  public int round() {
    return round;
  }
}
