package ngd.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.NumberText;
import ngd.app.terminal.Problems;
import ngd.app.terminal.TextTable;
import ngd.app.terminal.Top;
import ngd.app.terminal.WorkFailed;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.run.JsonObject;
import ngd.core.training.RunningStatistics;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingData;
import ngd.core.training.TrainingFailed;
import ngd.core.training.TrainingPlan;
import ngd.core.training.TrainingResult;
import ngd.core.world.Diverged;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd train}: neural networks over simulated clients. */
@Command(
    name = "train",
    description = {
      "Trains a neural network over simulated clients and evaluates every client's.",
      "",
      "libtorch (some 110 MB) is fetched on first use.",
      ""
    })
final class TrainCommand implements Callable<Integer> {
  /** Evaluations in all where nobody says how often. */
  private static final int EVALUATIONS = 20;

  @ParentCommand private @Nullable Top parent;

  @Option(
      names = "--model",
      paramLabel = "WORD",
      description =
          "lenet, mobilenet, resnet20 (:group for group normalisation), mlp:64-32, or one of your own.")
  private @Nullable String model;

  @Mixin private TrainingDataOptions data = new TrainingDataOptions();

  @Option(
      names = "--clients",
      paramLabel = "M",
      description = "The number of clients; a partition may say it too.")
  private @Nullable Integer clients;

  @Option(
      names = "--partition",
      paramLabel = "SPEC",
      defaultValue = "random",
      description =
          "Which samples go together: random (the default), sorted, dirichlet:A, rows:n1,n2,…, or"
              + " column:NAME of a table.")
  private String partition = "random";

  @Option(
      names = "--placement",
      paramLabel = "WORD",
      defaultValue = "in-order",
      description = "Which client gets which part: in-order (the default) or random.")
  private String placement = "in-order";

  @Option(
      names = "--network",
      paramLabel = "SPEC",
      description = "Who hears whom, such as circle:2; as for fit.")
  private @Nullable String network;

  @Option(
      names = "--weights",
      paramLabel = "WORD",
      description = "How a client weighs what it hears; as for fit.")
  private @Nullable String weights;

  @Option(
      names = "--pooled",
      description =
          "One client with all samples instead: the optimum that the others are compared with.")
  private boolean pooled;

  @Option(
      names = "--algorithm",
      paramLabel = "WORD",
      defaultValue = "ngd",
      description = "ngd (the default) or another synchronous one that needs gradients only.")
  private String algorithm = "ngd";

  @Option(
      names = "--alpha",
      paramLabel = "A",
      split = ",",
      description = "The learning rate: 0.01, a schedule 0.01,0.005@1000,0.001@4000, 0.5/t, …")
  private List<String> alpha = List.of();

  @Option(names = "--rounds", paramLabel = "T", description = "How many rounds to run.")
  private @Nullable Integer rounds;

  @Option(
      names = "--batch",
      paramLabel = "B",
      description =
          "Samples of a client's mini-batch; an epoch is over when every client went through all its"
              + " batches. All samples by default.")
  private @Nullable Integer batch;

  @Option(
      names = "--local-steps",
      paramLabel = "K",
      description = "Gradient steps between two messages; 1 by default.")
  private @Nullable Integer localSteps;

  @Option(
      names = "--device",
      paramLabel = "WORD",
      defaultValue = "cpu",
      description = "cpu (the default) or cuda.")
  private String device = "cpu";

  @Option(
      names = "--precision",
      paramLabel = "WORD",
      defaultValue = "float32",
      description = "float32 (the default), tf32, bf16 or float64.")
  private String precision = "float32";

  @Option(
      names = "--plain",
      description = "Library calls only, also where there are kernels of our own.")
  private boolean plain;

  @Option(names = "--threads", paramLabel = "K", description = "Threads to use, all by default.")
  private @Nullable Integer threads;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Only the first N samples of each class, to learn and to validate.")
  private @Nullable Integer samples;

  @Option(
      names = "--start",
      paramLabel = "FILE",
      description = "A safetensors file with weights to begin with; Xavier uniform by default.")
  private @Nullable Path start;

  @Option(
      names = "--batch-norm",
      paramLabel = "WORD",
      defaultValue = "local",
      description =
          "Running statistics of batch normalisation stay local (the default), are mixed like"
              + " parameters, or are frozen as --start gives them and used in training too.")
  private String batchNorm = "local";

