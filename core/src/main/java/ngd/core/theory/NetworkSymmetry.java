package ngd.core.theory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import ngd.core.network.Network;

/**
 * Ways to exchange the sites of a network that leave all its weights as they are, found by trying
 * and checked entry by entry: what is computed for one site then holds for those it can be
 * exchanged with.
 */
final class NetworkSymmetry {
  /** A search that takes longer is given up; the sites then count as different. */
  private static final int MOST_TRIALS = 20_000;

  /** Weights that are meant to be the same differ by rounding. */
  private static final double ROUNDING = 1e-14;

  private final double[][] weights;
  private int trials;

  NetworkSymmetry(Network network) {
    weights = new double[network.clients()][network.clients()];
    for (int m = 0; m < weights.length; m++) {
      for (int k = 0; k < weights.length; k++) {
        weights[m][k] = network.weight(m, k);
      }
    }
  }

  /** A permutation of all sites that takes one set of sites to another. */
  Optional<List<Integer>> between(List<Integer> from, List<Integer> to) {
    int[] image = new int[weights.length];
    Arrays.fill(image, -1);
    boolean[] taken = new boolean[weights.length];
    trials = 0;
    return extend(order(from), 0, from.size(), to, image, taken)
        ? Optional.of(Arrays.stream(image).boxed().toList())
        : Optional.empty();
  }

  /** All sites, those of a set first, then by how far they are from it. */
  private int[] order(List<Integer> first) {
    List<Integer> order = new ArrayList<>(first);
    Deque<Integer> next = new ArrayDeque<>(first);
    while (!next.isEmpty()) {
      int m = next.remove();
      for (int k = 0; k < weights.length; k++) {
        if ((weights[m][k] > 0 || weights[k][m] > 0) && !order.contains(k)) {
          order.add(k);
          next.add(k);
        }
      }
    }
    for (int k = 0; k < weights.length; k++) {
      if (!order.contains(k)) {
        order.add(k);
      }
    }
    return order.stream().mapToInt(k -> k).toArray();
  }

  private boolean extend(
      int[] order, int done, int bound, List<Integer> to, int[] image, boolean[] taken) {
    if (done == order.length) {
      return true;
    }
    int site = order[done];
    for (int candidate = 0; candidate < order.length; candidate++) {
      if (taken[candidate] || (done < bound) != to.contains(candidate)) {
        continue;
      }
      if (++trials > MOST_TRIALS) {
        return false;
      }
      if (fits(order, done, image, site, candidate)) {
        image[site] = candidate;
        taken[candidate] = true;
        if (extend(order, done + 1, bound, to, image, taken)) {
          return true;
        }
        taken[candidate] = false;
        image[site] = -1;
      }
    }
    return false;
  }

  private boolean fits(int[] order, int done, int[] image, int site, int candidate) {
    if (!same(weights[site][site], weights[candidate][candidate])) {
      return false;
    }
    for (int i = 0; i < done; i++) {
      int other = order[i];
      if (!same(weights[site][other], weights[candidate][image[other]])
          || !same(weights[other][site], weights[image[other]][candidate])) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(double a, double b) {
    return Math.abs(a - b) <= ROUNDING;
  }
}
