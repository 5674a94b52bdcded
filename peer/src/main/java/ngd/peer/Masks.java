package ngd.peer;

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
}
