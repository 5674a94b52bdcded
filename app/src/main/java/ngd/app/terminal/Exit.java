package ngd.app.terminal;

/** What a command's exit code says. */
public final class Exit {
  public static final int DONE = 0;
  public static final int FAILED = 1;
  public static final int WRONG_REQUEST = 2;

  private Exit() {}
}
