package ngd.core;

/**
 * A request or a file that a person can correct. The message names the subject, what is allowed and
 * what was found.
 */
public class InvalidInput extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public InvalidInput(String message) {
    super(message);
  }

  public InvalidInput(String message, Throwable cause) {
    super(message, cause);
  }
}
