package ngd.core.network;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/** The rule that turns links into the row-stochastic matrix W. */
public sealed interface Weights {

  /** W over these links; the matrix (1) for a single client, whatever the rule. */
  Network on(Graph graph);

  /** The words by which the command line and the manifest know this rule. */
  default String spec() {
    return switch (this) {
      case Uniform _ -> "uniform";
      case Lazy(double share) -> "lazy:" + share;
      case Metropolis _ -> "metropolis";
      case LazyMetropolis _ -> "lazy-metropolis";
      case MetropolisRows _ -> "metropolis:rows";
      case Stated _ -> "file";
      case Own _ -> "own";
    };
  }

  /** SE²(W) over a topology, exact or in expectation; empty where no closed form is known. */
  default OptionalDouble expectedSe2(Topology topology) {
    OptionalDouble uniform = topology.expectedSe2();
    return switch (this) {
      case Uniform _ -> uniform;
      case Lazy(double share) ->
          uniform.isEmpty()
              ? uniform
              : OptionalDouble.of((1 - share) * (1 - share) * uniform.getAsDouble());
      case Metropolis _, LazyMetropolis _, Own _ -> OptionalDouble.of(0);
      case MetropolisRows _, Stated _ -> OptionalDouble.empty();
    };
  }

  /** The rule that a network takes when none is asked for: the paper's, or what its file states. */
  static Weights standard(Topology topology) {
    if (topology instanceof ChangingTopology) {
      return new Own();
    }
    return topology instanceof Topology.EdgeFile file && file.statesWeights()
        ? new Stated(file)
        : new Uniform();
  }

  /**
   * The rule that a specification such as {@code lazy:0.5} names.
   *
   * @param topology the network it will weigh; {@code file} takes the weights from its file
   * @param rows the row counts of the clients; only {@code metropolis:rows} reads them, and an
   *     empty array says that there are none to read
   */
  static Weights parse(String spec, Topology topology, int[] rows) {
    Vocabulary words =
        new Vocabulary(
            "weights",
            List.of(
                "uniform", "metropolis", "lazy-metropolis", "lazy:S", "metropolis:rows", "file"));
    if (spec.strip().equals("metropolis:rows")) {
      if (rows.length == 0) {
        throw new InvalidInput(
            "weights: `metropolis:rows` needs the clients' rows, so it works where there are data");
      }
      return new MetropolisRows(rows);
    }
    if (topology instanceof ChangingTopology) {
      if (spec.strip().equals("own")) {
        return new Own();
      }
      throw new InvalidInput(
          "weights: `%s` has weights of its own, so leave them out (or say `own`); got `%s`"
              .formatted(topology.spec(), spec));
    }
    if (spec.strip().equals("own")) {
      throw new InvalidInput(
          "weights: `own` needs a network that changes from round to round, such as base:1; the network is `%s`"
              .formatted(topology.spec()));
    }
    List<String> given = words.parameters(spec);
    return switch (spec.strip().split(":", 2)[0]) {
      case "uniform" -> new Uniform();
      case "metropolis" -> {
        if (given.isEmpty()) {
          yield new Metropolis();
        }
        throw new InvalidInput(
            "weights: the form is `metropolis` or `metropolis:rows`; got `%s`".formatted(spec));
      }
      case "lazy-metropolis" -> new LazyMetropolis();
      case "lazy" -> new Lazy(TopologyWords.number("lazy:S", "S", given.get(0)));
      case "file" -> {
        if (topology instanceof Topology.EdgeFile file) {
          yield new Stated(file);
        }
        throw new InvalidInput(
            "weights: `file` needs a network `file:edges.csv` with a weight column; the network is `%s`"
                .formatted(topology.spec()));
      }
      default -> throw words.unknown(spec);
    };
  }

  /** {@code 1 / d_m} on each client that m hears: the paper's weights. */
  record Uniform() implements Weights {
    @Override
    public Network on(Graph graph) {
      if (graph.anyAlone()) {
        return MutualLinks.withSelf(graph, (m, k) -> 1.0 / graph.inDegree(m), m -> 0);
      }
      double[] weights = new double[graph.links()];
      for (int m = 0; m < graph.clients(); m++) {
        Arrays.fill(weights, graph.offsets()[m], graph.offsets()[m + 1], 1.0 / graph.inDegree(m));
      }
      return new Network(graph.offsets(), graph.heard(), weights);
    }
  }

