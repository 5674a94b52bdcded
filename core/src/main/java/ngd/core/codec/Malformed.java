package ngd.core.codec;

/** Bytes that no row is written as. */
public final class Malformed extends Exception {
  private static final long serialVersionUID = 1;

  Malformed(String message) {
    super(message);
  }
}
