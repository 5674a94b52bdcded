package ngd.core.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.answer.MethodAnswer;
import ngd.core.data.Shards;
import ngd.core.inference.AveragedIntervals;
import ngd.core.inference.LiarIdentification;
import ngd.core.inference.StationaryWeights;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Glm;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.network.Diagnosis;
import ngd.core.network.Topology;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.simulation.Cost;
import ngd.core.simulation.Impairments;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.SimulatedRun;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;
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
 * @param impairments what makes rounds longer, or events late
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
    Impairments impairments,
    int threads) {
  private static final int MANY_CLIENTS = 10_000;

  /** A pooled gradient this many times that at the start means divergence. */
  private static final double GROWTH = 1e3;

  /** Receives the rounds done, and their total number. */
  public interface Watcher extends BiConsumer<Long, Long> {}

  /** Refuses data that determine no coefficients; warns of what else will go wrong. */
  public static MethodRun prepare(FitSetup setup, int threads) {
    return prepare(setup, threads, Known.of(setup));
  }

  /** What is known of the data, whatever the method. */
  private record Known(
      Objective objective, Optional<GlobalEstimate> estimate, List<String> warnings) {
    static Known of(FitSetup setup) {
      Shards shards = setup.sample().shards();
      Objective objective = setup.loss().over(shards);
      try {
        return new Known(
            objective,
            Optional.of(GlobalEstimate.of(setup.loss(), shards, setup.sample().columnNames())),
            List.of());
      } catch (NoEstimate e) {
        return switch (e.reason()) {
          case REDUNDANT_COLUMN, TOO_FEW_ROWS ->
              throw new InvalidInput(setup.sample().source() + ": " + e.getMessage(), e);
          case SEPARATION, NOT_CONVERGED ->
              new Known(
                  objective,
                  Optional.empty(),
                  List.of("there is no global estimate to compare with: " + e.getMessage()));
        };
      }
    }
  }

  /** Several methods on the same data, each refused where it does not suit; problems say why. */
  static List<MethodRun> prepareAll(
      FitSetup setup, Collection<Question> methods, int threads, Problems problems) {
    Known known = problems.collect(() -> Known.of(setup));
    List<MethodRun> runs = new ArrayList<>();
    for (Question method : known == null ? List.<Question>of() : methods) {
      MethodRun run = problems.collect(() -> prepare(setup.asking(method), threads, known));
      if (run != null) {
        runs.add(run);
      }
    }
    return runs;
  }

  private static MethodRun prepare(FitSetup setup, int threads, Known known) {
    AlgorithmChoice choice = MethodKeys.choice(setup.question());
    Suitability suitability =
        new Suitability(
            setup.network().schedule(), setup.loss(), MethodKeys.trust(setup.question()).mixing());
    suitability.require(choice);
    MethodKeys.intervals(setup.question(), setup.parameters())
        .ifPresent(
            wanted ->
                wanted.requireNewRows(
                    Simulation.exchange(setup.network().schedule()), setup.sample().sizes()));
    setup
        .question()
        .find(MethodKeys.IDENTIFY)
        .ifPresent(
            rate -> LiarIdentification.require(rate, setup.network().schedule(), setup.loss()));
    GradientScales scales = suitability.scales(choice.descriptor(), setup.sample().sizes());
    Shards shards = known.objective().shards();
    List<String> warnings = new ArrayList<>(suitability.warnings());
    if (!choice.descriptor().central()) {
      warnings.addAll(
          Diagnosis.of(
                  setup.network().schedule().mean(), Topology.names(setup.network().topology()))
              .reachWarnings());
    }
    Optional<GlobalEstimate> estimate = known.estimate();
    warnings.addAll(known.warnings());
    StepLimit limit = suitability.limit(choice);
    OptionalDouble safe =
        limit.isKnown() && choice.descriptor().takesStepSize()
            ? safeAlpha(setup, shards, scales, estimate, limit, choice.decay())
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
                              setup.loss() instanceof Linear ? "" : " at the global estimate"))));
    }
    return new MethodRun(
        setup,
        choice,
        scales,
        known.objective(),
        estimate,
        limit,
        safe,
        List.copyOf(warnings),
        MethodKeys.impairments(setup.question()),
        threads);
  }

  private static OptionalDouble safeAlpha(
      FitSetup setup,
      Shards shards,
      GradientScales scales,
      Optional<GlobalEstimate> estimate,
      StepLimit limit,
      double decay) {
    if (!(setup.loss() instanceof CurvedLoss loss)) {
      return OptionalDouble.empty();
    }
    double[] factors = new double[shards.clients()];
    Arrays.setAll(factors, scales::of);
    return estimate
        .map(found -> Curvature.eigenvalues(loss, shards, found.theta(), factors))
        .map(range -> OptionalDouble.of(limit.alpha(range.largest() + decay * scales.largest())))
        .orElse(OptionalDouble.empty());
  }

  /** 1 / L, with L the largest curvature of a client at the global estimate, or 1. */
  double curvatureStep() {
    double[] at = globalEstimate.orElseThrow().theta();
    return setup.loss() instanceof CurvedLoss loss
        ? 1 / Curvature.at(loss, objective.shards(), at).eigenvalues().largest()
        : 1;
  }

  private Question question() {
    return setup.question();
  }

  private int rounds() {
    return question().get(MethodKeys.ROUNDS);
  }

  private boolean linear() {
    return setup.loss() instanceof Linear;
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
    return simulation().begin(choice.algorithm(scales, linear(), limit), impairments);
  }

  /** The same clients, for rounds that nobody wants but the compiler. */
  public SimulatedRun warmUp() {
    return asking(question().without(MethodKeys.EXTRAPOLATE)).begin();
  }

  /** The same method for other rounds, or with another step size. */
  public MethodRun asking(Question other) {
    return with(other, impairments, threads);
  }

  /** The same where clocks and messages are imperfect, whatever the question says of them. */
  MethodRun under(Impairments other) {
    return with(question(), other, threads);
  }

  /** The same on other threads. */
  MethodRun on(int others) {
    return with(question(), impairments, others);
  }

  private MethodRun with(Question asked, Impairments other, int others) {
    return new MethodRun(
        setup.asking(asked),
        MethodKeys.choice(asked),
        scales,
        objective,
        globalEstimate,
        limit,
        safeAlpha,
        warnings,
        other,
        others);
  }

  /** Is shown all clients' estimates whenever a run is measured. */
  @FunctionalInterface
  public interface Looks {
    void at(int round, Rows theta);
  }

  /** Runs all rounds. */
  public MethodAnswer run(Watcher watcher) {
    return run(watcher, (_, _) -> {});
  }

  /** The same with somebody looking on. */
  public MethodAnswer run(Watcher watcher, Looks looks) {
    try {
      return question().get(MethodKeys.EXTRAPOLATE)
          ? extrapolated(watcher, looks)
          : plain(watcher, looks);
    } catch (Diverged e) {
      throw new WorkFailed(e.getMessage() + advice(), e);
    }
  }

  private MethodAnswer plain(Watcher watcher, Looks looks) {
    try (SimulatedRun run = begin()) {
      looks.at(0, run.theta());
      Trace trace =
          Trace.of(
              run,
              rounds(),
              traceEvery(),
              measures(),
              done -> {
                looks.at(done, run.theta());
                watcher.accept((long) done, (long) rounds());
              });
      requireNotGrowing(trace);
      return answer(run.theta(), trace, run.cost(), lastAlpha(run), Optional.empty(), judged(run));
    }
  }

  /** What is found out of a run that is done. */
  private record Judged(
      Optional<AveragedIntervals> intervals, Optional<LiarIdentification> identification) {}

  private Judged judged(SimulatedRun run) {
    return new Judged(intervals(run), identification(run));
  }

  /** Whom clients suspect, where it is asked for. */
  private Optional<LiarIdentification> identification(SimulatedRun run) {
    return question()
        .find(MethodKeys.IDENTIFY)
        .map(
            rate -> {
              if (!(run instanceof Run<?> rounds) || !(setup.loss() instanceof Glm glm)) {
                throw new IllegalStateException("identification is of methods in rounds");
              }
              Edges said = rounds.said();
              return simulation()
                  .within(
                      world ->
                          LiarIdentification.of(
                              rate,
                              setup.network().network(),
                              0,
                              run.theta(),
                              said,
                              world.curved(),
                              glm,
                              setup.sample().rows()));
            });
  }

  /** Intervals around the mean over rounds, where they are asked for. */
  private Optional<AveragedIntervals> intervals(SimulatedRun run) {
    return asked()
        .map(
            wanted -> {
              if (!(run instanceof Run<?> rounds)
                  || !(rounds.state() instanceof Averaged.State<?> state)) {
                throw new IllegalStateException("intervals are of averages over rounds");
              }
              AveragedIntervals.Shares shares =
                  new AveragedIntervals.Shares(
                      StationaryWeights.of(setup.network().schedule()), scales);
              return simulation()
                  .within(
                      world -> {
                        wanted.requireNewRows(world.totals(), setup.sample().sizes());
                        return AveragedIntervals.of(world, state, setup.loss(), shares, wanted);
                      });
            });
  }

  private Optional<AveragedIntervals.Settings> asked() {
    return MethodKeys.intervals(question(), setup.parameters());
  }

  private static OptionalDouble lastAlpha(SimulatedRun run) {
    return run instanceof Run<?> rounds && rounds.state() instanceof AutoStep.State<?> auto
        ? OptionalDouble.of(auto.alpha())
        : OptionalDouble.empty();
  }

  private MethodAnswer extrapolated(Watcher watcher, Looks looks) {
    Trace trace = Trace.empty(measures());
    double alpha = choice.step().given().largest();
    Cost[] cost = {Cost.NONE};
    Extrapolation.Outcome found =
        simulation()
            .within(
                (world, spent) ->
                    Extrapolation.run(
                        world,
                        choice.family(scales, linear()),
                        alpha,
                        rounds(),
                        objective.parameters(),
                        run -> {
                          if (run == 0) {
                            trace.add(0, world.block(zeros()), Cost.NONE);
                            looks.at(0, world.block(zeros()));
                          }
                          return traced(
                              run,
                              trace,
                              () -> {
                                cost[0] = spent.get();
                                return cost[0];
                              },
                              looks,
                              watcher);
                        }));
    requireNotGrowing(trace);
    if (!found.summary().sound()) {
      throw new WorkFailed(found.summary().problem());
    }
    return answer(
        found.theta(),
        trace.endingWith(found.theta()),
        cost[0],
        OptionalDouble.empty(),
        Optional.of(found.summary()),
        new Judged(Optional.empty(), Optional.empty()));
  }

  private double[][] zeros() {
    return new double[objective.clients()][objective.parameters()];
  }

  /** Measures one of several runs, its rounds counted after those of the runs before. */
  private Hook<Algorithm.State> traced(
      int run, Trace trace, Supplier<Cost> spent, Looks looks, Watcher watcher) {
    int every = traceEvery();
    int rounds = rounds();
    return new Hook<>() {
      @Override
      public boolean shows(int round) {
        return round % every == 0 || round == rounds;
      }

      @Override
      public void after(Algorithm.State state) {
        Cost cost = spent.get();
        if (shows(state.round())) {
          int done = run * rounds + state.round();
          trace.add(done, state.theta(), cost);
          looks.at(done, state.theta());
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
    MethodRun done =
        new MethodRun(
            setup.asking(asked),
            MethodKeys.choice(asked),
            scales,
            objective,
            globalEstimate,
            limit,
            safeAlpha,
            List.copyOf(said),
            impairments,
            threads);
    return done.answer(
        run.theta(), trace, run.cost(), lastAlpha(run), Optional.empty(), done.judged(run));
  }

  private MethodAnswer answer(
      Rows theta,
      Trace trace,
      Cost cost,
      OptionalDouble lastAlpha,
      Optional<Extrapolation.Summary> extrapolation,
      Judged judged) {
    return new MethodAnswer(
        choice,
        setup.parameters(),
        theta,
        0,
        theta.rows(),
        rounds(),
        setup.sample().rowsUsed(),
        judged.intervals(),
        judged.identification(),
        new MethodAnswer.RunDetails(
            Optional.of(trace),
            Optional.of(cost),
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
