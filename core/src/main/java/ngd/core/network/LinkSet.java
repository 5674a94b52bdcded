package ngd.core.network;

import java.util.Arrays;

/**
 * The pairs of clients that are linked, as long keys, by open addressing.
 *
 * <p>A removed key leaves its place marked. A small world removes no more links than it has, so a
 * table of four places a link stays at most half full.
 */
final class LinkSet {
  private static final long EMPTY = -1;
  private static final long REMOVED = -2;

  private final long[] keys;
  private final int shift;

  LinkSet(int links) {
    int bits = 66 - Long.numberOfLeadingZeros(Math.max(links, 2));
    shift = 64 - bits;
    keys = new long[Graph.offset(1L << bits)];
    Arrays.fill(keys, EMPTY);
  }

  boolean contains(long key) {
    for (int at = place(key); keys[at] != EMPTY; at = next(at)) {
      if (keys[at] == key) {
        return true;
      }
    }
    return false;
  }

  /** Adds a key that is not present. */
  void add(long key) {
    int at = place(key);
    while (keys[at] != EMPTY) {
      at = next(at);
    }
    keys[at] = key;
  }

  void remove(long key) {
    for (int at = place(key); keys[at] != EMPTY; at = next(at)) {
      if (keys[at] == key) {
        keys[at] = REMOVED;
        return;
      }
    }
  }

  private int place(long key) {
    return (int) ((key * 0x9e3779b97f4a7c15L) >>> shift);
  }

  private int next(int at) {
    return (at + 1) & (keys.length - 1);
  }
}
