package ngd.core.fit;

import ngd.core.InvalidInput;
import ngd.core.answer.CentralAnswer;
import ngd.core.model.Glm;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.NoiseSource;
import ngd.core.privacy.PairGraph;
import ngd.core.privacy.Privacy;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.simulation.Simulation;

/**
 * A pooled fit with noise in its sums over simulated clients or rehearsed sites; the noise is
 * seeded and hides nothing.
 */
public record CentralRun(FitSetup setup, int threads) {
  /** Runs it. */
  public CentralAnswer run() {
    Privacy privacy =
        MethodKeys.central(setup.question())
            .orElseThrow(() -> new InvalidInput("privacy: must be given with noise=central"));
    Network network = setup.network().network();
    GradientPrivacy noise = MethodKeys.gradientPrivacy(setup.question(), network).orElseThrow();
    Glm glm = ModelKeys.glm(setup.question());
    Objective objective = glm.over(setup.sample().shards());
    CentralFit fit =
        CentralFit.seeded(
            objective,
            glm,
            privacy,
            noise,
            NoiseSource.seeded(setup.streams(), PairGraph.of(network)));
    CentralFit.Estimate estimate =
        new Simulation(network, objective, setup.streams(), threads)
            .within(world -> fit.run(world.totals()));
    return new CentralAnswer(
        setup.sample().describe(setup.question()),
        glm,
        estimate,
        privacy,
        network.clients(),
        setup.sample().rowsUsed());
  }
}
