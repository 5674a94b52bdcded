package ngd.core.random;

import java.util.function.IntFunction;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * What is random in one round of an algorithm: a generator for each client, the same one whatever
 * other clients this process holds.
 */
public record Draws(Streams streams, int round, int firstClient) {

  public UniformRandomProvider of(int row) {
    return streams.stream(Streams.Purpose.ALGORITHM, round, firstClient + row);
  }

  /** {@link #of}, for those who ask for many rows. */
  public IntFunction<UniformRandomProvider> each() {
    Streams.Branch all = streams.branch(Streams.Purpose.ALGORITHM, round);
    return row -> all.stream(firstClient + (long) row);
  }

  /**
   * What is random in the message of a client.
   *
   * @param place of the message among those of the round
   */
  public UniformRandomProvider ofMessage(int place, int row) {
    return streams.stream(Streams.Purpose.CODEC, round, place, firstClient + row);
  }

  /** A generator that all clients have in common, wherever they run. */
  public UniformRandomProvider common() {
    return streams.stream(Streams.Purpose.ALGORITHM, round);
  }

  /** The same for which clients take part in the round. */
  public UniformRandomProvider selection() {
    return streams.stream(Streams.Purpose.SELECTION, round);
  }
}
