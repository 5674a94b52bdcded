package ngd.core.theory;

/** Why a solution does not exist or could not be computed, in words for a person. */
final class NotComputed extends Exception {
  private static final long serialVersionUID = 1;

  NotComputed(String reason) {
    super(reason);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
