package ngd.core.network;

import java.util.function.IntToDoubleFunction;
import ngd.core.InvalidInput;

/** Builds W where clients keep a weight on themselves, and asks for links in both directions. */
final class MutualLinks {
  private MutualLinks() {}

  /** The weight of client m on the other client k that it hears. */
  interface LinkWeight {
    double of(int m, int k);
  }

  /** Refuses a graph with a link that is not mutual, naming the first. */
  static void require(Graph graph, String rule) {
    for (int m = 0; m < graph.clients(); m++) {
      for (int e = graph.offsets()[m]; e < graph.offsets()[m + 1]; e++) {
        int k = graph.heard()[e];
        if (!graph.hears(k, m)) {
          throw new InvalidInput(
              "weights: `%s` needs mutual links, each client heard must hear back; client %d hears %d, but %d does not hear %d"
                  .formatted(rule, m, k, k, m));
        }
      }
    }
  }

  /** W with these weights on others and on itself what is left of 1. */
  static Network withRest(Graph graph, LinkWeight weight) {
    return withSelf(
        graph,
        weight,
        m -> {
          double sum = 0;
          for (int e = graph.offsets()[m]; e < graph.offsets()[m + 1]; e++) {
            sum += weight.of(m, graph.heard()[e]);
          }
          return 1 - sum;
        });
  }

  /**
   * W with these weights on others and on itself; a weight of 0 on itself is no link. Who hears
   * nobody has all its weight on itself.
   */
  static Network withSelf(Graph graph, LinkWeight weight, IntToDoubleFunction self) {
    int clients = graph.clients();
    double[] own = new double[clients];
    int[] offsets = new int[clients + 1];
    for (int m = 0; m < clients; m++) {
      own[m] = graph.inDegree(m) == 0 ? 1 : self.applyAsDouble(m);
      offsets[m + 1] = Graph.offset((long) offsets[m] + graph.inDegree(m) + (own[m] > 0 ? 1 : 0));
    }
    int[] heard = new int[offsets[clients]];
    double[] weights = new double[offsets[clients]];
    int at = 0;
    for (int m = 0; m < clients; m++) {
      boolean pending = own[m] > 0;
      for (int e = graph.offsets()[m]; e < graph.offsets()[m + 1]; e++) {
        int k = graph.heard()[e];
        if (pending && k > m) {
          heard[at] = m;
          weights[at++] = own[m];
          pending = false;
        }
        heard[at] = k;
        weights[at++] = weight.of(m, k);
      }
      if (pending) {
        heard[at] = m;
        weights[at++] = own[m];
      }
    }
    return new Network(offsets, heard, weights);
  }
}
