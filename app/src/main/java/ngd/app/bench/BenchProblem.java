package ngd.app.bench;

import java.util.OptionalInt;
import ngd.core.Problems;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say on which of the paper's data a benchmark runs, the same in every run. */
final class BenchProblem {
  /** The rows of a client where nothing else is asked for. */
  static final int ROWS = 50;

  static final Streams STREAMS = Streams.of(1);

  @Option(
      names = "--model",
      paramLabel = "WORD",
      defaultValue = "linear",
      description = "linear (the default), logistic or poisson.")
  private String model = "linear";

  @Option(
      names = "--clients",
      paramLabel = "M",
      defaultValue = "200",
      description = "Number of clients; 200 by default.")
  private Integer clients = 200;

  int clients() {
    return clients;
  }

  /** The model, or null and what is wrong with the options. */
  @Nullable PaperModel model(Problems problems) {
    problems.require(clients >= 1, "--clients: must be at least 1; got " + clients);
    return problems.collect(() -> PaperModel.parse(model));
  }

  /** The network in words among these clients, or null and what is wrong with it. */
  @Nullable Topology topology(String network, Problems problems) {
    return problems.collect(() -> Topology.parse(network, Math.max(1, clients), STREAMS));
  }

  /** Rows of the model, dealt out to the clients. */
  Shards shards(PaperModel paper, int rows) {
    Table table = paper.table(rows, STREAMS);
    return new Partition.Shuffled()
        .assign(table, OptionalInt.of(clients), Placement.IN_ORDER, STREAMS)
        .shards(table);
  }
}