  @Option(
      names = "--evaluate-every",
      paramLabel = "K",
      description = "Evaluate all clients every K rounds; by default some twenty times in all.")
  private @Nullable Integer evaluateEvery;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "K",
      description = "Keep a checkpoint in --out every K rounds; by default at every evaluation.")
  private @Nullable Integer checkpointEvery;

  @Option(
      names = "--resume",
      description = "Go on from the checkpoint in --out; all else must be asked as before.")
  private boolean resume;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The run folder to write: theta.safetensors, trace.csv, errors.csv, result.json,"
              + " manifest.json.")
  private @Nullable Path out;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seeds all that is random; 1 by default.")
  private Long seed = 1L;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = Top.consoleOf(parent);
    TrainingPlan plan = plan();
    TrainingResult result;
    try (TrainingWatch watch = new TrainingWatch(console, plan)) {
      result = Trainer.find().train(plan, watch);
    } catch (Diverged e) {
      throw new WorkFailed(e.getMessage() + "; use a smaller --alpha", e);
    } catch (TrainingFailed e) {
      throw new WorkFailed(e.getMessage(), e);
    }
    if (format.isJson()) {
      console.out().println(json(result));
    } else {
      print(plan, result, console);
    }
    return Exit.DONE;
  }

  private TrainingPlan plan() {
    Problems problems = new Problems();
    problems.require(model != null, "--model: which network to train must be given, such as lenet");
    TrainingData from = data.data(problems);
    problems.require(
        pooled || network != null, "--network: who hears whom must be given, such as circle:2");
    problems.require(rounds != null, "--rounds: how many rounds to run must be given");
    Partition cut = problems.collect(() -> Partition.parse(partition));
    problems.require(
        pooled
            || clients != null
            || cut == null
            || cut instanceof Partition.Column
            || cut instanceof Partition.Sizes,
        "--clients: how many clients there are must be given");
    problems.collect(() -> Placement.parse(placement));
    Algorithms.Named named = problems.collect(() -> Algorithms.parse(algorithm));
    StepSize step =
        alpha.isEmpty() ? null : problems.collect(() -> StepSize.parse(String.join(",", alpha)));
    if (named != null) {
      check(named.method(), problems);
    }
    RunningStatistics statistics = problems.collect(() -> RunningStatistics.parse(batchNorm));
    problems.require(
        statistics != RunningStatistics.FROZEN || start != null,
        "--batch-norm frozen: needs --start, whose running statistics it keeps");
    problems.require(!resume || out != null, "--resume: needs --out, where the checkpoint is");
    atLeast("--clients", 1, clients, problems);
    atLeast("--rounds", 1, rounds, problems);
    atLeast("--batch", 1, batch, problems);
    atLeast("--local-steps", 1, localSteps, problems);
    atLeast("--threads", 1, threads, problems);
    atLeast("--samples", 1, samples, problems);
    atLeast("--evaluate-every", 1, evaluateEvery, problems);
    atLeast("--checkpoint-every", 1, checkpointEvery, problems);
    problems.throwIfAny();
    if (model == null || from == null || rounds == null || statistics == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    int every = evaluateEvery == null ? Math.max(1, rounds / EVALUATIONS) : evaluateEvery;
    return new TrainingPlan(
        model,
        from,
        new TrainingPlan.Clients(
            clients, partition, placement, network == null ? "complete" : network, weights),
        pooled,
        algorithm,
        step,
        rounds,
        batch == null ? 0 : batch,
        localSteps == null ? 1 : localSteps,
        new TrainingPlan.Machine(
            device,
            precision,
            threads == null ? Runtime.getRuntime().availableProcessors() : threads,
            !plain),
        seed,
        samples == null ? 0 : samples,
        every,
        checkpointEvery == null ? every : checkpointEvery,
        start,
        statistics,
        out,
        resume);
  }

  private void check(Method method, Problems problems) {
    problems.require(
        !method.asynchronous(),
        "--algorithm: must run in rounds; `%s` is asynchronous".formatted(method.name()));
    problems.require(
        !alpha.isEmpty() || !method.takesStepSize(), "--alpha: the learning rate must be given");
    problems.require(
        batch == null || method.options().contains(Method.Option.BATCH),
        "--batch: `%s` has no mini-batches".formatted(method.name()));
    problems.require(
        localSteps == null || method.options().contains(Method.Option.LOCAL_STEPS),
        "--local-steps: `%s` has none".formatted(method.name()));
  }

  private static void atLeast(
      String option, int least, @Nullable Integer found, Problems problems) {
    problems.require(
        found == null || found >= least,
        "%s: must be at least %d; got %s".formatted(option, least, found));
  }

  private static JsonObject json(TrainingResult result) {
    return new JsonObject()
        .put("parameters", result.parameters())
        .put("clients", result.clients())
        .put("samples", result.samples())
        .put("rounds", result.last().round())
        .put("epochs", result.last().epoch())
        .put("meanErr", result.last().mean())
        .put("logSdErr", result.last().logSd())
        .put("millisecondsPerRound", 1e3 * result.secondsPerRound())
        .put("passes", result.passes());
  }

  private static void print(TrainingPlan plan, TrainingResult result, Console console) {
    console
        .out()
        .printf(
            "%s with %,d parameters: %s of %s, alpha %s, %s of %s, %s%n%n",
            plan.model(),
            result.parameters(),
            NumberText.count(result.last().round(), "round"),
            plan.algorithm(),
            plan.alpha() == null ? "none" : plan.alpha(),
            NumberText.count(result.samples(), "sample"),
            result.data(),
            plan.pooled()
                ? "pooled"
                : "%s on %s"
                    .formatted(
                        NumberText.count(result.clients(), "client"), plan.clients().network()));
    TextTable table = new TextTable(List.of("round", "epoch", "mean Err", "log SD"));
    for (TrainingResult.Point point : result.points()) {
      table.add(
          List.of(
              Integer.toString(point.round()),
              NumberText.text(point.epoch(), 4),
              NumberText.text(point.mean(), 4),
              NumberText.text(point.logSd(), 4)));
    }
    table.print(console.out());
    console
        .out()
        .printf(
            Locale.ROOT,
            "%n%.2f ms a round on %s in %s: %s%n",
            1e3 * result.secondsPerRound(),
            plan.machine().device(),
            plan.machine().precision(),
            result.passes());
    if (plan.out() != null) {
      console.out().printf("written to %s%n", plan.out());
    }
  }
}
