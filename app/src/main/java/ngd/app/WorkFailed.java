package ngd.app;

/**
 * Work that was rightly asked for and did not succeed: a run that diverged, a disk that is full.
 */
final class WorkFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  WorkFailed(String message) {
    super(message);
  }

  WorkFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
