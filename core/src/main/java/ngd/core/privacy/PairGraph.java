package ngd.core.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import ngd.core.network.Network;

/**
 * Who has noise in common with whom: clients of which one hears the other.
 *
 * @param lists each client's neighbours, in ascending order
 */
public record PairGraph(List<List<Integer>> lists) {
  public PairGraph {
    lists = lists.stream().map(List::copyOf).toList();
  }

  /** The links of a network, in whichever direction they carry messages. */
  public static PairGraph of(Network network) {
    List<TreeSet<Integer>> sets = new ArrayList<>();
    for (int m = 0; m < network.clients(); m++) {
      sets.add(new TreeSet<>());
    }
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int other = network.heard()[e];
        if (other != m) {
          sets.get(m).add(other);
          sets.get(other).add(m);
        }
      }
    }
    return new PairGraph(sets.stream().map(set -> (List<Integer>) new ArrayList<>(set)).toList());
  }

  public int clients() {
    return lists.size();
  }

  public List<Integer> neighbours(int client) {
    return lists.get(client);
  }

  /** The Laplacian of the graph that some clients form among themselves, row by row. */
  double[] laplacian(List<Integer> among) {
    int n = among.size();
    double[] matrix = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int other : lists.get(among.get(i))) {
        int j = among.indexOf(other);
        if (j >= 0) {
          matrix[i * n + i]++;
          matrix[i * n + j]--;
        }
      }
    }
    return matrix;
  }
}
