package ngd.core.training;

/** A training that the machine could not go on with, such as for want of memory. */
public final class TrainingFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public TrainingFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
