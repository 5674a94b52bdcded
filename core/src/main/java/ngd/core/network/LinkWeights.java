package ngd.core.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** W under construction: weights that come link by link, in any order, and add up. */
final class LinkWeights {
  private final List<TreeMap<Integer, Double>> rows = new ArrayList<>();

  LinkWeights(int clients) {
    for (int m = 0; m < clients; m++) {
      rows.add(new TreeMap<>());
    }
  }

  /** Client m gives this weight, or this much more, to client k. */
  void add(int m, int k, double weight) {
    rows.get(m).merge(k, weight, Double::sum);
  }

  /** Both give each other this weight. */
  void addMutual(int m, int k, double weight) {
    add(m, k, weight);
    add(k, m, weight);
  }

  /** The weight of client m on others so far. */
  private double given(int m) {
    double given = 0;
    for (Map.Entry<Integer, Double> one : rows.get(m).entrySet()) {
      given += one.getKey() == m ? 0 : one.getValue();
    }
    return given;
  }

  /** W in which each client keeps what it has not given to others. */
  Network withRest() {
    for (int m = 0; m < rows.size(); m++) {
      double own = 1 - given(m);
      rows.get(m).remove(m);
      // What rounding leaves of a share that is all given away is no link.
      if (own > 1e-15) {
        rows.get(m).put(m, own);
      }
    }
    return network();
  }

  /** W of these weights, which must sum to 1 in every row. */
  Network network() {
    int[] offsets = new int[rows.size() + 1];
    for (int m = 0; m < rows.size(); m++) {
      offsets[m + 1] = Graph.offset((long) offsets[m] + rows.get(m).size());
    }
    int[] heard = new int[offsets[rows.size()]];
    double[] weights = new double[heard.length];
    int at = 0;
    for (TreeMap<Integer, Double> row : rows) {
      for (Map.Entry<Integer, Double> one : row.entrySet()) {
        heard[at] = one.getKey();
        weights[at++] = one.getValue();
      }
    }
    return new Network(offsets, heard, weights);
  }
}
