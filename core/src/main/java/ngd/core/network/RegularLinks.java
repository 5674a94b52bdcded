package ngd.core.network;

import java.util.Arrays;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * Draws the links of a regular network: D permutations, no client ever mapped to itself or twice to
 * the same one.
 *
 * <p>Each permutation is drawn at random and its clashes repaired by swaps. While 2D &lt; M a swap
 * that removes a clash without making another always exists: of the M partners of a client at most
 * D hold what the client may not take (itself, and what it hears already), and at most D may not
 * take what the client holds. Beyond that the complement is drawn, which is regular of degree M − 1
 * − D.
 */
final class RegularLinks {
  private static final int RANDOM_PARTNERS = 64;

  private final int clients;
  private final int degree;
  private final UniformRandomProvider random;

  /** {@code rows[m * degree + i]}: what the i-th permutation lets client m hear. */
  private final int[] rows;

  private RegularLinks(int clients, int degree, UniformRandomProvider random) {
    this.clients = clients;
    this.degree = degree;
    this.random = random;
    rows = new int[Graph.offset((long) clients * degree)];
  }

  static Graph draw(int clients, int degree, Streams streams) {
    Graph.offset((long) clients * degree);
    UniformRandomProvider random = streams.stream(Streams.Purpose.NETWORK);
    if (degree == 1) {
      return cycle(clients, random);
    }
    while (true) {
      Graph graph = drawOnce(clients, degree, random);
      // Few draws fail: for D of 2 or more they are disconnected with a chance of order 1/M.
      if (isConnected(graph)) {
        return graph;
      }
    }
  }

  /**
   * Whether everyone reaches everyone: links as many in as out everywhere can be walked in one
   * round (Euler) as soon as they hang together in any direction.
   */
  private static boolean isConnected(Graph graph) {
    int clients = graph.clients();
    int[] towards = PermutationSampler.natural(clients);
    int parts = clients;
    for (int m = 0; m < clients; m++) {
      for (int e = graph.offsets()[m]; e < graph.offsets()[m + 1]; e++) {
        int one = root(towards, m);
        int other = root(towards, graph.heard()[e]);
        if (one != other) {
          towards[Math.max(one, other)] = Math.min(one, other);
          parts--;
        }
      }
    }
    return parts == 1;
  }

  private static int root(int[] towards, int client) {
    int at = client;
    while (towards[at] != at) {
      towards[at] = towards[towards[at]];
      at = towards[at];
    }
    return at;
  }

  private static Graph cycle(int clients, UniformRandomProvider random) {
    int[] order = PermutationSampler.natural(clients);
    PermutationSampler.shuffle(random, order);
    int[] heard = new int[clients];
    for (int i = 0; i < clients; i++) {
      heard[order[i]] = order[(i + 1) % clients];
    }
    return Graph.adopt(evenOffsets(clients, 1), heard);
  }

  private static Graph drawOnce(int clients, int degree, UniformRandomProvider random) {
    if (2L * degree < clients) {
      return Graph.adopt(
          evenOffsets(clients, degree), new RegularLinks(clients, degree, random).permutations());
    }
    int left = clients - 1 - degree;
    int[] unheard = new RegularLinks(clients, left, random).permutations();
    int[] heard = new int[clients * degree];
    boolean[] excluded = new boolean[clients];
    int at = 0;
    for (int m = 0; m < clients; m++) {
      excluded[m] = true;
      for (int i = 0; i < left; i++) {
        excluded[unheard[m * left + i]] = true;
      }
      for (int k = 0; k < clients; k++) {
        if (!excluded[k]) {
          heard[at++] = k;
        }
      }
      Arrays.fill(excluded, false);
    }
    return Graph.adopt(evenOffsets(clients, degree), heard);
  }

  private int[] permutations() {
    int[] permutation = PermutationSampler.natural(clients);
    for (int i = 0; i < degree; i++) {
      PermutationSampler.shuffle(random, permutation);
      for (int m = 0; m < clients; m++) {
        if (clashes(m, permutation[m], i)) {
          swap(permutation, m, partner(permutation, m, i));
        }
      }
      for (int m = 0; m < clients; m++) {
        rows[m * degree + i] = permutation[m];
      }
    }
    return rows;
  }

  /** Whether client m may not hear k: itself, or one that it hears by an earlier permutation. */
  private boolean clashes(int m, int k, int earlier) {
    if (m == k) {
      return true;
    }
    for (int i = 0; i < earlier; i++) {
      if (rows[m * degree + i] == k) {
        return true;
      }
    }
    return false;
  }

  /** A client whose swap with m leaves neither of them with a clash. */
  private int partner(int[] permutation, int m, int earlier) {
    for (int attempt = 0; attempt < RANDOM_PARTNERS; attempt++) {
      int k = random.nextInt(clients);
      if (settles(permutation, m, k, earlier)) {
        return k;
      }
    }
    int start = random.nextInt(clients);
    for (int i = 0; i < clients; i++) {
      int k = (start + i) % clients;
      if (settles(permutation, m, k, earlier)) {
        return k;
      }
    }
    throw new IllegalStateException("no swap repairs client " + m);
  }

  private boolean settles(int[] permutation, int m, int k, int earlier) {
    return !clashes(m, permutation[k], earlier) && !clashes(k, permutation[m], earlier);
  }

  private static void swap(int[] permutation, int a, int b) {
    int held = permutation[a];
    permutation[a] = permutation[b];
    permutation[b] = held;
  }

  private static int[] evenOffsets(int clients, int degree) {
    int[] offsets = new int[clients + 1];
    for (int m = 0; m < clients; m++) {
      offsets[m + 1] = offsets[m] + degree;
    }
    return offsets;
  }
}
