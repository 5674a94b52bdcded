package ngd.studies.engine;

/** A part of some work has ended without what it was to find; the message is its own. */
public final class PartFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public PartFailed(String message) {
    super(message);
  }
}
