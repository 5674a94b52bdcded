package ngd.core.fit;

import ngd.core.answer.PenalisedAnswer;
import ngd.core.inference.FitProgress;
import ngd.core.inference.PenalisedFit;
import ngd.core.inference.PooledFit;
import ngd.core.preparation.DisclosureRules;
import ngd.core.question.DataKeys;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.PooledKeys;
import ngd.core.simulation.Simulation;

/**
 * Penalised estimates over simulated clients or rehearsed sites.
 *
 * @param threads how many to use; the results are the same for any number
 */
public record PenalisedRun(FitSetup setup, int threads) {
  /** Runs it, saying how it goes. */
  public PenalisedAnswer run(FitProgress progress) {
    PenalisedFit fit =
        new PenalisedFit(
            PooledFit.on(
                setup.network().network(),
                setup.regression(),
                setup.sample().features(),
                PooledKeys.settings(setup.question())),
            PenaltyKeys.settings(setup.question()));
    int fewest = setup.question().says(DataKeys.SITE) ? DisclosureRules.STANDARD.ofFold() : 1;
    Simulation simulation =
        new Simulation(
            setup.network().network(),
            setup.regression().over(setup.sample().shards()),
            setup.streams(),
            threads);
    return PooledRun.found(
        setup.sample(),
        () ->
            simulation.within(
                (world, _) ->
                    PenalisedAnswer.of(
                        fit.run(
                            world, new PenalisedFit.Drawing(setup.streams(), 0, fewest), progress),
                        setup.question(),
                        setup.sample().describe(setup.question()),
                        setup.sample().rowsUsed())));
  }
}
