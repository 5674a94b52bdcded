package ngd.core.simulation;

/**
 * What the clients of a run have sent each other.
 *
 * @param messages one for each link and call of the exchange, and two for each client and total
 * @param bytes eight for each number in them, or those of the codec
 */
public record Traffic(long messages, long bytes) {
  public static final Traffic NONE = new Traffic(0, 0);

  Traffic plus(Traffic other) {
    return new Traffic(messages + other.messages, bytes + other.bytes);
  }
}
