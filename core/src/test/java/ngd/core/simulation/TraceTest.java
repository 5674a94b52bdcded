package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.junit.jupiter.api.Test;

/** Oracle: the measures' definitions, by hand on two clients and two parameters. */
class TraceTest {
  // Client 0: rows (1, 0), (0, 2), responses 1, 2. Client 1: row (1, 1), response 3.
  private static final Objective OBJECTIVE =
      new Linear()
          .over(
              Shards.of(
                  new double[][][] {{{1, 0}, {0, 2}}, {{1, 1}}}, new double[][] {{1, 2}, {3}}));

  private static final Rows THETA =
      new Host(Kernels.best(), new Workers(1)).of(new double[][] {{1, 2}, {3, -4}});

  private static Run<Ngd.State> run() {
    Network network = Network.of(new Topology.Circle(2, 1));
    return new Simulation(network, OBJECTIVE, Streams.of(1), 1)
        .start(new Ngd(StepSize.constant(0.1)));
  }

  @Test
  void logMse_twoClients_isTheLogOfTheMeanSquaredDistance() {
    // Squared distances to (1, 1): 0 + 1 and 4 + 25.
    assertThat(Measure.logMse(new double[] {1, 1}).of(THETA))
        .isCloseTo(Math.log(15), within(1e-15));
  }

  @Test
  void distance_twoClients_isTheRootMeanSquaredDistance() {
    assertThat(Measure.distance(new double[] {1, 1}).of(THETA))
        .isCloseTo(Math.sqrt(15), within(1e-15));
  }

  @Test
  void consensus_twoClients_isTheDistanceToTheirMean() {
    // The mean is (2, −1), both at squared distance 1 + 9.
    assertThat(Measure.consensus().of(THETA)).isCloseTo(Math.sqrt(10), within(1e-15));
  }

  @Test
  void gradientNorm_unequalShards_isThatOfThePooledGradientAtTheMean() {
    // At (2, −1) the residuals are 1, −4, −2: Xᵀr = (1 − 2, −8 − 2), over three rows.
    assertThat(Measure.gradientNorm(OBJECTIVE).of(THETA))
        .isCloseTo(Math.sqrt(1 + 100) / 3, within(1e-15));
  }

  @Test
  void of_roundsThatDoNotDivide_measuresTheFirstTheGridAndTheLast() {
    List<Integer> progress = new ArrayList<>();
    try (Run<Ngd.State> run = run();
        Run<Ngd.State> other = run()) {
      Trace trace =
          Trace.of(
              run,
              10,
              4,
              List.of(Measure.consensus(), Measure.distance(new double[2])),
              progress::add);
      assertThat(progress).containsExactly(4, 8, 10);
      assertThat(trace.size()).isEqualTo(4);
      assertThat(trace.columns()).containsExactly("consensus", "distance");
      int[] rounds = {0, 4, 8, 10};
      for (int i = 0; i < 4; i++) {
        assertThat(trace.round(i)).isEqualTo(rounds[i]);
        other.advance(rounds[i] - other.round());
        assertThat(trace.value(i, "distance"))
            .isEqualTo(Measure.distance(new double[2]).of(other.theta()));
        assertThat(trace.value(i, "consensus")).isEqualTo(Measure.consensus().of(other.theta()));
      }
      assertThat(trace.last("distance")).isEqualTo(trace.value(3, "distance"));
      assertThatThrownBy(() -> trace.last("mse")).hasMessageContaining("`mse`");
    }
  }

  @Test
  void of_aRunUnderWay_goesOnFromThere() {
    try (Run<Ngd.State> run = run()) {
      run.advance(7);
      Trace trace = Trace.of(run, 5, 100, Measure.consensus());
      assertThat(trace.round(0)).isEqualTo(7);
      assertThat(trace.round(1)).isEqualTo(12);
      assertThat(trace.size()).isEqualTo(2);
      assertThat(Trace.of(run, 0, 1, Measure.consensus()).size()).isEqualTo(1);
    }
  }

  @Test
  void of_noGrid_isRefused() {
    try (Run<Ngd.State> run = run()) {
      assertThatThrownBy(() -> Trace.of(run, 5, 0, Measure.consensus()))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("got 0");
    }
  }
}
