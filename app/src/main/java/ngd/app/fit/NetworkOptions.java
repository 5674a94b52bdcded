package ngd.app.fit;

import ngd.app.terminal.Problems;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say who listens to whom, and with what weight. */
public final class NetworkOptions {
  @Option(
      names = "--network",
      paramLabel = "SPEC",
      description =
          "Who hears whom: central, circle:D, fixed:D, regular:D, ring:K, complete, torus,"
              + " exponential, erdos-renyi:P, small-world:K:P, or file:edges.csv with the header"
              + " client,hears[,weight].")
  private @Nullable String network;

  @Option(
      names = "--weights",
      paramLabel = "WORD",
      description =
          "How a client weighs what it hears: uniform (the default), metropolis, lazy-metropolis,"
              + " lazy:S, metropolis:rows, or file (the default where the file has weights).")
  private @Nullable String weights;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seeds all that is random; 1 by default.")
  private Long seed = 1L;

  /** A network and the words that made it. */
  public record Named(Topology topology, Weights weights, Network network) {}

  Streams streams() {
    return Streams.of(seed);
  }

  /** A network must be named. */
  public void requireGiven(Problems problems) {
    problems.require(network != null, "--network: who hears whom must be given, such as regular:2");
  }

  /** Who hears whom; null where that is missing or wrong. */
  public @Nullable Topology topology(int clients, Problems problems) {
    String spec = network;
    return spec == null ? null : problems.collect(() -> Topology.parse(spec, clients, streams()));
  }

  /**
   * The links and their weights; null where something is wrong with them.
   *
   * @param rows how many rows each client holds; empty where there are no data
   */
  public @Nullable Named build(Topology topology, int[] rows, Problems problems) {
    String spec = weights;
    return problems.collect(
        () -> {
          Weights rule =
              spec == null ? Weights.standard(topology) : Weights.parse(spec, topology, rows);
          return new Named(topology, rule, Network.of(topology.graph(), rule));
        });
  }
}
