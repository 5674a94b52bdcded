package ngd.peer.durable;

import ngd.core.InvalidInput;

/**
 * A disk does not take what must be on it, as when it is full: nothing is lost, and what was begun
 * goes on once it does.
 */
public final class DiskFailure extends InvalidInput {
  private static final long serialVersionUID = 1;

  public DiskFailure(String message) {
    super(message);
  }
}
