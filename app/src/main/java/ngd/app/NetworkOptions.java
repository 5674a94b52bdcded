package ngd.app;

import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say who listens to whom. */
final class NetworkOptions {
  @Option(
      names = "--network",
      paramLabel = "SPEC",
      description =
          "Who hears whom: central, circle:D, fixed:D, regular:D, ring:K, complete, torus, exponential,"
              + " erdos-renyi:P, small-world:K:P, file:edges.csv (client,hears[,weight]).")
  private @Nullable String network;

  @Option(
      names = "--weights",
      paramLabel = "WORD",
      description =
          "How a client weighs what it hears: uniform (the default), metropolis, lazy-metropolis, lazy:S,"
              + " metropolis:rows, file (the default where the edge file states weights).")
  private @Nullable String weights;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seeds all that is random; 1 by default.")
  private Long seed = 1L;

  Streams streams() {
    return Streams.of(seed);
  }
}
