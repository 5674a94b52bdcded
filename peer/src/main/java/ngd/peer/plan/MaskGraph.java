package ngd.peer.plan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import ngd.core.file.Sha256;

/**
 * Which sites share masks. Up to {@value #ALL_PAIRS} sites every two do. Beyond, sites are put on a
 * circle in an order drawn from what all have committed to, and each shares masks with the k next
 * to it, half on either side (Bell, Bonawitz, Gascón, Lepoint and Raykova 2020).
 *
 * <p>Colluding sites learn more than the sum over all others only if they part the others: if in
 * two places k/2 of them stand side by side. Where C of M sites collude, whichever they are, the
 * order puts the gaps between the H = M − C others like a random composition of C, and
 *
 * <pre>P ≤ (H choose 2) · (C − k + H − 1 choose H − 1) / (C + H − 1 choose H − 1),</pre>
 *
 * the expected number of pairs of gaps of at least k/2. The number of partners is the least for
 * which that is at most 2^−40 with a third of the sites colluding.
 */
public final class MaskGraph {
  /** Up to this many sites every two share masks, and every term is passed on to all. */
  public static final int ALL_PAIRS = 100;

  private static final double MOST_PROBABLE = 0x1p-40;

  private MaskGraph() {}

  /** How many colluding sites are reckoned with: a third. */
  public static int colluding(int sites) {
    return sites / 3;
  }

  /** How many partners each site has, of this many sites. */
  public static int partners(int sites) {
    if (sites <= ALL_PAIRS) {
      return Math.max(0, sites - 1);
    }
    int partners = 2;
    while (partners < sites - 1 && breaking(sites, colluding(sites), partners) > MOST_PROBABLE) {
      partners += 2;
    }
    return Math.min(partners, sites - 1);
  }

  /** At most how probable it is that this many colluding sites part the others. */
  public static double breaking(int sites, int colluding, int partners) {
    int others = sites - colluding;
    if (partners >= sites - 1 || colluding < partners || others < 2) {
      return 0;
    }
    double pairs = Math.log(others) + Math.log(others - 1.0) - Math.log(2);
    // (C − k + H − 1 choose H − 1) / (C + H − 1 choose H − 1), factor by factor.
    double share = 0;
    for (int i = 0; i < partners; i++) {
      share += Math.log(colluding - i) - Math.log(sites - 1.0 - i);
    }
    return Math.min(1, Math.exp(pairs + share));
  }

  /**
   * The sites with which one shares masks, ascending.
   *
   * @param seed what all have agreed on, and nobody alone decides
   */
  public static List<Integer> partnersOf(int self, int sites, byte[] seed) {
    List<Integer> found = new ArrayList<>();
    int count = partners(sites);
    if (count == sites - 1) {
      for (int m = 0; m < sites; m++) {
        if (m != self) {
          found.add(m);
        }
      }
      return found;
    }
    int[] circle = circle(sites, seed);
    int place = 0;
    while (circle[place] != self) {
      place++;
    }
    for (int step = 1; step <= count / 2; step++) {
      found.add(circle[(place + step) % sites]);
      found.add(circle[Math.floorMod(place - step, sites)]);
    }
    found.sort(null);
    return found;
  }

  /** The sites in an order that the seed draws, each as likely as any (Fisher and Yates). */
  private static int[] circle(int sites, byte[] seed) {
    int[] circle = new int[sites];
    for (int m = 0; m < sites; m++) {
      circle[m] = m;
    }
    Words words = new Words(seed);
    for (int last = sites - 1; last > 0; last--) {
      int other = words.below(last + 1);
      int moved = circle[last];
      circle[last] = circle[other];
      circle[other] = moved;
    }
    return circle;
  }

  /** Numbers from hashes of the seed and a counter. */
  private static final class Words {
    private final byte[] seed;
    private ByteBuffer left = ByteBuffer.allocate(0);
    private long blocks;

    Words(byte[] seed) {
      this.seed = seed;
    }

    /** A number from 0 to below the bound, all equally likely. */
    int below(int bound) {
      long fit = (1L << Integer.SIZE) / bound * bound;
      while (true) {
        if (!left.hasRemaining()) {
          left =
              ByteBuffer.wrap(new Sha256().add("ngd mask graph").add(seed).add(blocks++).bytes());
        }
        long word = Integer.toUnsignedLong(left.getInt());
        if (word < fit) {
          return (int) (word % bound);
        }
      }
    }
  }
}