  /** A share S of weight on itself, the rest uniform over the clients heard. */
  record Lazy(double share) implements Weights {
    public Lazy {
      if (!(share >= 0 && share < 1)) {
        throw new InvalidInput(
            "lazy:S: S must lie in [0, 1), or the clients hear only themselves; got " + share);
      }
    }

    @Override
    public Network on(Graph graph) {
      if (share == 0) {
        return new Uniform().on(graph);
      }
      return MutualLinks.withSelf(graph, (m, k) -> (1 - share) / graph.inDegree(m), m -> share);
    }
  }

  /** {@code 1 / (1 + max(d_m, d_k))} on each link, the rest on itself; mutual links only. */
  record Metropolis() implements Weights {
    @Override
    public Network on(Graph graph) {
      MutualLinks.require(graph, spec());
      return MutualLinks.withRest(graph, (m, k) -> share(graph, m, k));
    }

    static double share(Graph graph, int m, int k) {
      return 1.0 / (1 + Math.max(graph.inDegree(m), graph.inDegree(k)));
    }
  }

  /** {@code (I + W) / 2} with W of {@link Metropolis}: every eigenvalue is at least 0. */
  record LazyMetropolis() implements Weights {
    @Override
    public Network on(Graph graph) {
      MutualLinks.require(graph, spec());
      return MutualLinks.withRest(graph, (m, k) -> Metropolis.share(graph, m, k) / 2);
    }
  }

  /**
   * The Metropolis–Hastings chain whose stationary distribution is {@code n_m / N}; mutual links
   * only.
   *
   * <p>Propose a neighbour with probability {@code 1 / d_m} and accept it with {@code min(1, (n_k /
   * d_k) / (n_m / d_m))}: {@code w_mk = min(1 / d_m, n_k / (n_m d_k))}, so {@code n_m w_mk =
   * min(n_m / d_m, n_k / d_k) = n_k w_km}, which is detailed balance for n. What is refused stays
   * with m.
   */
  final class MetropolisRows implements Weights {
    private final int[] rows;

    public MetropolisRows(int[] rows) {
      this.rows = rows.clone();
      for (int m = 0; m < rows.length; m++) {
        if (rows[m] < 1) {
          throw new InvalidInput(
              "metropolis:rows: every client needs at least one row, or nobody may listen to it;"
                  + " client %d has %d".formatted(m, rows[m]));
        }
      }
    }

    @Override
    public Network on(Graph graph) {
      MutualLinks.require(graph, spec());
      if (rows.length != graph.clients()) {
        throw new InvalidInput(
            "metropolis:rows: must know the rows of all %d clients of the network; got %d"
                .formatted(graph.clients(), rows.length));
      }
      return MutualLinks.withSelf(
          graph,
          (m, k) -> accepted(graph, m, k),
          m -> {
            double refused = 0;
            for (int e = graph.offsets()[m]; e < graph.offsets()[m + 1]; e++) {
              refused += 1.0 / graph.inDegree(m) - accepted(graph, m, graph.heard()[e]);
            }
            return refused;
          });
    }

    private double accepted(Graph graph, int m, int k) {
      double proposal = 1.0 / graph.inDegree(m);
      return (long) rows[k] * graph.inDegree(m) >= (long) rows[m] * graph.inDegree(k)
          ? proposal
          : (double) rows[k] / ((double) rows[m] * graph.inDegree(k));
    }

    @Override
    public String toString() {
      return spec();
    }
  }

  /** The weights that the edge file of the network states. */
  record Stated(Topology.EdgeFile file) implements Weights {
    @Override
    public Network on(Graph graph) {
      Network stated = network();
      if (stated.clients() != graph.clients()) {
        throw new InvalidInput(
            "%s: states the weights of %d clients; the network has %d"
                .formatted(file.name(), stated.clients(), graph.clients()));
      }
      return stated;
    }

    Network network() {
      return EdgeList.read(file).network();
    }
  }

  /** The weights that come with a network that changes from round to round. */
  record Own() implements Weights {
    @Override
    public Network on(Graph graph) {
      throw new InvalidInput("weights: `own` belong to a network's rounds, not to links");
    }
  }
}
