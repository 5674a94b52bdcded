package ngd.app.bench;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.RootCommand;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.model.Families;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.run.JsonObject;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd bench rounds}: the time of one round of NGD on the paper's data, on one thread. */
@Command(name = "rounds", description = "Times a round of NGD on the paper's data, on one thread.")
final class BenchRoundsCommand implements Callable<Integer> {
  private static final int TURNS = 15;
  private static final Stretches USUAL =
      new Stretches(100_000_000L, 1_000_000_000L, 20_000_000_000L, TURNS, System::nanoTime);

  @ParentCommand private @Nullable BenchCommand bench;

  @Mixin private BenchProblem problem = new BenchProblem();

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Total number of rows; 50 for each client by default.")
  private @Nullable Integer rows;

  @Option(
      names = "--network",
      paramLabel = "SPEC",
      defaultValue = "fixed:2",
      description = "Network; fixed:2 by default.")
  private String network = "fixed:2";

  @Mixin private StretchOption stretch = new StretchOption();

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = RootCommand.consoleOf(Objects.requireNonNull(bench).ngd());
    Problems problems = new Problems();
    PaperModel paper = problem.model(problems);
    Topology topology = problem.topology(network, problems);
    int clients = problem.clients();
    long all = rows == null ? (long) BenchProblem.ROWS * clients : rows;
    problems.require(
        all >= clients && all <= Integer.MAX_VALUE,
        "--rows: all clients' rows together, must lie in [%d, %d], at least one per client; got %d"
            .formatted(clients, Integer.MAX_VALUE, all));
    Stretches stretches = stretch.or(USUAL, problems);
    problems.throwIfAny();
    double micros =
        microsPerRound(
            stretches,
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
              NumberText.text(micros, 4),
              paper.spec(),
              NumberText.count(clients, "client"),
              NumberText.count(all, "row"),
              topology.spec());
    }
    return Exit.DONE;
  }

  private Simulation simulation(PaperModel paper, Topology topology, int all) {
    Network w = Network.of(topology.graph(), Weights.standard(topology));
    return new Simulation(
        w, Families.of(paper).over(problem.shards(paper, all)), BenchProblem.STREAMS, 1);
  }

  /** Step sizes of the paper's figures, under which no model diverges. */
  private static double alpha(PaperModel paper) {
    return switch (paper) {
      case LINEAR -> 0.01;
      case LOGISTIC -> 0.05;
      case POISSON -> 5e-4;
      case SURVIVAL -> 0.05;
    };
  }

  /** The median of several stretches, after the compiler has settled. */
  private static double microsPerRound(Stretches stretches, Simulation simulation, double alpha) {
    try (Run<?> run =
        simulation.start(new ngd.core.algorithm.descent.Ngd(StepSize.constant(alpha)))) {
      int rounds = stretches.warmUp(run);
      double[] micros = new double[TURNS];
      for (int i = 0; i < TURNS; i++) {
        micros[i] = stretches.time(run, rounds) / 1e3 / rounds;
      }
      Arrays.sort(micros);
      return micros[TURNS / 2];
    }
  }
}
