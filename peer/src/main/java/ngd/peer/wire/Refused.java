package ngd.peer.wire;

/** Something from a neighbour that this peer does not take. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  public Refused(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
