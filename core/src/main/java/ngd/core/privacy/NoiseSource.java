package ngd.core.privacy;

import java.util.List;
import java.util.stream.IntStream;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Where the random numbers of one client's noise come from. A gradient's number is never used for
 * two different gradients.
 */
public interface NoiseSource {
  /** Those that nobody else has, of the gradient of this number. */
  UniformRandomProvider own(long number);

  /** Those of the same gradient that this client has in common with each of its neighbours. */
  List<Shared> shared(long number);

  /**
   * Random numbers that two clients have.
   *
   * @param adds whether this client adds what is made of them; the other subtracts it
   */
  record Shared(UniformRandomProvider random, boolean adds) {}

  /**
   * Seeded noise, for simulations: what anyone can compute hides nothing.
   *
   * @param neighbours with whom it has numbers in common
   */
  static NoiseSource seeded(Streams streams, int client, List<Integer> neighbours) {
    return new NoiseSource() {
      @Override
      public UniformRandomProvider own(long number) {
        return streams.stream(Streams.Purpose.NOISE, client, client, number);
      }

      @Override
      public List<Shared> shared(long number) {
        return neighbours.stream()
            .map(
                other ->
                    new Shared(
                        streams.stream(
                            Streams.Purpose.NOISE,
                            Math.min(client, other),
                            Math.max(client, other),
                            number),
                        client < other))
            .toList();
      }
    };
  }

  /** Seeded noise of all clients of a network. */
  static List<NoiseSource> seeded(Streams streams, PairGraph pairs) {
    return IntStream.range(0, pairs.clients())
        .mapToObj(m -> seeded(streams, m, pairs.neighbours(m)))
        .toList();
  }
}
