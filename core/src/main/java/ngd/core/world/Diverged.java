package ngd.core.world;

/**
 * A run whose estimates left every bound: found by the given round, first seen at the given client.
 */
public final class Diverged extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int round;
  private final int client;

  public Diverged(int round, int client) {
    super("diverged by round %d: client %d's estimate is beyond bounds".formatted(round, client));
    this.round = round;
    this.client = client;
  }

  public int round() {
    return round;
  }

  public int client() {
    return client;
  }
}
