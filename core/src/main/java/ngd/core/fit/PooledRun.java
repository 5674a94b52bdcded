package ngd.core.fit;

import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.answer.PooledAnswer;
import ngd.core.inference.FitProgress;
import ngd.core.inference.PooledEstimate;
import ngd.core.inference.PooledFit;
import ngd.core.model.NoEstimate;
import ngd.core.preparation.DisclosureRules;
import ngd.core.question.DataKeys;
import ngd.core.question.PooledKeys;
import ngd.core.simulation.Simulation;

/**
 * The pooled answer over simulated clients or rehearsed sites.
 *
 * @param threads how many to use; the results are the same for any number
 */
public record PooledRun(FitSetup setup, int threads) {
  /** Runs it, saying how it goes. */
  public PooledAnswer run(FitProgress progress) {
    PooledFit fit =
        PooledFit.on(
            setup.network().schedule(),
            setup.regression(),
            setup.sample().features(),
            PooledKeys.settings(setup.question()));
    Simulation simulation =
        new Simulation(
            setup.network().schedule(),
            setup.regression().over(setup.sample().shards()),
            setup.streams(),
            threads);
    return found(
        setup.sample(),
        () ->
            simulation.within(
                (world, _) -> {
                  PooledEstimate estimate =
                      PooledKeys.weighted(setup.question(), fit)
                          .map(
                              weighted ->
                                  weighted.run(
                                      world,
                                      setup.sample().shards(),
                                      setup.sample().treatment().orElseThrow(),
                                      progress))
                          .orElseGet(() -> fit.run(world, progress));
                  progress.begin(FitProgress.Stage.INFERENCE);
                  return PooledAnswer.of(
                      estimate,
                      setup.question(),
                      setup.sample().describe(setup.question()),
                      setup.sample().rowsUsed(),
                      setup.question().says(DataKeys.SITE) ? DisclosureRules.STANDARD.tab() : 1,
                      setup.question().says(DataKeys.SITE) ? DisclosureRules.STANDARD.glm() : 1);
                }));
  }

  /** An answer, or why there is none, with the data that it is of. */
  static <A> A found(Sample sample, Supplier<A> run) {
    try {
      return run.get();
    } catch (NoEstimate e) {
      String message = sample.source() + ": " + e.getMessage();
      if (e.reason() == NoEstimate.Reason.NOT_CONVERGED) {
        throw new WorkFailed(message, e);
      }
      throw new InvalidInput(message, e);
    }
  }
}
