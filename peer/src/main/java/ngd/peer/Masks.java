package ngd.peer;

import java.util.function.Function;

/**
 * What hides a client's term of a sum: words that all clients' masks together add up to zero, so
 * that only the sum is ever seen. Arithmetic is modulo 2 to the bits of one exact sum.
 */
@FunctionalInterface
public interface Masks {
  /** Every term as it is. */
  Masks NONE = (call, terms) -> {};

  /**
   * Adds this client's mask for a call.
   *
   * @param call the number of the call, never used twice in a run
   * @param terms exact sums one after another, {@link ngd.core.linalg.ExactSum#WORDS} words each,
   *     the lowest word first
   */
  void add(long call, int[] terms);

  /**
   * The same for data that all clients have committed to: other data, other masks.
   *
   * @param commitments the digest of all clients' commitments
   */
  default Masks bound(byte[] commitments) {
    return this;
  }

  /** Masks that cannot be used before the data are committed to. */
  static Masks unbound(Function<byte[], Masks> binding) {
    return new Masks() {
      @Override
      public void add(long call, int[] terms) {
        throw new IllegalStateException("masks: every site must commit to its data before a sum");
      }

      @Override
      public Masks bound(byte[] commitments) {
        return binding.apply(commitments);
      }
    };
  }
}
