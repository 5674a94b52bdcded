package ngd.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.run.JsonObject;
import ngd.core.simulation.Diverged;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;
import ngd.core.theory.Curvature;

/**
 * A fit made ready: all that can be known before the first round, and then the rounds.
 *
 * @param globalEstimate what the pooled data give, where they give anything
 * @param safeAlpha below this no client's own step overshoots; judged at the global estimate
 */
record Fit(
    Setup setup,
    RunOptions.Plan plan,
    Objective objective,
    Optional<GlobalEstimate> globalEstimate,
    OptionalDouble safeAlpha,
    List<String> warnings) {
  private static final int MANY_CLIENTS = 10_000;

  /** No run that will settle has a pooled gradient so many times that at its start. */
  private static final double GROWTH = 1e3;

  /** Refuses data that determine no coefficients; warns of what else will go wrong. */
  static Fit prepare(Setup setup, RunOptions.Plan plan) {
    Shards shards = setup.assignment().shards(setup.table());
    List<String> warnings = new ArrayList<>();
    Optional<GlobalEstimate> estimate = Optional.empty();
    try {
      estimate = Optional.of(GlobalEstimate.of(setup.glm(), shards, setup.table().features()));
    } catch (NoEstimate e) {
      switch (e.reason()) {
        case REDUNDANT_COLUMN, TOO_FEW_ROWS ->
            throw new InvalidInput(setup.table().source() + ": " + e.getMessage(), e);
        case SEPARATION, NOT_CONVERGED ->
            warnings.add("there is no global estimate to compare with: " + e.getMessage());
      }
    }
    OptionalDouble safe = safeAlpha(setup, shards, estimate);
    double alpha = plan.algorithm().alpha().largest();
    if (safe.isPresent() && alpha >= safe.getAsDouble()) {
      warnings.add(
          "alpha: %s is not below the safe limit %s, 2 / the largest eigenvalue of a client's Hessian%s; it may diverge"
              .formatted(
                  Numbers.text(alpha),
                  Numbers.text(safe.getAsDouble()),
                  setup.glm() instanceof Linear ? "" : " at the global estimate"));
    }
    return new Fit(setup, plan, setup.glm().over(shards), estimate, safe, List.copyOf(warnings));
  }

  private static OptionalDouble safeAlpha(
      Setup setup, Shards shards, Optional<GlobalEstimate> estimate) {
    return estimate
        .map(found -> Curvature.at(setup.glm(), shards, found.theta()).eigenvalues().safeAlpha())
        .map(OptionalDouble::of)
        .orElse(OptionalDouble.empty());
  }

  /** Runs all rounds. */
  FitResult run(ProgressBar bar) {
    Simulation simulation =
        new Simulation(setup.network().network(), objective, setup.streams(), plan.threads());
    try (Run<Ngd.State> run = simulation.start(plan.algorithm())) {
      Trace trace =
          Trace.of(
              run, plan.rounds(), traceEvery(), measures(), done -> bar.at(done, plan.rounds()));
      requireNotGrowing(trace);
      return new FitResult(this, run.theta(), trace);
    } catch (Diverged e) {
      throw new WorkFailed(e.getMessage() + advice(), e);
    }
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
              .formatted(plan.rounds(), Numbers.text(last / first), advice()));
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
            .formatted(plan.algorithm().alpha(), Numbers.text(safeAlpha.getAsDouble()));
  }

  private List<Measure> measures() {
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
  JsonObject request() {
    return new JsonObject()
        .put("data", setup.table().source())
        .put("response", setup.table().responseName())
        .put("features", setup.table().features())
        .put("family", setup.glm().family())
        .put("clients", setup.assignment().clients())
        .put("partition", setup.partition().spec())
        .put("placement", setup.placement().spec())
        .put("network", setup.network().topology().spec())
        .put("weights", setup.network().weights().spec())
        .put("algorithm", plan.algorithm().name())
        .put("alpha", plan.algorithm().alpha().toString())
        .put("rounds", plan.rounds())
        .put("batch", plan.algorithm().batch() == 0 ? null : plan.algorithm().batch())
        .put("seed", setup.streams().seed());
  }
}
