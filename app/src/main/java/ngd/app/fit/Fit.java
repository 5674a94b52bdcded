package ngd.app.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.app.terminal.NumberText;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.WorkFailed;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.run.JsonObject;
import ngd.core.simulation.EventRun;
import ngd.core.simulation.Extrapolation;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;
import ngd.core.theory.Curvature;
import ngd.core.world.Diverged;
import ngd.core.world.Suitability;

/**
 * A fit made ready: all that can be known before the first round, and then the rounds.
 *
 * @param request what the method is made from
 * @param globalEstimate what the pooled data give, where they give anything
 * @param safeAlpha below this no client's own step overshoots; judged at the global estimate
 */
record Fit(
    Setup setup,
    RunOptions.Plan plan,
    Method.Request request,
    Objective objective,
    Optional<GlobalEstimate> globalEstimate,
    OptionalDouble safeAlpha,
    List<String> warnings) {
  private static final int MANY_CLIENTS = 10_000;

  /** No run that will settle has a pooled gradient so many times that at its start. */
  private static final double GROWTH = 1e3;

  /** Refuses data that determine no coefficients; warns of what else will go wrong. */
  static Fit prepare(Setup setup, RunOptions.Plan plan) {
    Method method = plan.algorithm().method();
    Suitability suitability = new Suitability(setup.network().network(), setup.glm());
    suitability.require(method);
    GradientScales scales = suitability.scales(method, setup.sample().sizes());
    Method.Request request =
        new Method.Request(
            plan.alpha(),
            plan.batch(),
            plan.localSteps(),
            scales,
            setup.glm() instanceof Linear,
            plan.algorithm().parameters());
    Shards shards = setup.sample().shards();
    List<String> warnings = new ArrayList<>();
    Optional<GlobalEstimate> estimate = Optional.empty();
    try {
      estimate = Optional.of(GlobalEstimate.of(setup.glm(), shards, setup.sample().features()));
    } catch (NoEstimate e) {
      switch (e.reason()) {
        case REDUNDANT_COLUMN, TOO_FEW_ROWS ->
            throw new InvalidInput(setup.sample().source() + ": " + e.getMessage(), e);
        case SEPARATION, NOT_CONVERGED ->
            warnings.add("there is no global estimate to compare with: " + e.getMessage());
      }
    }
    OptionalDouble safe = safeAlpha(setup, shards, scales, estimate);
    StepSize alpha = plan.alpha();
    if (method.takesStepSize()
        && alpha != null
        && safe.isPresent()
        && alpha.largest() >= safe.getAsDouble()) {
      warnings.add(
          "alpha: %s is not below the safe limit %s, 2 / the largest eigenvalue of a client's %sHessian%s; it may diverge"
              .formatted(
                  NumberText.text(alpha.largest()),
                  NumberText.text(safe.getAsDouble()),
                  scales.largest() == 1 ? "" : "scaled ",
                  setup.glm() instanceof Linear ? "" : " at the global estimate"));
    }
    return new Fit(
        setup, plan, request, setup.glm().over(shards), estimate, safe, List.copyOf(warnings));
  }

  private static OptionalDouble safeAlpha(
      Setup setup, Shards shards, GradientScales scales, Optional<GlobalEstimate> estimate) {
    double[] factors = new double[shards.clients()];
    Arrays.setAll(factors, scales::of);
    return estimate
        .map(
            found ->
                Curvature.at(setup.glm(), shards, found.theta(), factors).eigenvalues().safeAlpha())
        .map(OptionalDouble::of)
        .orElse(OptionalDouble.empty());
  }

  /** The clients, ready to start. */
  Simulation simulation() {
    return new Simulation(setup.network().network(), objective, setup.streams(), plan.threads())
        .with(plan.trust());
  }

  /** Runs all rounds. */
  FitResult run(ProgressBar bar) {
    Simulation simulation = simulation();
    try {
      return plan.extrapolate() ? extrapolated(simulation, bar) : plain(simulation, bar);
    } catch (Diverged e) {
      throw new WorkFailed(e.getMessage() + advice(), e);
    } catch (ArithmeticException e) {
      // Sums and systems of equations notice estimates beyond all bounds before a look does.
      throw new WorkFailed("%s: %s%s".formatted(plan.name(), e.getMessage(), advice()), e);
    }
  }

  private FitResult plain(Simulation simulation, ProgressBar bar) {
    Method method = plan.algorithm().method();
    if (plan.auto()) {
      AutoStep<Algorithm.State> auto =
          new AutoStep<>(
              Algorithms.family(method, request), request.scales(), method.shareOfSafeStep());
      try (Run<AutoStep.State<Algorithm.State>> run = simulation.start(auto)) {
        Trace trace = trace(run, bar);
        return new FitResult(
            this,
            run.theta(),
            trace,
            run.traffic(),
            Optional.empty(),
            OptionalDouble.of(run.state().alpha()));
      }
    }
    if (method.make(request) instanceof Algorithm.Events<?> events) {
      try (EventRun<?> run = simulation.start(events, plan.conditions())) {
        Trace trace =
            Trace.of(
                run, plan.rounds(), traceEvery(), measures(), done -> bar.at(done, plan.rounds()));
        requireNotGrowing(trace);
        return new FitResult(
            this, run.theta(), trace, run.traffic(), Optional.empty(), OptionalDouble.empty());
      }
    }
    try (Run<?> run = simulation.start(Algorithms.rounds(method, request))) {
      Trace trace = trace(run, bar);
      return new FitResult(
          this, run.theta(), trace, run.traffic(), Optional.empty(), OptionalDouble.empty());
    }
  }

  private Trace trace(Run<?> run, ProgressBar bar) {
    Trace trace =
        Trace.of(run, plan.rounds(), traceEvery(), measures(), done -> bar.at(done, plan.rounds()));
    requireNotGrowing(trace);
    return trace;
  }

  private FitResult extrapolated(Simulation simulation, ProgressBar bar) {
    Extrapolation found =
        Extrapolation.run(
            simulation,
            Algorithms.family(plan.algorithm().method(), request),
            request.step().largest(),
            plan.rounds(),
            traceEvery(),
            measures(),
            done -> bar.at(done, (done <= 3L * plan.rounds() ? 3L : 4L) * plan.rounds()));
    requireNotGrowing(found.trace());
    if (!found.settled()) {
      throw new WorkFailed(
          "extrapolation: each run must settle; in its last tenth one still moved %s times what there is to extrapolate from; use more --rounds"
              .formatted(NumberText.text(found.moving(), 3)));
    }
    if (!found.sound()) {
      throw new WorkFailed(
          "extrapolation: the change from alpha to alpha/2 must be about twice that from alpha/2 to alpha/4, or the bias is not linear in alpha; it is %s times; use a smaller --alpha"
              .formatted(NumberText.text(found.ratio(), 3)));
    }
    return new FitResult(
        this,
        found.theta(),
        found.trace(),
        found.traffic(),
        Optional.of(found),
        OptionalDouble.empty());
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
    return plan.traceEvery() > 0 ? plan.traceEvery() : Math.max(1, plan.rounds() / times);
  }

  private String advice() {
    return safeAlpha.isEmpty()
        ? ""
        : "; alpha is %s, the safe limit %s"
            .formatted(plan.alphaText(), NumberText.text(safeAlpha.getAsDouble()));
  }

  /** What a trace of it records. */
  List<Measure> measures() {
    List<Measure> measures = new ArrayList<>();
    truth().ifPresent(truth -> measures.add(Measure.logMse(truth)));
    globalEstimate.ifPresent(found -> measures.add(Measure.distance(found.theta())));
    measures.add(Measure.consensus());
    measures.add(Measure.gradientNorm(objective));
    return measures;
  }

  /** θ0, where the data were simulated. */
  Optional<double[]> truth() {
    return setup.model().map(PaperModel::truth);
  }

  /** Every choice that bears on the result, in the words of the command line. */
  JsonObject asked() {
    return new JsonObject()
        .put("data", setup.sample().source())
        .put("response", setup.sample().response())
        .put("features", setup.sample().features())
        .put(
            "formula",
            setup
                .sample()
                .preparation()
                .map(prepared -> prepared.design().frame().formula().text())
                .orElse(null))
        .put("family", setup.glm().family())
        .put("clients", setup.sample().sizes().length)
        .put("partition", setup.partition())
        .put("placement", setup.placement())
        .put("network", setup.network().topology().spec())
        .put("weights", setup.network().weights().spec())
        .put("algorithm", plan.name())
        .put("parameters", plan.algorithm().parameters())
        .put("alpha", plan.alphaText())
        .put("extrapolate", plan.extrapolate())
        .put("mix", plan.trust().mixing().spec())
        .put("attack", plan.trust().attackers().isEmpty() ? null : plan.trust().attack().spec())
        .put("attackers", plan.trust().attackers())
        .put(
            "conditions",
            plan.algorithm().method().asynchronous() ? plan.conditions().toString() : null)
        .put("rounds", plan.rounds())
        .put("batch", plan.batch() == 0 ? null : plan.batch())
        .put("localSteps", plan.localSteps() == 1 ? null : plan.localSteps())
        .put("seed", setup.streams().seed());
  }
}
