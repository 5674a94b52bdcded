package ngd.core.data;

/** A table that was there and then was not: its database went away while it was read. */
public final class SourceLost extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SourceLost(String message) {
    super(message);
  }
}
