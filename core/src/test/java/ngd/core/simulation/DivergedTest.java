package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.world.Diverged;
import org.junit.jupiter.api.Test;

/** Oracle: one parameter, one client: |1 − α s| above 1 grows without end, below it does not. */
class DivergedTest {
  private static Run<Ngd.State> run(Glm loss, Network network, Shards shards, double alpha) {
    return new Simulation(network, loss.over(shards), Streams.of(1), 1)
        .start(new Ngd(StepSize.constant(alpha)));
  }

  private static final Network ALONE = Network.of(new double[][] {{1}});

  /** s = 4, so that the limit is α = 1/2. */
  private static final Shards ONE = Shards.of(new double[][][] {{{2}}}, new double[][] {{1}});

  @Test
  void advance_alphaBeyondTheLimit_saysWhichRoundAndClient() {
    try (Run<Ngd.State> run = run(new Linear(), ALONE, ONE, 0.75)) {
      // θ(t) grows as 2^t / 2: beyond 1e100 from round 333 on, found at the next look.
      Diverged diverged = catchThrowableOfType(Diverged.class, () -> run.advance(100_000));
      assertThat(diverged.round()).isBetween(333, 333 + 16);
      assertThat(diverged).hasMessageContaining("client 0's");
      assertThat(diverged).hasMessageContaining("round " + diverged.round());
    }
  }

  @Test
  void advance_alphaJustBelowTheLimit_goesOn() {
    try (Run<Ngd.State> run = run(new Linear(), ALONE, ONE, 0.499)) {
      run.advance(20_000);
      assertThat(run.theta().get(0, 0)).isBetween(0.49, 0.51);
    }
  }

  /** Only client 3 diverges: it hears itself alone, and nobody hears it. */
  @Test
  void advance_oneClientBeyondItsLimit_isNamed() {
    double[][] w = new double[5][5];
    for (int m = 0; m < 5; m++) {
      w[m][m] = 1;
    }
    double[][][] x = {{{1}}, {{1}}, {{1}}, {{100}}, {{1}}};
    Shards shards = Shards.of(x, new double[][] {{1}, {1}, {1}, {1}, {1}});
    try (Run<Ngd.State> run = run(new Linear(), Network.of(w), shards, 0.1)) {
      Diverged diverged = catchThrowableOfType(Diverged.class, () -> run.advance(1000));
      assertThat(diverged).hasMessageContaining("client 3's");
    }
  }

  /** However large α is: overflow within the rounds between two looks is found too. */
  @Test
  void advance_absurdAlpha_isReportedForEveryFamilyAndNeverLeavesNaN() {
    Network network = Network.of(new Topology.Circle(3, 1));
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      for (double alpha : new double[] {1e3, 1e20, 1e120, 1e300}) {
        Shards shards =
            RandomData.shards(
                2,
                2,
                RandomData.equal(3, 9),
                loss instanceof Poisson ? RandomData.counts(1, 1) : RandomData.labels(1, 1));
        try (Run<Ngd.State> run = run(loss, network, shards, alpha)) {
          boolean finished = true;
          try {
            run.advance(200);
          } catch (Diverged diverged) {
            finished = false;
            assertThat(diverged.round()).isBetween(1, 200);
          }
          if (finished) {
            // A bounded gradient (logistic) keeps even large steps finite.
            for (int m = 0; m < 3; m++) {
              assertThat(run.theta().row(m)).doesNotContain(Double.NaN);
              assertThat(Math.abs(run.theta().get(m, 0))).isLessThan(1e100);
            }
          }
          assertThat(finished)
              .as("%s, %s", loss.name(), alpha)
              .isEqualTo(loss instanceof Logistic && alpha < 1e100);
        }
      }
    }
  }

  @Test
  void of_trace_throwsInsteadOfMeasuringNonsense() {
    try (Run<Ngd.State> run = run(new Linear(), ALONE, ONE, 0.75)) {
      Diverged diverged =
          catchThrowableOfType(
              Diverged.class, () -> Trace.of(run, 10_000, 50, Measure.consensus()));
      assertThat(diverged.round()).isLessThan(400);
    }
  }
}
