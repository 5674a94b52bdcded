package ngd.core;

/**
 * Work that was rightly asked for and did not succeed: a run that diverged, a disk that is full.
 */
public final class WorkFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WorkFailed(String message) {
    super(message);
  }

  public WorkFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
