package ngd.app.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.DoubleFunction;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.RootCommand;
import ngd.app.terminal.TextTable;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.Families;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.run.JsonObject;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.world.Diverged;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * {@code ngd bench algorithms}: what a round of each synchronous method costs beside a round of NGD
 * on the same mini-batches, for each vector that it sends along a link.
 *
 * <p>The two take turns, and the shortest stretch of each counts: what else the machine does slows
 * both, and neither in all of its turns. Time is that of the thread on a processor.
 */
@Command(
    name = "algorithms",
    description = {
      "Times a round of every synchronous algorithm against a round of NGD, in turns on one thread."
          + " Every client has 50 rows.",
      "",
      "vectors: vectors of p numbers that a client sends along a link in a round; a sum over all"
          + " clients counts as one.",
      "made: vectors that it computes in order to send them; a vector sent to all listeners counts"
          + " once, one for a single neighbour once for each.",
      "per vector, per made: the time of a round divided by these, in rounds of NGD with the same"
          + " mini-batches.",
      "by rows: the same for each vector in rounds of NGD whose gradients go over all rows. Those"
          + " of linear models need not, unlike single rows' losses.",
      ""
    })
final class BenchAlgorithmsCommand implements Callable<Integer> {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int TURNS = 25;
  private static final double SMALLEST_STEP = 1e-40;

  /** The processor's time, not the clock's: others who want the processor do not count. */
  private static final Stretches USUAL =
      new Stretches(
          10_000_000L, 400_000_000L, 10_000_000_000L, 50, THREADS::getCurrentThreadCpuTime);

  @ParentCommand private @Nullable BenchCommand bench;

  @Option(
      names = "--algorithms",
      paramLabel = "WORD",
      split = ",",
      description = "Algorithms to measure; every synchronous one by default.")
  private List<String> algorithms = List.of();

  @Mixin private BenchProblem problem = new BenchProblem();

  @Option(
      names = "--network",
      paramLabel = "SPEC",
      defaultValue = "ring:2",
      description = "Network; ring:2 by default. The weights are Metropolis weights.")
  private String network = "ring:2";

  @Option(
      names = "--batch",
      paramLabel = "ROWS",
      defaultValue = "0",
      description = "Rows in a mini-batch, for algorithms that use them; all by default.")
  private Integer batch = 0;

  @Mixin private StretchOption stretch = new StretchOption();

  @Mixin private FormatOption format = new FormatOption();

  private Stretches stretches = USUAL;

  /** One method's line. */
  private record Line(
      String word, int batch, double micros, double vectors, double made, double ngdMicros) {
    double perVector() {
      return micros / vectors / ngdMicros;
    }

    double byRows(double rowsMicros) {
      return micros / vectors / rowsMicros;
    }

    double perMade() {
      return micros / made / ngdMicros;
    }
  }

  @Override
  public Integer call() {
    Console console = RootCommand.consoleOf(Objects.requireNonNull(bench).ngd());
    Problems problems = new Problems();
    problems.require(batch >= 0, "--batch: must be at least 1 row, or 0 for all; got " + batch);
    PaperModel paper = problem.model(problems);
    Topology topology = problem.topology(network, problems);
    Network w =
        topology == null
            ? null
            : problems.collect(() -> Network.of(topology, new Weights.Metropolis()));
    List<Algorithms.Named> named = new ArrayList<>();
    for (String word : algorithms) {
      Algorithms.Named one = problems.collect(() -> Algorithms.parse(word));
      if (one != null) {
        problems.require(
            !one.descriptor().asynchronous(),
            "--algorithms: `%s` is asynchronous and has no rounds to measure".formatted(word));
        named.add(one);
      }
    }
    stretches = stretch.or(USUAL, problems);
    problems.throwIfAny();
    if (named.isEmpty()) {
      Algorithms.all().stream()
          .filter(method -> !method.asynchronous())
          .filter(
              method -> batch == 0 || method.options().contains(AlgorithmDescriptor.Option.BATCH))
          .forEach(method -> named.add(new Algorithms.Named(method, List.of())));
    }
    Shards shards =
        problem.shards(Objects.requireNonNull(paper), BenchProblem.ROWS * problem.clients());
    Objective objective = Families.of(paper).over(shards);
    double rowsMicros = byRows(paper, Objects.requireNonNull(w), objective);
    List<Line> lines = measure(paper, w, objective, named, console);
    print(lines, rowsMicros, paper, Objects.requireNonNull(topology), console);
    return Exit.DONE;
  }

  /** A round of NGD whose gradients go over all rows. */
  private double byRows(PaperModel paper, Network w, Objective objective) {
    Simulation simulation = new Simulation(w, objective.byRows(), BenchProblem.STREAMS, 1);
    StepSize alpha = StepSize.constant(alpha(paper));
    try (Run<?> run = simulation.start(new ngd.core.algorithm.descent.Ngd(alpha, 0))) {
      int rounds = stretches.warmUp(run);
      double micros = Double.POSITIVE_INFINITY;
      for (int i = 0; i < TURNS; i++) {
        micros = Math.min(micros, stretches.time(run, rounds) / 1e3 / rounds);
      }
      return micros;
    }
  }

