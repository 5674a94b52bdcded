package ngd.core.network;

import java.util.Optional;
import java.util.function.UnaryOperator;

/** A network, constant or by round, and the words that made it. */
public record NamedNetwork(Topology topology, Weights weights, NetworkSchedule schedule) {

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
    return new NamedNetwork(topology, rule, NetworkSchedule.of(topology, rule));
  }

  /** The same words, whose network is another one. */
  public NamedNetwork with(UnaryOperator<NetworkSchedule> change) {
    return new NamedNetwork(topology, weights, change.apply(schedule));
  }

  /** Who hears whom in any round: W itself, where it never changes. */
  public Network network() {
    return schedule.union();
  }
}
