package ngd.core.fit;

import ngd.core.answer.ImputedAnswer;
import ngd.core.inference.FitProgress;
import ngd.core.inference.GapDraws;
import ngd.core.inference.ImputedFit;
import ngd.core.inference.PooledFit;
import ngd.core.preparation.Preparation;
import ngd.core.question.ImputationKeys;
import ngd.core.question.PooledKeys;
import ngd.core.simulation.Simulation;

/**
 * A pooled fit of imputed rows over simulated clients or rehearsed sites.
 *
 * @param threads how many to use; the results are the same for any number
 */
public record ImputedRun(FitSetup setup, int threads) {
  /** Runs it, saying how it goes. */
  public ImputedAnswer run(FitProgress progress) {
    Sample.OfSites sample = (Sample.OfSites) setup.sample();
    Preparation prepared = sample.prepared();
    PooledFit outcome =
        PooledFit.on(
            setup.network().network(),
            setup.regression(),
            sample.features(),
            PooledKeys.settings(setup.question()));
    ImputedFit fit = ImputationKeys.fit(setup.question(), outcome, prepared.design());
    Simulation simulation =
        new Simulation(
            setup.network().network(),
            setup.regression().over(sample.shards()),
            setup.streams(),
            threads);
    return PooledRun.found(
        sample,
        () ->
            simulation.within(
                (world, _) ->
                    ImputedAnswer.of(
                        sample.describe(setup.question()),
                        fit.run(
                            world,
                            prepared.incomplete(),
                            0,
                            setup.streams(),
                            GapDraws.seeded(setup.streams()),
                            progress),
                        setup.question().get(PooledKeys.EXPONENTIATE),
                        sample.rowsUsed())));
  }
}
