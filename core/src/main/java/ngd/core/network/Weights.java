package ngd.core.network;

import java.util.Arrays;

/** The rule that turns links into the row-stochastic matrix W. */
public sealed interface Weights {

  /** W over these links; the matrix (1) for a single client, whatever the rule. */
  Network on(Graph graph);

  /** The word by which the command line and the manifest know this rule. */
  String spec();

  /** {@code 1 / d_m} on each client that m hears: the paper's weights. */
  record Uniform() implements Weights {
    @Override
    public Network on(Graph graph) {
      if (graph.links() == 0) {
        return Network.single();
      }
      double[] weights = new double[graph.links()];
      for (int m = 0; m < graph.clients(); m++) {
        Arrays.fill(weights, graph.offsets()[m], graph.offsets()[m + 1], 1.0 / graph.inDegree(m));
      }
      return new Network(graph.offsets(), graph.heard(), weights);
    }

    @Override
    public String spec() {
      return "uniform";
    }
  }
}
