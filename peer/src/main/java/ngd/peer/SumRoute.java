package ngd.peer;

import java.util.List;

/** How every client comes to know a sum over all, and whether all know the same. */
interface SumRoute {
  /**
   * The sum of all clients' numbers, modulo a power of two.
   *
   * @param own this client's, masked: numbers of {@code wordsEach} words, the lowest first
   */
  int[] sum(int[] own, int wordsEach);

  /**
   * A digest of all clients' commitments, the same at each; where any client's is another, so is
   * the digest.
   */
  byte[] digest(byte[] commitment);

  /** The clients that are found to hold another digest than this one. */
  List<Integer> dissenting(byte[] digest);

  /** Binds what is signed from now on to what all clients have committed to. */
  void bind(byte[] digest);
}
