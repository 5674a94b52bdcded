package ngd.app;

import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.run.JsonObject;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd bench rounds}: the time of one round of NGD on the paper's data, on one thread. */
@Command(
    name = "rounds",
    description = "Measures the time of one round of NGD on the paper's data, on one thread.")
final class BenchRoundsCommand implements Callable<Integer> {
  private static final Streams STREAMS = Streams.of(1);
  private static final long LEAST_WARM_UP = 1_000_000_000L;
  private static final long MOST_WARM_UP = 20_000_000_000L;
  private static final long STRETCH = 100_000_000L;
  private static final int STRETCHES = 15;

  @ParentCommand private @Nullable BenchCommand bench;

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
      description = "The number of clients; 200 by default.")
  private Integer clients = 200;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "The rows of all clients together; 50 for each client by default.")
  private @Nullable Integer rows;

  @Option(
      names = "--network",
      paramLabel = "SPEC",
      defaultValue = "fixed:2",
      description = "Who hears whom; fixed:2 by default.")
  private String network = "fixed:2";

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = Ngd.console(Objects.requireNonNull(bench).ngd());
    Problems problems = new Problems();
    problems.require(clients >= 1, "--clients: must be at least 1; got " + clients);
    PaperModel paper = problems.collect(() -> PaperModel.parse(model));
    Topology topology =
        problems.collect(() -> Topology.parse(network, Math.max(1, clients), STREAMS));
    long all = rows == null ? 50L * clients : rows;
    problems.require(
        all >= clients && all <= Integer.MAX_VALUE,
        "--rows: all clients' rows together, must lie in [%d, %d], at least one a client; got %d"
            .formatted(clients, Integer.MAX_VALUE, all));
    problems.throwIfAny();
    double micros =
        microsPerRound(
            simulation(Objects.requireNonNull(paper), Objects.requireNonNull(topology), (int) all),
            alpha(paper));
    if (format.isJson()) {
      console
          .out()
          .println(
              new JsonObject()
                  .put("model", paper.spec())
                  .put("clients", clients)
                  .put("rows", all)
                  .put("microsPerRound", micros)
                  .put("threads", 1));
    } else {
      console
          .out()
          .printf(
              "%s microseconds a round: %s model, %s, %s, %s, one thread%n",
              Numbers.text(micros, 4),
              paper.spec(),
              Numbers.count(clients, "client"),
              Numbers.count(all, "row"),
              topology.spec());
    }
    return Ngd.DONE;
  }

  private Simulation simulation(PaperModel paper, Topology topology, int all) {
    Table table = paper.table(all, STREAMS);
    Shards shards =
        new Partition.Shuffled()
            .assign(table, OptionalInt.of(clients), Placement.IN_ORDER, STREAMS)
            .shards(table);
    Network w = Network.of(topology.graph(), Weights.standard(topology));
    return new Simulation(w, Setup.glm(paper).over(shards), STREAMS, 1);
  }

  /** Step sizes of the paper's figures, under which no model diverges. */
  private static double alpha(PaperModel paper) {
    return switch (paper) {
      case LINEAR -> 0.01;
      case LOGISTIC -> 0.05;
      case POISSON -> 5e-4;
    };
  }

  /** The median of several stretches, after the compiler has settled. */
  private static double microsPerRound(Simulation simulation, double alpha) {
    try (Run<?> run = simulation.start(new ngd.core.algorithm.Ngd(StepSize.constant(alpha)))) {
      int stretch = warmUp(run);
      double[] micros = new double[STRETCHES];
      for (int i = 0; i < STRETCHES; i++) {
        micros[i] = nanos(run, stretch) / 1e3 / stretch;
      }
      Arrays.sort(micros);
      return micros[STRETCHES / 2];
    }
  }

  /**
   * Runs until stretches have stopped getting faster; the rounds that then fill one stretch. On a
   * busy machine the compiler may need many seconds.
   */
  private static int warmUp(Run<?> run) {
    long start = System.nanoTime();
    double best = Double.POSITIVE_INFINITY;
    int rounds = 1;
    int still = 0;
    while (System.nanoTime() - start < LEAST_WARM_UP || still < STRETCHES) {
      double each = nanos(run, rounds) / (double) rounds;
      still = each < 0.97 * best ? 0 : still + 1;
      best = Math.min(best, each);
      rounds = (int) Math.clamp(STRETCH / each, 1, 1 << 20);
      if (System.nanoTime() - start > MOST_WARM_UP) {
        break;
      }
    }
    return rounds;
  }

  private static long nanos(Run<?> run, int rounds) {
    long before = System.nanoTime();
    run.advance(rounds);
    return Math.max(1, System.nanoTime() - before);
  }
}
