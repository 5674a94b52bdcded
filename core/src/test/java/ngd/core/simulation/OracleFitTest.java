package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import ngd.core.Oracles;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.GlobalEstimate;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Oracle: {@code oracles/fit}, the same fits by an independent program. */
class OracleFitTest {
  private static final double TOLERANCE = 1e-10;

  static Stream<Oracles.Case> cases() {
    return Oracles.fits();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void fit_everyCase_equalsTheIndependentProgram(Oracles.Case fit) {
    Table table = fit.table();
    Shards shards = fit.shards(table);
    assertThat(table.features())
        .isEqualTo(
            StreamSupport.stream(fit.json().get("names").spliterator(), false)
                .map(JsonNode::stringValue)
                .toList());
    double[] global = GlobalEstimate.of(fit.family(), shards, table.features()).theta();
    assertThat(global)
        .containsExactly(Oracles.numbers(fit.json().get("global")), within(TOLERANCE));

    Network network = fit.network();
    Ngd ngd = new Ngd(StepSize.parse(fit.text("alpha")));
    Simulation simulation = new Simulation(network, fit.family().over(shards), Streams.of(1), 1);
    Measure distance = Measure.distance(global);
    Measure consensus = Measure.consensus();
    try (Run<Ngd.State> run = simulation.start(ngd)) {
      for (JsonNode point : fit.json().get("trace")) {
        run.advance(point.get("round").intValue() - run.round());
        assertThat(distance.of(run.theta()))
            .isCloseTo(point.get("distanceToGlobal").doubleValue(), within(TOLERANCE));
        assertThat(consensus.of(run.theta()))
            .isCloseTo(point.get("consensus").doubleValue(), within(TOLERANCE));
      }
      run.advance(fit.json().get("rounds").intValue() - run.round());
      double[][] theta = fit.matrix("theta");
      assertThat(run.theta().rows()).isEqualTo(theta.length);
      for (int m = 0; m < theta.length; m++) {
        assertThat(run.theta().row(m))
            .as("client %d", m)
            .containsExactly(theta[m], within(TOLERANCE));
      }
      assertThat(distance.of(run.theta()))
          .isCloseTo(fit.number("distanceToGlobal"), within(TOLERANCE));
      assertThat(consensus.of(run.theta())).isCloseTo(fit.number("consensus"), within(TOLERANCE));
    }
  }
}
