package ngd.core.algorithm;

/**
 * A sum or maximum over all clients that is not finite: some client's estimate or data left every
 * bound. Every client learns it in the same call.
 */
public final class NotFinite extends ArithmeticException {
  private static final long serialVersionUID = 1;

  public NotFinite(String what) {
    super(what);
  }
}
