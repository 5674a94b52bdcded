package ngd.app;

import java.nio.file.Path;
import java.util.List;
import ngd.core.NearestName;
import ngd.core.algorithm.Ngd;
import ngd.core.algorithm.StepSize;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how it is learned: the algorithm, its step sizes and how long it runs. */
final class RunOptions {
  private static final List<String> ALGORITHMS = List.of("ngd");

  @Option(
      names = "--algorithm",
      paramLabel = "WORD",
      defaultValue = "ngd",
      description = "ngd, network gradient descent (the default).")
  private String algorithm = "ngd";

  @Option(
      names = "--alpha",
      paramLabel = "A",
      split = ",",
      description =
          "The learning rate: 0.01, a schedule 0.01,0.005@1000,0.001@4000, or 0.5/t, 0.5/sqrt(t), 0.5/t^0.75.")
  private List<String> alpha = List.of();

  @Option(names = "--rounds", paramLabel = "T", description = "How many rounds to run.")
  private @Nullable Integer rounds;

  @Option(
      names = "--batch",
      paramLabel = "B",
      description = "Rows of a client's mini-batch; all its rows in every round by default.")
  private @Nullable Integer batch;

  @Option(
      names = "--threads",
      paramLabel = "K",
      description =
          "Threads to use, all cores by default; the results are the same for any number.")
  private @Nullable Integer threads;

  @Option(
      names = "--trace-every",
      paramLabel = "K",
      description =
          "Measure every K rounds; by default about a hundred times in all, ten with many clients.")
  private @Nullable Integer traceEvery;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The run folder to write, new or empty: theta.csv, trace.csv, result.json, manifest.json.")
  private @Nullable Path out;

  /**
   * How a run was asked for.
   *
   * @param traceEvery the rounds between two measurements; 0 where that was left open
   * @param folder where to write it, if it is to be written
   */
  record Plan(Ngd algorithm, int rounds, int threads, int traceEvery, @Nullable RunFolder folder) {}

  /** The learning rate, where one was given. */
  @Nullable StepSize stepSize(Problems problems) {
    return alpha.isEmpty() ? null : problems.collect(() -> StepSize.parse(String.join(",", alpha)));
  }

  /** The plan, null where something is missing or wrong; nothing is written yet. */
  @Nullable Plan plan(Problems problems) {
    checkWords(problems);
    StepSize step = stepSize(problems);
    problems.require(!alpha.isEmpty(), "--alpha: the learning rate must be given");
    problems.require(rounds != null, "--rounds: how many rounds to run must be given");
    Path out = this.out;
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    if (step == null || rounds == null) {
      return null;
    }
    return new Plan(
        new Ngd(step, batch == null ? 0 : batch),
        rounds,
        threads == null ? Runtime.getRuntime().availableProcessors() : threads,
        traceEvery == null ? 0 : traceEvery,
        folder);
  }

  /** What is wrong with these options by themselves. */
  void checkWords(Problems problems) {
    problems.require(
        ALGORITHMS.contains(algorithm),
        "--algorithm: must be %s; got `%s`%s"
            .formatted(
                String.join(", ", ALGORITHMS), algorithm, NearestName.hint(algorithm, ALGORITHMS)));
    problems.require(rounds == null || rounds >= 0, atLeast("--rounds", 0, rounds));
    problems.require(batch == null || batch >= 1, atLeast("--batch", 1, batch));
    problems.require(threads == null || threads >= 1, atLeast("--threads", 1, threads));
    problems.require(
        traceEvery == null || traceEvery >= 1, atLeast("--trace-every", 1, traceEvery));
  }

  private static String atLeast(String option, int least, @Nullable Integer found) {
    return "%s: must be at least %d; got %s".formatted(option, least, found);
  }
}
