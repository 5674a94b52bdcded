package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import ngd.core.data.Shards;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;

/**
 * How often the intervals of negative binomial models with an estimated theta hold the truth, and
 * Poisson's do not. Oracle: the coefficients simulated from.
 */
class NegativeBinomialCoverageTest {
  /** More with {@code -Dngd.coverage=5000}, then within 94 and 96 %. */
  private static final int REPLICATES = Integer.getInteger("ngd.coverage", 300);

  private static final int QUICK = 300;
  private static final int[] SIZES = {60, 120, 220};
  private static final double[] TRUTH = {0.8, 0.4, -0.5};
  private static final double THETA = 1.5;

  /** Poisson counts whose means are multiplied by gamma variables of mean 1. */
  private static Shards simulated(int replicate) {
    Shards.Filler filler = Shards.sized(3, SIZES);
    for (int m = 0; m < SIZES.length; m++) {
      UniformRandomProvider draw = Streams.of(11).stream(Streams.Purpose.DATA, replicate, m);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      var frailty = AhrensDieterMarsagliaTsangGammaSampler.of(draw, THETA, 1 / THETA);
      for (int i = 0; i < SIZES[m]; i++) {
        // Sites differ in the first covariate.
        double x = normal.sample() + 0.5 * m;
        double z = draw.nextBoolean() ? 1 : 0;
        double mean =
            Math.exp(TRUTH[0] + TRUTH[1] * x + TRUTH[2] * z) * Math.max(1e-12, frailty.sample());
        filler.put(m, i, new double[] {1, x, z}, PoissonSampler.of(draw, mean).sample());
      }
    }
    return filler.done();
  }

  @Test
  void intervals_ofManyReplicates_holdTheTruthAboutAsOftenAsTheySay() {
    Network network = Network.of(new Topology.Complete(SIZES.length));
    List<String> terms = List.of("(Intercept)", "x", "z");
    NegativeBinomial model = NegativeBinomial.estimated(1);
    PooledFit counts = PooledFit.on(network, model, terms, PooledFit.Settings.STANDARD);
    PooledFit poisson = PooledFit.on(network, new Poisson(), terms, PooledFit.Settings.STANDARD);
    int[] held = new int[TRUTH.length];
    int heldTheta = 0;
    int heldByPoisson = 0;
    for (int r = 0; r < REPLICATES; r++) {
      Shards shards = simulated(r);
      PooledEstimate estimate =
          new Simulation(network, model.over(shards), Streams.of(1), 1)
              .within(world -> counts.run(world, FitProgress.NONE));
      List<Coefficient> found = Inference.of(estimate, Inference.Options.STANDARD).coefficients();
      for (int j = 0; j < TRUTH.length; j++) {
        held[j] += holds(found.get(j), TRUTH[j]);
      }
      double theta = ((NegativeBinomial) estimate.regression()).theta();
      double reach = 1.96 * estimate.thetaError().orElseThrow() / theta;
      heldTheta += Math.abs(Math.log(theta / THETA)) <= reach ? 1 : 0;
      if (r % 3 == 0) {
        heldByPoisson +=
            holds(
                new Simulation(network, new Poisson().over(shards), Streams.of(1), 1)
                    .within(
                        world ->
                            Inference.of(
                                    poisson.run(world, FitProgress.NONE),
                                    Inference.Options.STANDARD)
                                .coefficients()
                                .get(1)),
                TRUTH[1]);
      }
    }
    double reach = REPLICATES > QUICK ? 0.01 : 0.02;
    for (int count : held) {
      assertThat(count / (double) REPLICATES).isBetween(0.95 - reach, 0.95 + reach);
    }
    assertThat(heldTheta / (double) REPLICATES).isBetween(0.95 - 1.5 * reach, 0.95 + 1.5 * reach);
    assertThat(heldByPoisson / (REPLICATES / 3.0)).isLessThan(0.85);
  }

  private static int holds(Coefficient line, double truth) {
    return line.low() <= truth && truth <= line.high() ? 1 : 0;
  }
}
