package ngd.peer.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.network.Graph;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;

/** Who hears whom: a network by its words, or site by site. */
public sealed interface Listening {
  /** W over these sites, in the order of the plan. */
  NetworkSchedule schedule(List<Site> sites, String weights, long seed);

  /** The weights where none are said. */
  default String usualWeights() {
    return "uniform";
  }

  /** Its lines in the canonical form of the plan. */
  List<String> canonical(List<Site> sites);

  /** A network such as {@code ring:1}. */
  record Named(String spec) implements Listening {
    public Named {
      if (spec.startsWith("file")) {
        throw new InvalidInput(
            "network: a plan cannot refer to a file; list who hears whom under `hears`; got `%s`"
                .formatted(spec));
      }
    }

    @Override
    public NetworkSchedule schedule(List<Site> sites, String weights, long seed) {
      Topology topology = Topology.parse(spec, sites.size(), Streams.of(seed));
      return NetworkSchedule.of(topology, rule(weights, topology));
    }

    @Override
    public String usualWeights() {
      return Topology.usualWeights(spec);
    }

    @Override
    public List<String> canonical(List<Site> sites) {
      return List.of("network: " + spec.strip());
    }
  }

  /**
   * Site m hears the sites {@code hears.get(m)}, by their places in the plan.
   *
   * @param hears ascending
   */
  record Stated(List<List<Integer>> hears) implements Listening {
    public Stated {
      hears = hears.stream().map(heard -> heard.stream().sorted().toList()).toList();
    }

    @Override
    public NetworkSchedule schedule(List<Site> sites, String weights, long seed) {
      int[][] links =
          hears.stream()
              .map(heard -> heard.stream().mapToInt(Integer::intValue).toArray())
              .toArray(int[][]::new);
      // Only a file's own weights ask what kind of network it is.
      return Network.of(Graph.of(links), rule(weights, new Topology.Complete(sites.size())));
    }

    @Override
    public List<String> canonical(List<Site> sites) {
      String[] lines = new String[hears.size()];
      Arrays.setAll(
          lines,
          m ->
              "hears: %s %s"
                  .formatted(
                      sites.get(m).name(),
                      hears.get(m).stream()
                          .map(k -> sites.get(k).name())
                          .collect(Collectors.joining(" "))));
      return List.of(lines);
    }
  }

  private static Weights rule(String weights, Topology topology) {
    if (weights.strip().equals("metropolis:rows")) {
      throw new InvalidInput(
          "weights: `metropolis:rows` needs every site's number of rows, which a plan does not"
              + " hold; use `metropolis`");
    }
    return Weights.parse(weights, topology, new int[0]);
  }
}
