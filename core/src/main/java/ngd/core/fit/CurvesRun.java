package ngd.core.fit;

import ngd.core.answer.CurvesAnswer;
import ngd.core.inference.StationaryWeights;
import ngd.core.inference.SurvivalCurves;
import ngd.core.network.NetworkSchedule;
import ngd.core.question.PooledKeys;
import ngd.core.simulation.Simulation;

/** Survival curves over simulated clients or rehearsed sites. */
public record CurvesRun(FitSetup setup) {
  /** Counts and adds up. */
  public CurvesAnswer run() {
    NetworkSchedule network = setup.network().schedule();
    // Sums reach all where everybody reaches everybody.
    var _ = StationaryWeights.of(network);
    Sample sample = setup.sample();
    return CurvesAnswer.of(
        SurvivalCurves.of(
            Simulation.exchange(network),
            sample.shards(),
            sample.grid().orElseThrow(),
            PooledKeys.curves(setup.question())),
        setup.question(),
        sample.describe(setup.question()),
        network.clients(),
        sample.rowsUsed());
  }
}
