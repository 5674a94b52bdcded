package ngd.core.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.answer.MethodAnswer;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.network.Diagnosis;
import ngd.core.network.Topology;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.rows.Rows;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.SimulatedRun;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;
import ngd.core.simulation.Traffic;
import ngd.core.theory.Curvature;
import ngd.core.world.Diverged;
import ngd.core.world.Extrapolation;
import ngd.core.world.Hook;
import ngd.core.world.Suitability;

/**
 * An algorithm's answer over simulated clients: all that can be known before the first round, and
 * then the rounds.
 *
 * @param scales the factors of the clients' gradients
 * @param globalEstimate what the pooled data give, where they give anything
 * @param limit how large a step the algorithm bears on this network
 * @param safeAlpha that limit as a step size, judged at the global estimate
 * @param threads how many to use; the results are the same for any number
 */
public record MethodRun(
    FitSetup setup,
    AlgorithmChoice choice,
    GradientScales scales,
    Objective objective,
    Optional<GlobalEstimate> globalEstimate,
    StepLimit limit,
    OptionalDouble safeAlpha,
    List<String> warnings,
    int threads) {
  private static final int MANY_CLIENTS = 10_000;

  /** A pooled gradient this many times that at the start means divergence. */
  private static final double GROWTH = 1e3;

  /** Receives the rounds done, and their total number. */
  public interface Watcher extends BiConsumer<Long, Long> {}

  /** Refuses data that determine no coefficients; warns of what else will go wrong. */
  public static MethodRun prepare(FitSetup setup, int threads) {
    AlgorithmChoice choice = MethodKeys.choice(setup.question());
    Suitability suitability =
        new Suitability(
            setup.network().schedule(),
            setup.regression(),
            MethodKeys.trust(setup.question()).mixing());
    suitability.require(choice);
    GradientScales scales = suitability.scales(choice.descriptor(), setup.sample().sizes());
    Shards shards = setup.sample().shards();
    List<String> warnings = new ArrayList<>();
    if (!choice.descriptor().central()) {
      warnings.addAll(
          Diagnosis.of(
                  setup.network().schedule().mean(), Topology.names(setup.network().topology()))
              .reachWarnings());
    }
    Optional<GlobalEstimate> estimate = Optional.empty();
    try {
      estimate =
          Optional.of(GlobalEstimate.of(setup.regression(), shards, setup.sample().features()));
    } catch (NoEstimate e) {
      switch (e.reason()) {
        case REDUNDANT_COLUMN, TOO_FEW_ROWS ->
            throw new InvalidInput(setup.sample().source() + ": " + e.getMessage(), e);
        case SEPARATION, NOT_CONVERGED ->
            warnings.add("there is no global estimate to compare with: " + e.getMessage());
      }
    }
    StepLimit limit = suitability.limit(choice);
    OptionalDouble safe =
        limit.isKnown() && choice.descriptor().takesStepSize()
            ? safeAlpha(setup, shards, scales, estimate, limit)
            : OptionalDouble.empty();
    if (choice.step() instanceof StepChoice.Given(StepSize alpha)
        && safe.isPresent()
        && alpha.largest() >= safe.getAsDouble()) {
      warnings.add(
          "alpha: %s is not below the safe limit %s of %s, %s; it may diverge"
              .formatted(
                  NumberText.text(alpha.largest()),
                  NumberText.text(safe.getAsDouble()),
                  choice.descriptor().name(),
                  limit.words(
                      "the largest eigenvalue of a client's %sHessian%s"
                          .formatted(
                              scales.areAllOne() ? "" : "scaled ",
                              setup.regression() instanceof Linear
                                  ? ""
                                  : " at the global estimate"))));
    }
    return new MethodRun(
        setup,
        choice,
        scales,
        setup.regression().over(shards),
        estimate,
        limit,
        safe,
        List.copyOf(warnings),
        threads);
  }

  private static OptionalDouble safeAlpha(
      FitSetup setup,
      Shards shards,
      GradientScales scales,
      Optional<GlobalEstimate> estimate,
      StepLimit limit) {
    double[] factors = new double[shards.clients()];
    Arrays.setAll(factors, scales::of);
    return estimate
        .map(
            found -> Curvature.at(setup.regression(), shards, found.theta(), factors).eigenvalues())
        .map(range -> OptionalDouble.of(limit.alpha(range.largest())))
        .orElse(OptionalDouble.empty());
  }

  private Question question() {
    return setup.question();
  }

  private int rounds() {
    return question().get(MethodKeys.ROUNDS);
  }

  private boolean linear() {
    return setup.regression() instanceof Linear;
  }

  /** The clients, before the first round. */
  private Simulation simulation() {
    Simulation plain =
        new Simulation(setup.network().schedule(), objective, setup.streams(), threads)
            .with(MethodKeys.trust(question()));
    return MethodKeys.gradientPrivacy(question(), setup.network().network())
        .map(plain::with)
        .orElse(plain);
  }

  /** The clients at zero, to be advanced by hand. */
  public SimulatedRun begin() {
    if (question().get(MethodKeys.EXTRAPOLATE)) {
      throw new InvalidInput("extrapolate: runs three times and cannot be watched as one");
    }
    return simulation()
        .begin(choice.algorithm(scales, linear(), limit), MethodKeys.impairments(question()));
  }

  /** The same clients on one thread, for rounds that nobody wants but the compiler. */
  public SimulatedRun warmUp() {
    return new MethodRun(
            setup.asking(question().without(MethodKeys.EXTRAPOLATE)),
            choice,
            scales,
            objective,
            globalEstimate,
            limit,
            safeAlpha,
            warnings,
            threads)
        .begin();
  }

  /** Runs all rounds. */
  public MethodAnswer run(Watcher watcher) {
    try {
      return question().get(MethodKeys.EXTRAPOLATE) ? extrapolated(watcher) : plain(watcher);
    } catch (Diverged e) {
      throw new WorkFailed(e.getMessage() + advice(), e);
    }
  }

  private MethodAnswer plain(Watcher watcher) {
    try (SimulatedRun run = begin()) {
      Trace trace =
          Trace.of(
              run,
              rounds(),
              traceEvery(),
              measures(),
              done -> watcher.accept((long) done, (long) rounds()));
      requireNotGrowing(trace);
      return answer(run.theta(), trace, run.traffic(), lastAlpha(run), Optional.empty());
    }
  }

  private static OptionalDouble lastAlpha(SimulatedRun run) {
    return run instanceof Run<?> rounds && rounds.state() instanceof AutoStep.State<?> auto
        ? OptionalDouble.of(auto.alpha())
        : OptionalDouble.empty();
  }

  private MethodAnswer extrapolated(Watcher watcher) {
    Trace trace = Trace.empty(measures());
    double alpha = choice.step().given().largest();
    Traffic[] traffic = {Traffic.NONE};
    Extrapolation.Outcome found =
        simulation()
            .within(
                (world, sent) ->
                    Extrapolation.run(
                        world,
                        choice.family(scales, linear()),
                        alpha,
                        rounds(),
                        objective.parameters(),
                        run -> {
                          if (run == 0) {
                            trace.add(0, world.block(zeros()), Traffic.NONE);
                          }
                          return traced(
                              run,
                              trace,
                              () -> {
                                traffic[0] = sent.get();
                                return traffic[0];
                              },
                              watcher);
                        }));
    requireNotGrowing(trace);
    if (!found.summary().sound()) {
      throw new WorkFailed(found.summary().problem());
    }
    return answer(
        found.theta(),
        trace.endingWith(found.theta()),
        traffic[0],
        OptionalDouble.empty(),
        Optional.of(found.summary()));
  }

  private double[][] zeros() {
    return new double[objective.clients()][objective.parameters()];
  }

  /** Measures one of several runs, its rounds counted after those of the runs before. */
  private Hook<Algorithm.State> traced(
      int run, Trace trace, java.util.function.Supplier<Traffic> sent, Watcher watcher) {
    int every = traceEvery();
    int rounds = rounds();
    return new Hook<>() {
      @Override
      public boolean shows(int round) {
        return round % every == 0 || round == rounds;
      }

      @Override
      public void after(Algorithm.State state) {
        if (shows(state.round())) {
          int done = run * rounds + state.round();
          trace.add(done, state.theta(), sent.get());
          watcher.accept((long) done, (run < 3 ? 3L : 4L) * rounds);
        }
      }
    };
  }

  /**
   * The answer of a run that was advanced by hand.
   *
   * @param asked the question that the run came to answer, with the rounds it did
   * @param notes what the question does not say of it
   */
  public MethodAnswer answer(Question asked, SimulatedRun run, Trace trace, List<String> notes) {
    requireNotGrowing(trace);
    List<String> said = new ArrayList<>(warnings);
    said.addAll(notes);
    return new MethodRun(
            setup.asking(asked),
            MethodKeys.choice(asked),
            scales,
            objective,
            globalEstimate,
            limit,
            safeAlpha,
            List.copyOf(said),
            threads)
        .answer(run.theta(), trace, run.traffic(), lastAlpha(run), Optional.empty());
  }

  private MethodAnswer answer(
      Rows theta,
      Trace trace,
      Traffic traffic,
      OptionalDouble lastAlpha,
      Optional<Extrapolation.Summary> extrapolation) {
    return new MethodAnswer(
        choice,
        setup.sample().features(),
        theta,
        0,
        theta.rows(),
        rounds(),
        setup.sample().rowsUsed(),
        new MethodAnswer.RunDetails(
            Optional.of(trace),
            Optional.of(traffic),
            globalEstimate,
            setup.model(),
            safeAlpha,
            lastAlpha,
            extrapolation,
            warnings));
  }

  /**
   * A run that ends while its pooled gradient grows has no result, though it may not have
   * overflowed.
   */
  private void requireNotGrowing(Trace trace) {
    double first = trace.value(0, "gradient_norm");
    double last = trace.last("gradient_norm");
    if (trace.size() > 1
        && last > GROWTH * first
        && last > trace.value(trace.size() - 2, "gradient_norm")) {
      throw new WorkFailed(
          "diverging: after round %d the pooled gradient is %s times what it was at the start, and growing%s"
              .formatted(trace.round(trace.size() - 1), NumberText.text(last / first), advice()));
    }
  }

  /** A measurement costs about as much as a round on one thread: fewer where rounds are long. */
  private int traceEvery() {
    int times = objective.clients() > MANY_CLIENTS ? 10 : 100;
    return question().find(MethodKeys.TRACE_EVERY).orElseGet(() -> Math.max(1, rounds() / times));
  }

  private String advice() {
    return safeAlpha.isEmpty()
        ? ""
        : "; alpha is %s, the safe limit of `%s` is %s"
            .formatted(
                choice.step().spec(),
                choice.descriptor().name(),
                NumberText.text(safeAlpha.getAsDouble()));
  }

  /** What a trace of it records. */
  public List<Measure> measures() {
    List<Measure> measures = new ArrayList<>();
    setup.truth().ifPresent(truth -> measures.add(Measure.logMse(truth)));
    globalEstimate.ifPresent(found -> measures.add(Measure.distance(found.theta())));
    measures.add(Measure.consensus());
    measures.add(Measure.gradientNorm(objective));
    return measures;
  }
}
