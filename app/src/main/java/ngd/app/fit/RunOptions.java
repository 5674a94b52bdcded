package ngd.app.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.app.terminal.Problems;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Attack;
import ngd.core.simulation.Impairments;
import ngd.core.simulation.Trust;
import ngd.core.world.Mixing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how it is learned: the algorithm, its step sizes and how long it runs. */
final class RunOptions {
  @Option(
      names = "--algorithm",
      paramLabel = "WORD",
      description =
          "ngd (the default where --alpha is given), balanced-ngd, dgd, d-psgd, d2, diging, push-diging, extra, exact-diffusion,"
              + " push-pull, sgp, cfa:E, cfa-ge:E, dual-averaging, model-propagation:A:RIDGE,"
              + " collaborative:COUPLING:RHO, bayesian:NOISE:PRIOR, early-stopped:T, fedavg, the asynchronous"
              + " async-ngd:STALENESS, ad-psgd, gosgd:P, or one of your own; what stands after a colon may be left out.")
  private @Nullable String algorithm;

  @Option(
      names = "--alpha",
      paramLabel = "A",
      split = ",",
      description =
          "The learning rate: 0.01, a schedule 0.01,0.005@1000,0.001@4000, 0.5/t, 0.5/sqrt(t), 0.5/t^0.75,"
              + " or auto: half the safe one, cut when the iterates stop moving.")
  private List<String> alpha = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "T",
      description = "How many rounds to run; without --alpha and --algorithm, at most so many.")
  private @Nullable Integer rounds;

  @Option(
      names = "--batch",
      paramLabel = "B",
      description = "Rows of a client's mini-batch; all its rows in every round by default.")
  private @Nullable Integer batch;

  @Option(
      names = "--local-steps",
      paramLabel = "K",
      description = "Gradient steps of ngd and fedavg between two messages; 1 by default.")
  private @Nullable Integer localSteps;

  @Option(
      names = "--extrapolate",
      description =
          "Run T rounds at each of alpha, alpha/2 and alpha/4, and at alpha/8 where these leave something over, and extrapolate to alpha = 0.")
  private boolean extrapolate;

  @Option(
      names = "--mix",
      paramLabel = "RULE",
      defaultValue = "mean",
      description =
          "How to average what is heard: mean (the default), or with less trust trimmed:B, median,"
              + " clipped:T.")
  private String mix = "mean";

  @Option(
      names = "--attack",
      paramLabel = "KIND",
      description =
          "What the --attackers send instead of the truth: sign-flip:F, noise:SD, constant:C or nan.")
  private @Nullable String attack;

  @Option(
      names = "--attackers",
      paramLabel = "M",
      split = ",",
      description = "The clients that lie.")
  private List<Integer> attackers = List.of();

  @Option(
      names = "--clocks",
      paramLabel = "WORD",
      description =
          "How the clients of an asynchronous algorithm keep time: equal (the default), poisson or"
              + " unequal; --rounds are then simulated seconds.")
  private @Nullable String clocks;

  @Option(
      names = "--delay",
      paramLabel = "S",
      description = "The mean seconds that a message takes; none by default.")
  private @Nullable Double delay;

  @Option(
      names = "--loss",
      paramLabel = "P",
      description = "The share of messages that never arrive; 0 by default.")
  private @Nullable Double loss;

  @Option(
      names = "--churn",
      paramLabel = "UP",
      split = ",",
      description = "UP,DOWN: the mean seconds that a client stays, and stays away.")
  private List<Double> churn = List.of();

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
          "The run folder to write, new or empty: coefficients.csv, vcov.csv, result.json, manifest.json; with --alpha or"
              + " --algorithm theta.csv and trace.csv instead of the first two.")
  private @Nullable Path out;

  /**
   * How a run was asked for.
   *
   * @param alpha the step size; null where it is left to the run
   * @param auto whether the run finds its own step size
   * @param batch the rows of a mini-batch, or 0 for all
   * @param traceEvery the rounds between two measurements; 0 where that was left open
   * @param folder where to write it, if it is to be written
   */
  record Plan(
      Algorithms.Named algorithm,
      @Nullable StepSize alpha,
      boolean auto,
      boolean extrapolate,
      int rounds,
      int batch,
      int localSteps,
      Trust trust,
      Impairments conditions,
      int threads,
      int traceEvery,
      @Nullable RunFolder folder) {
    String name() {
      return algorithm.method().name();
    }

    /** The step size in the words of the command line. */
    String alphaText() {
      return auto ? "auto" : alpha == null ? "none" : alpha.toString();
    }

    /** The same for another method. */
    Plan with(Algorithms.Named other) {
      return new Plan(
          other,
          alpha,
          auto,
          extrapolate,
          rounds,
          batch,
          localSteps,
          trust,
          conditions,
          threads,
          traceEvery,
          folder);
    }
  }

  private String algorithm() {
    return algorithm == null ? "ngd" : algorithm;
  }

  /** Whether the run was told how to go: with neither a method nor a step size it finds its way. */
  boolean told() {
    return algorithm != null || !alpha.isEmpty();
  }

  /** A limit for the rounds of a run that finds its own way. */
  @Nullable Integer rounds() {
    return rounds;
  }

  int threads() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
  }

  /** The run folder, if one is to be written. */
  @Nullable RunFolder folder(Problems problems) {
    Path path = out;
    return path == null ? null : problems.collect(() -> RunFolder.at(path));
  }

  /** Options that only a run takes that was told how to go. */
  void requireUntold(Problems problems) {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--batch", batch != null);
    given.put("--local-steps", localSteps != null);
    given.put("--extrapolate", extrapolate);
    given.put("--mix", !mix.equals("mean"));
    given.put("--attack", attack != null || !attackers.isEmpty());
    given.put("--clocks", clocks != null);
    given.put("--delay", delay != null);
    given.put("--loss", loss != null);
    given.put("--churn", !churn.isEmpty());
    given.put("--trace-every", traceEvery != null);
    given.forEach(
        (name, is) ->
            problems.require(
                !is,
                name
                    + ": goes with --algorithm or --alpha; without them the fit finds its own way"));
    problems.require(rounds == null || rounds >= 1, atLeast("--rounds", 1, rounds));
    problems.require(threads == null || threads >= 1, atLeast("--threads", 1, threads));
  }

  private boolean auto() {
    return alpha.equals(List.of("auto"));
  }

  /** The learning rate, where one was given. */
  @Nullable StepSize stepSize(Problems problems) {
    return alpha.isEmpty() || auto()
        ? null
        : problems.collect(() -> StepSize.parse(String.join(",", alpha)));
  }

  /** The plan, null where something is missing or wrong; nothing is written yet. */
  @Nullable Plan plan(Problems problems) {
    Algorithms.Named named = checkWords(problems);
    if (named != null) {
      checkOptions(named.method(), problems);
    }
    return plan(named, problems);
  }

  /** The plan for a method that is known already. */
  @Nullable Plan plan(Algorithms.@Nullable Named named, Problems problems) {
    StepSize step = stepSize(problems);
    problems.require(rounds != null, "--rounds: how many rounds to run must be given");
    problems.require(
        !extrapolate || step == null || step instanceof StepSize.Constant,
        "--extrapolate: needs a constant --alpha, which it halves; got " + step);
    problems.require(
        !extrapolate || !auto(), "--extrapolate: needs an --alpha of its own, not auto");
    Trust trust = problems.collect(this::trust);
    Impairments conditions = problems.collect(this::conditions);
    RunFolder folder = folder(problems);
    if (named == null || trust == null || conditions == null || problems.any() || rounds == null) {
      return null;
    }
    return new Plan(
        named,
        step,
        auto(),
        extrapolate,
        rounds,
        batch == null ? 0 : batch,
        localSteps == null ? 1 : localSteps,
        trust,
        conditions,
        threads(),
        traceEvery == null ? 0 : traceEvery,
        folder);
  }

  private Impairments conditions() {
    if (!churn.isEmpty() && churn.size() != 2) {
      throw new InvalidInput("--churn: must be UP,DOWN, two numbers; got " + churn);
    }
    return new Impairments(
        Impairments.clocks(clocks == null ? "equal" : clocks),
        delay == null ? 0 : delay,
        loss == null ? 0 : loss,
        churn.isEmpty() ? 0 : churn.get(0),
        churn.isEmpty() ? 0 : churn.get(1));
  }

  private Trust trust() {
    Mixing rule = Mixing.parse(mix);
    if ((attack == null) != attackers.isEmpty()) {
      throw new InvalidInput("--attack and --attackers: go together");
    }
    return attack == null ? new Trust(rule) : new Trust(rule, Attack.parse(attack), attackers);
  }

  /** What is wrong with these options by themselves; the method, if it is one. */
  Algorithms.@Nullable Named checkWords(Problems problems) {
    Algorithms.Named named = problems.collect(() -> Algorithms.parse(algorithm()));
    problems.require(rounds == null || rounds >= 0, atLeast("--rounds", 0, rounds));
    problems.require(batch == null || batch >= 1, atLeast("--batch", 1, batch));
    problems.require(
        localSteps == null || localSteps >= 1, atLeast("--local-steps", 1, localSteps));
    problems.require(threads == null || threads >= 1, atLeast("--threads", 1, threads));
    problems.require(
        traceEvery == null || traceEvery >= 1, atLeast("--trace-every", 1, traceEvery));
    return named;
  }

  /** The theory is that of NGD: a verdict on it must not pass for one on another method. */
  void requireNgd(Problems problems) {
    Algorithms.Named named = checkWords(problems);
    problems.require(
        named == null || named.method().name().equals("ngd"),
        "--algorithm: check judges `ngd`, the method whose theory it knows; got `%s`"
            .formatted(algorithm()));
  }

  /** What was asked of a run that the theory leaves out. */
  Optional<String> beyondTheTheory() {
    List<String> left = new ArrayList<>();
    if (batch != null) {
      left.add("--batch");
    }
    if (localSteps != null && localSteps > 1) {
      left.add("--local-steps");
    }
    if (!mix.equals("mean")) {
      left.add("--mix");
    }
    if (attack != null) {
      left.add("--attack");
    }
    if (extrapolate) {
      left.add("--extrapolate");
    }
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "judged without %s: one step on all rows at the mean of what is heard, everyone honest"
                .formatted(String.join(", ", left)));
  }

  /** Options that the method does not have are refused, not ignored. */
  void checkOptions(Method method, Problems problems) {
    String name = method.name();
    problems.require(
        !alpha.isEmpty() || !method.takesStepSize(), "--alpha: the learning rate must be given");
    problems.require(
        !extrapolate || method.takesStepSize(),
        "--extrapolate: `%s` has no step size to halve".formatted(name));
    problems.require(
        batch == null || method.options().contains(Method.Option.BATCH),
        "--batch: `%s` has no mini-batches".formatted(name));
    problems.require(
        localSteps == null || method.options().contains(Method.Option.LOCAL_STEPS),
        "--local-steps: `%s` has none".formatted(name));
    boolean timed = clocks != null || delay != null || loss != null || !churn.isEmpty();
    problems.require(
        method.asynchronous() || !timed,
        "--clocks, --delay, --loss, --churn: `%s` runs in rounds; async-ngd, ad-psgd and gosgd do not"
            .formatted(name));
    problems.require(
        !method.asynchronous() || !(extrapolate || auto()),
        "--extrapolate and --alpha auto: `%s` has no common rounds to judge by".formatted(name));
    problems.require(
        !method.asynchronous() || (mix.equals("mean") && attack == null),
        "--mix and --attack: `%s` does not mix in rounds".formatted(name));
    problems.require(
        !extrapolate || batch == null,
        "--extrapolate: goes without --batch, whose noise is not linear in alpha");
  }

  private static String atLeast(String option, int least, @Nullable Integer found) {
    return "%s: must be at least %d; got %s".formatted(option, least, found);
  }
}
