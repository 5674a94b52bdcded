package ngd.peer.privacy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import ngd.core.privacy.NoiseSource;
import ngd.peer.machine.Machine;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The noise of a real site: its own from the system's secure random numbers, what it has in common
 * with a neighbour from the key of the two, AES in counter mode, the gradient's number in the first
 * half of the counter. Both ends compute the same whole numbers from it.
 */
public final class SecretNoise implements NoiseSource {
  /**
   * @param adds whether this site adds the pair's noise; the other subtracts it
   */
  private record Pair(SecretKey key, boolean adds) {}

  private final List<Pair> pairs;

  private SecretNoise(List<Pair> pairs) {
    this.pairs = pairs;
  }

  /** Noise in common with nobody. */
  public static SecretNoise alone() {
    return new SecretNoise(List.of());
  }

  /** Noise in common with each of these sites, by their places. */
  public static SecretNoise with(List<Integer> neighbours, PairKeys keys) {
    List<Pair> pairs = new ArrayList<>();
    int here = keys.here();
    for (int other : neighbours) {
      pairs.add(new Pair(keys.key("noise", here, other), here < other));
    }
    return new SecretNoise(List.copyOf(pairs));
  }

  @Override
  public UniformRandomProvider own(long number) {
    return Machine.here().random()::nextLong;
  }

  @Override
  public List<Shared> shared(long number) {
    return pairs.stream()
        .map(
            pair ->
                new Shared(
                    numbers(PairKeys.begun(PairKeys.cipher(), pair.key(), number)), pair.adds()))
        .toList();
  }

  /** The key stream, eight bytes after eight. */
  static UniformRandomProvider numbers(Cipher stream) {
    byte[] zeros = new byte[1024];
    ByteBuffer[] left = {ByteBuffer.allocate(0)};
    return () -> {
      if (!left[0].hasRemaining()) {
        left[0] = ByteBuffer.wrap(stream.update(zeros));
      }
      return left[0].getLong();
    };
  }
}
