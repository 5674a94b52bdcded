package ngd.app.window;

/** Something that a page asks for and that is not, or no longer, there. */
final class NotThere extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotThere(String message) {
    super(message);
  }
}
