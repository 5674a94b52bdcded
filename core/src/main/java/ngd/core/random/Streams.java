package ngd.core.random;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.XoShiRo256PlusPlus;

/**
 * The root of all randomness: a seed and a replicate, from which every purpose and client draws its
 * own independent stream. Two studies with the same seed see the same data whatever else differs.
 */
public record Streams(long seed, long replicate) {

  /** What a stream is for; one purpose never disturbs another's numbers. */
  public enum Purpose {
    DATA(1),
    PARTITION(2),
    PLACEMENT(3),
    NETWORK(4),
    BATCH(5),
    START(6),
    ALGORITHM(7),
    ATTACK(8),
    FEATURES(9),
    EVENTS(10),
    EXAMPLES(11),
    NOISE(12),
    AVAILABILITY(13),
    FOLDS(14),
    IMPUTATION(15),
    CODEC(16),
    SELECTION(17);

    private final long key;

    Purpose(long key) {
      this.key = key;
    }
  }

  public static Streams of(long seed) {
    return new Streams(seed, 0);
  }

  public Streams replicate(long index) {
    return new Streams(seed, index);
  }

  /**
   * The generator for a purpose and a path below it, such as a client, or a client and an epoch.
   */
  public UniformRandomProvider stream(Purpose purpose, long... path) {
    return generator(branch(purpose, path).key);
  }

  /** What the paths that begin alike have in common, for those who take many of them. */
  public Branch branch(Purpose purpose, long... path) {
    long key = fold(fold(fold(0x6e67642d73656564L, seed), replicate), purpose.key);
    for (long step : path) {
      key = fold(key, step);
    }
    return new Branch(key);
  }

  /** A purpose and the begin of a path below it. */
  public static final class Branch {
    private final long key;

    private Branch(long key) {
      this.key = key;
    }

    /** The generator for this path and one step more. */
    public UniformRandomProvider stream(long step) {
      return generator(fold(key, step));
    }
  }

  private static UniformRandomProvider generator(long key) {
    long first = fold(key, 0);
    long second = fold(first, 1);
    long third = fold(second, 2);
    return new XoShiRo256PlusPlus(first, second, third, fold(third, 3));
  }

  /**
   * Absorbs one word into a key: a golden-ratio step, then the finaliser of MurmurHash3's variant
   * 13.
   */
  private static long fold(long key, long word) {
    long z = key + 0x9e3779b97f4a7c15L * (word + 0x632be59bd9b4e019L);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
