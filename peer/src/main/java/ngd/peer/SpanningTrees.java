package ngd.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.WeakHashMap;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/**
 * Two spanning trees of a network whose links are all mutual, the same at every client: partial
 * sums go up each, and the result comes down. The second has its root far from the first one's, and
 * takes links of the first only where a way around them would be more than three times as long.
 */
final class SpanningTrees {
  /** What a link costs the second tree where the first has it. */
  private static final int USED = 3;

  /** What peers of one process need not find out each for itself. */
  private static final Map<Network, Optional<SpanningTrees>> KNOWN = new WeakHashMap<>();

  /** One tree: every client's way to the root. */
  static final class Tree {
    final int root;

    /** By client, the next on its way to the root; the root's is itself. */
    final int[] parents;

    /** By client, the links to the root. */
    final int[] depths;

    /** By client, those whose way leads over it first, ascending. */
    final List<List<Integer>> children;

    final int height;

    private Tree(int root, int[] parents, int[] order) {
      this.root = root;
      this.parents = parents;
      depths = new int[parents.length];
      children = new ArrayList<>();
      for (int m = 0; m < parents.length; m++) {
        children.add(new ArrayList<>());
      }
      int most = 0;
      for (int m : order) {
        if (m != root) {
          depths[m] = depths[parents[m]] + 1;
          children.get(parents[m]).add(m);
          most = Math.max(most, depths[m]);
        }
      }
      children.forEach(those -> those.sort(null));
      height = most;
    }
  }

  final List<Tree> trees;

  private SpanningTrees(List<Tree> trees) {
    this.trees = List.copyOf(trees);
  }

  /** The links of the longest way to either root. */
  int height() {
    return Math.max(trees.get(0).height, trees.get(1).height);
  }

  /** The trees of a network; none where a link is not mutual. */
  static Optional<SpanningTrees> of(Network network) {
    synchronized (KNOWN) {
      return KNOWN.computeIfAbsent(
          network,
          one -> Neighbourhood.allMutual(one) ? Optional.of(found(one)) : Optional.empty());
    }
  }

  private static SpanningTrees found(Network network) {
    // From the middle of a longest way, so that no way is much longer than it must be.
    Tree any = tree(network, 0, null);
    int end = deepest(any);
    Tree along = tree(network, end, null);
    int middle = deepest(along);
    for (int step = 0; step < along.height / 2; step++) {
      middle = along.parents[middle];
    }
    Tree first = tree(network, middle, null);
    int other = first.parents[deepest(first)];
    return new SpanningTrees(
        List.of(first, tree(network, other == middle ? deepest(first) : other, first)));
  }

  private static int deepest(Tree tree) {
    int found = 0;
    for (int m = 0; m < tree.depths.length; m++) {
      found = tree.depths[m] > tree.depths[found] ? m : found;
    }
    return found;
  }

  private record Reached(int client, int cost) {}

  /** The ways of least cost to a root; of equal ones those over the lowest numbers. */
  private static Tree tree(Network network, int root, @Nullable Tree used) {
    int clients = network.clients();
    int[] parents = new int[clients];
    int[] costs = new int[clients];
    Arrays.fill(costs, Integer.MAX_VALUE);
    costs[root] = 0;
    parents[root] = root;
    int[] order = new int[clients];
    boolean[] done = new boolean[clients];
    int count = 0;
    PriorityQueue<Reached> next =
        new PriorityQueue<>(
            Comparator.comparingInt(Reached::cost).thenComparingInt(Reached::client));
    next.add(new Reached(root, 0));
    while (!next.isEmpty()) {
      Reached now = next.remove();
      int m = now.client();
      if (done[m]) {
        continue;
      }
      done[m] = true;
      order[count++] = m;
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        boolean shared = used != null && (used.parents[k] == m || used.parents[m] == k);
        int cost = costs[m] + (shared ? USED : 1);
        if (cost < costs[k]) {
          costs[k] = cost;
          parents[k] = m;
          next.add(new Reached(k, cost));
        }
      }
    }
    if (count < clients) {
      throw new InvalidInput(
          "network: must be connected for a sum over all clients; client %d reaches %d of %d"
              .formatted(root, count, clients));
    }
    return new Tree(root, parents, order);
  }
}