  private List<Line> measure(
      PaperModel paper,
      Network w,
      Objective objective,
      List<Algorithms.Named> named,
      Console console) {
    Shards shards = objective.shards();
    Simulation simulation = new Simulation(w, objective, BenchProblem.STREAMS, 1);
    Suitability suitability = new Suitability(w, Families.of(paper), new Mixing.Mean());
    List<Line> lines = new ArrayList<>();
    for (Algorithms.Named one : named) {
      AlgorithmDescriptor method = one.descriptor();
      try {
        boolean inBatches =
            method.options().contains(AlgorithmDescriptor.Option.BATCH) && batch > 0;
        int own = inBatches ? batch : method.usualBatch();
        DoubleFunction<Line> at =
            step -> {
              StepSize alpha = StepSize.constant(step);
              AlgorithmChoice choice =
                  new AlgorithmChoice(
                      method,
                      one.parameters(),
                      new StepChoice.Given(alpha),
                      inBatches ? batch : 0,
                      1);
              suitability.require(choice);
              return compare(
                  simulation,
                  method.name(),
                  own,
                  choice.rounds(
                      suitability.scales(method, shards.rowsArray().clone()),
                      Families.of(paper) instanceof Linear),
                  new ngd.core.algorithm.descent.Ngd(alpha, own));
            };
        lines.add(withSmallerSteps(at, alpha(paper)));
      } catch (Diverged _) {
        console
            .err()
            .println(
                "ngd bench algorithms: left out: `%s` diverged at every step size"
                    .formatted(method.name()));
      } catch (InvalidInput unsuitable) {
        console.err().println("ngd bench algorithms: left out: " + unsuitable.getMessage());
      }
    }
    return lines;
  }

  /**
   * At this step size, or at one so much smaller that the method does not diverge: {@code dr-dsgd}
   * begins with exp(L/μ) times its gradients. A round takes as long at any step size.
   */
  private static Line withSmallerSteps(DoubleFunction<Line> at, double alpha) {
    double step = alpha;
    while (true) {
      try {
        return at.apply(step);
      } catch (Diverged tooLarge) {
        step /= 1e4;
        if (step < SMALLEST_STEP) {
          throw tooLarge;
        }
      }
    }
  }

  private Line compare(
      Simulation simulation,
      String word,
      int batch,
      Algorithm.Rounds<?> method,
      Algorithm.Rounds<?> ngd) {
    try (Run<?> its = simulation.start(method);
        Run<?> base = simulation.start(ngd)) {
      int itsRounds = stretches.warmUp(its);
      int baseRounds = stretches.warmUp(base);
      long bytes = its.traffic().bytes();
      double micros = Double.POSITIVE_INFINITY;
      double ngdMicros = Double.POSITIVE_INFINITY;
      for (int i = 0; i < TURNS; i++) {
        micros = Math.min(micros, stretches.time(its, itsRounds) / 1e3 / itsRounds);
        ngdMicros = Math.min(ngdMicros, stretches.time(base, baseRounds) / 1e3 / baseRounds);
      }
      double sent = (double) (its.traffic().bytes() - bytes) / TURNS / itsRounds;
      double one = (double) base.traffic().bytes() / base.round();
      return new Line(
          word,
          batch,
          micros,
          Math.max(1, sent / one),
          Math.max(1, MadeVectors.in(simulation, method)),
          ngdMicros);
    }
  }

  /** Step sizes at which few methods diverge. */
  private static double alpha(PaperModel paper) {
    return switch (paper) {
      case LINEAR -> 0.01;
      case LOGISTIC -> 0.02;
      case POISSON -> 1e-4;
      case SURVIVAL -> 0.02;
    };
  }

  private void print(
      List<Line> lines, double rowsMicros, PaperModel paper, Topology topology, Console console) {
    if (format.isJson()) {
      List<JsonObject> objects = new ArrayList<>();
      for (Line line : lines) {
        objects.add(
            new JsonObject()
                .put("algorithm", line.word())
                .put("batch", line.batch() == 0 ? null : line.batch())
                .put("microsPerRound", line.micros())
                .put("vectors", line.vectors())
                .put("ngdMicrosPerRound", line.ngdMicros())
                .put("perVector", line.perVector())
                .put("perVectorByRows", line.byRows(rowsMicros))
                .put("made", line.made())
                .put("perMade", line.perMade()));
      }
      console
          .out()
          .println(
              new JsonObject()
                  .put("model", paper.spec())
                  .put("clients", problem.clients())
                  .put("network", topology.spec())
                  .put("ngdByRowsMicrosPerRound", rowsMicros)
                  .put("algorithms", objects));
      return;
    }
    TextTable table =
        new TextTable(
            List.of(
                "algorithm",
                "batch",
                "us a round",
                "ngd's us",
                "vectors",
                "per vector",
                "by rows",
                "made",
                "per made"));
    for (Line line : lines) {
      table.add(
          List.of(
              line.word(),
              line.batch() == 0 ? "all" : Integer.toString(line.batch()),
              NumberText.text(line.micros(), 3),
              NumberText.text(line.ngdMicros(), 3),
              NumberText.text(line.vectors(), 3),
              NumberText.text(line.perVector(), 3),
              NumberText.text(line.byRows(rowsMicros), 3),
              NumberText.text(line.made(), 3),
              NumberText.text(line.perMade(), 3)));
    }
    table.print(console.out());
    console
        .out()
        .printf(
            "%nper vector, per made: a round over these, in rounds of NGD; by rows: in rounds of"
                + " NGD over all rows, %s us; %s model, %s, %s, one thread%n",
            NumberText.text(rowsMicros, 3),
            paper.spec(),
            NumberText.count(problem.clients(), "client"),
            topology.spec());
  }
}
