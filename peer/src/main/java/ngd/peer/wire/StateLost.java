package ngd.peer.wire;

/** This peer needs what it once had on disk, and nobody has it any more: the run cannot go on. */
public final class StateLost extends RuntimeException {
  private static final long serialVersionUID = 1;

  StateLost(String message) {
    super(message);
  }
}
