package ngd.app.window;

/** Something that a page asks for and that is not, or no longer, there. */
final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotFound(String message) {
    super(message);
  }
}
