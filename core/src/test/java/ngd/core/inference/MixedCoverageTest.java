package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import ngd.core.data.Shards;
import ngd.core.formula.RandomRow;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;

/**
 * How often the intervals of mixed models hold the truth, and least squares' do not. Oracle: the
 * coefficients simulated from.
 */
class MixedCoverageTest {
  private static final int REPLICATES = 500;

  /** More with -Dngd.coverage=N. */
  private static final int LABELLED = Integer.getInteger("ngd.coverage", 400);

  /** Groups at each site, of two to six rows. */
  private static final int[] GROUPS = {10, 18, 32};

  private static final double[] TRUTH = {1, 0.5, -0.3};

  private static int rows(int group) {
    return 2 + group % 5;
  }

  /** A response to a linear predictor. */
  private interface Response {
    double of(double eta, UniformRandomProvider draw, ZigguratSampler.NormalizedGaussian normal);
  }

  /** A level and a slope of each group; the second covariate is of the group. */
  private static Shards simulated(int replicate, double slopes, Response response) {
    int[] sizes = new int[GROUPS.length];
    for (int m = 0; m < sizes.length; m++) {
      for (int g = 0; g < GROUPS[m]; g++) {
        sizes[m] += rows(g);
      }
    }
    Shards.Filler filler = Shards.sized(3, sizes);
    for (int m = 0; m < GROUPS.length; m++) {
      UniformRandomProvider draw = Streams.of(7).stream(Streams.Purpose.DATA, replicate, m);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      int row = 0;
      for (int g = 0; g < GROUPS[m]; g++) {
        double level = normal.sample();
        double slope = slopes * normal.sample();
        double between = normal.sample();
        for (int i = 0; i < rows(g); i++) {
          double x = normal.sample();
          double eta = TRUTH[0] + level + (TRUTH[1] + slope) * x + TRUTH[2] * between;
          filler.put(m, row, new double[] {1, x, between}, response.of(eta, draw, normal));
          filler.put(
              m,
              row++,
              new RandomRow(
                  new String[] {"g" + g},
                  new double[][] {slopes == 0 ? new double[] {1} : new double[] {1, x}}));
        }
      }
    }
    return filler.done();
  }

  @Test
  void intervals_ofManyReplicates_holdTheTruthAboutAsOftenAsTheySay() {
    Network network = Network.of(new Topology.Complete(GROUPS.length));
    List<String> terms = List.of("(Intercept)", "x", "between");
    MixedFit mixed =
        new MixedFit(
            new Linear(),
            terms,
            List.of(new RandomPart("g", List.of("(Intercept)", "x"), false)),
            new MixedFit.Settings(true, 1, 1e-6));
    PooledFit least = PooledFit.on(network, new Linear(), terms, PooledFit.Settings.STANDARD);
    int[] held = new int[TRUTH.length];
    int heldByLeast = 0;
    for (int r = 0; r < REPLICATES; r++) {
      Shards shards = simulated(r, 0.5, (eta, _, normal) -> eta + normal.sample());
      Simulation simulation = new Simulation(network, new Linear().over(shards), Streams.of(1), 1);
      List<Coefficient> found =
          simulation.within(world -> mixed.run(world, FitProgress.NONE).coefficients(0.95));
      for (int j = 0; j < TRUTH.length; j++) {
        held[j] += holds(found.get(j), TRUTH[j]);
      }
      if (r % 5 > 0) {
        continue;
      }
      Coefficient without =
          simulation
              .within(
                  world ->
                      Inference.of(least.run(world, FitProgress.NONE), Inference.Options.STANDARD)
                          .coefficients())
              .get(2);
      heldByLeast += holds(without, TRUTH[2]);
    }
    for (int count : held) {
      assertThat(count / (double) REPLICATES).isBetween(0.93, 0.97);
    }
    assertThat(heldByLeast / (REPLICATES / 5.0)).isLessThan(0.9);
  }

  /** Labels with a level of each group, by Laplace's approximation. */
  @Test
  void intervals_ofLabels_holdTheTruthAboutAsOftenAsTheySay() {
    Network network = Network.of(new Topology.Complete(GROUPS.length));
    MixedFit mixed =
        new MixedFit(
            new Logistic(),
            List.of("(Intercept)", "x", "between"),
            List.of(new RandomPart("g", List.of("(Intercept)"), false)),
            new MixedFit.Settings(false, 1, 1e-6));
    int[] held = new int[TRUTH.length];
    for (int r = 0; r < LABELLED; r++) {
      Shards shards =
          simulated(r, 0, (eta, draw, _) -> draw.nextDouble() < new Logistic().mean(eta) ? 1 : 0);
      Simulation simulation =
          new Simulation(network, new Logistic().over(shards), Streams.of(1), 1);
      List<Coefficient> found =
          simulation.within(world -> mixed.run(world, FitProgress.NONE).coefficients(0.95));
      for (int j = 0; j < TRUTH.length; j++) {
        held[j] += holds(found.get(j), TRUTH[j]);
      }
    }
    for (int count : held) {
      assertThat(count / (double) LABELLED).isBetween(0.93, 0.97);
    }
  }

  private static int holds(Coefficient line, double truth) {
    return line.low() <= truth && truth <= line.high() ? 1 : 0;
  }
}
