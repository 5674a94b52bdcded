package ngd.core.network;

import java.util.Optional;

/** A network and the words that made it. */
public record NamedNetwork(Topology topology, Weights weights, Network network) {

  /**
   * The links of a topology with their weights.
   *
   * @param weights the rule's words; the topology's own rule where there are none
   * @param rows how many rows each client holds; empty where there are no data
   */
  public static NamedNetwork of(Topology topology, Optional<String> weights, int[] rows) {
    Weights rule =
        weights
            .map(spec -> Weights.parse(spec, topology, rows))
            .orElseGet(() -> Weights.standard(topology));
    return new NamedNetwork(topology, rule, Network.of(topology, rule));
  }
}
