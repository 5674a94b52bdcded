package ngd.core.network;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/** Draws the links of fixed-degree, Erdős–Rényi and small-world networks. */
final class RandomLinks {
  private RandomLinks() {}

  /** Floyd's sampling without replacement, one stream a client. */
  static Graph fixed(int clients, int degree, Streams streams) {
    int[] offsets = new int[clients + 1];
    for (int m = 0; m < clients; m++) {
      offsets[m + 1] = Graph.offset(offsets[m] + (long) degree);
    }
    int[] heard = new int[offsets[clients]];
    boolean[] drawn = new boolean[clients];
    for (int m = 0; m < clients; m++) {
      UniformRandomProvider random = streams.stream(Streams.Purpose.NETWORK, m);
      int at = offsets[m];
      for (int last = clients - 1 - degree; last < clients - 1; last++) {
        int other = random.nextInt(last + 1);
        if (drawn[other]) {
          other = last;
        }
        drawn[other] = true;
        heard[at++] = other;
      }
      for (int e = offsets[m]; e < at; e++) {
        drawn[heard[e]] = false;
        heard[e] += heard[e] < m ? 0 : 1; // the others, numbered without m itself
      }
    }
    return Graph.adopt(offsets, heard);
  }

  /** Skips from one linked pair to the next, so the work is that of the links (Batagelj 2005). */
  static Graph erdosRenyi(int clients, double probability, Streams streams) {
    UniformRandomProvider random = streams.stream(Streams.Purpose.NETWORK);
    DrawnLinks links = new DrawnLinks();
    double logMiss = Math.log1p(-probability);
    int m = 1;
    long k = -1;
    while (true) {
      double skip = Math.floor(Math.log1p(-random.nextDouble()) / logMiss);
      k += 1 + (long) Math.min(skip, 0x1p62);
      while (m < clients && k >= m) {
        k -= m;
        m++;
      }
      if (m >= clients) {
        break;
      }
      links.addMutual(m, (int) k);
    }
    int lonely = links.firstAlone(clients);
    if (lonely >= 0) {
      throw new InvalidInput(
          String.format(
              Locale.ROOT,
              "erdos-renyi: client %d hears nobody; P must be about ln M / M = %.2g or more for"
                  + " everyone to hear somebody; got %s (another seed may do for a P close to it)",
              lonely,
              Math.log(clients) / clients,
              probability));
    }
    return links.graph(clients);
  }

  static Graph smallWorld(int clients, int reach, double probability, Streams streams) {
    UniformRandomProvider random = streams.stream(Streams.Purpose.NETWORK);
    LinkSet present = new LinkSet(Graph.offset((long) clients * reach));
    int[] degrees = new int[clients];
    Arrays.fill(degrees, 2 * reach);
    for (int hop = 1; hop <= reach; hop++) {
      for (int m = 0; m < clients; m++) {
        present.add(pair(m, (m + hop) % clients));
      }
    }
    DrawnLinks links = new DrawnLinks();
    for (int hop = 1; hop <= reach; hop++) {
      for (int m = 0; m < clients; m++) {
        int other = (m + hop) % clients;
        if (random.nextDouble() < probability && degrees[m] < clients - 1) {
          int elsewhere;
          do {
            elsewhere = random.nextInt(clients);
          } while (elsewhere == m || present.contains(pair(m, elsewhere)));
          present.remove(pair(m, other));
          present.add(pair(m, elsewhere));
          degrees[other]--;
          degrees[elsewhere]++;
          other = elsewhere;
        }
        links.addMutual(m, other);
      }
    }
    return links.graph(clients);
  }

  private static long pair(int a, int b) {
    return ((long) Math.min(a, b) << 32) | Math.max(a, b);
  }

  /** Links as they are drawn. */
  private static final class DrawnLinks {
    private int[] client = new int[1024];
    private int[] hears = new int[1024];
    private int count;

    void addMutual(int a, int b) {
      if (count + 2 > client.length) {
        int larger = (int) Math.min(2L * client.length, Integer.MAX_VALUE - 8);
        Graph.offset(count + 2L);
        client = Arrays.copyOf(client, larger);
        hears = Arrays.copyOf(hears, larger);
      }
      client[count] = a;
      hears[count++] = b;
      client[count] = b;
      hears[count++] = a;
    }

    /** The first client without a link, or −1. */
    int firstAlone(int clients) {
      BitSet linked = new BitSet(clients);
      for (int i = 0; i < count; i++) {
        linked.set(client[i]);
      }
      int alone = linked.nextClearBit(0);
      return alone < clients ? alone : -1;
    }

    Graph graph(int clients) {
      return Graph.ofLinks(clients, client, hears, count);
    }
  }
}
