package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.fit.FitSetup;
import ngd.core.fit.MethodRun;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Diagnosis;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.question.FitKeys;
import ngd.core.question.Question;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;
import org.junit.jupiter.api.Test;

/** The examples that Javadoc shows: each region is one. The oracles are worked out by hand. */
final class ExamplesTest {
  // Two sites, y = 1 + 2 x: intercept and slope.
  private static final double[][][] X = {{{1, 0}, {1, 1}}, {{1, 2}, {1, 4}}};
  private static final double[][] Y = {{1, 3}, {5, 9}};

  @Test
  void network() {
    // @start region="network"
    Network network = Network.of(new Topology.Circle(4, 1), new Weights.Lazy(0.5));
    double own = network.weight(0, 0); // 0.5
    double next = network.weight(0, 1); // 0.5
    // @end
    assertThat(own).isEqualTo(0.5);
    assertThat(next).isEqualTo(0.5);
  }

  @Test
  void topology() {
    // @start region="topology"
    Topology circle = new Topology.Circle(20, 2);
    Topology star = new Topology.Central(20);
    String word = circle.spec(); // circle:2, as the command line has it
    // @end
    assertThat(word).isEqualTo("circle:2");
    assertThat(Network.of(star).clients()).isEqualTo(20);
  }

  @Test
  void diagnosis() {
    // @start region="diagnosis"
    Diagnosis diagnosis = Diagnosis.of(new Topology.Circle(4, 1), new Weights.Uniform());
    boolean everyoneHeard = diagnosis.irreducible(); // true
    long period = diagnosis.period(); // 4: by itself, mixing never converges
    // @end
    assertThat(everyoneHeard).isTrue();
    assertThat(period).isEqualTo(4);
  }

  @Test
  void shards() {
    // @start region="shards"
    double[][][] x = {{{1, 0}, {1, 1}}, {{1, 2}, {1, 4}}}; // x[client][row][feature]
    double[][] y = {{1, 3}, {5, 9}};
    Shards shards = Shards.of(x, y);
    // @end
    assertThat(shards.clients()).isEqualTo(2);
  }

  @Test
  void globalEstimate() {
    Shards shards = Shards.of(X, Y);
    // @start region="global"
    double[] pooled = GlobalEstimate.of(new Linear(), shards).theta(); // least squares on all rows
    // @end
    assertThat(pooled).containsExactly(new double[] {1, 2}, within(1e-12));
  }

  @Test
  void simulation_run_trace() {
    Shards shards = Shards.of(X, Y);
    double[] pooled = {1, 2};
    // @start region="simulation"
    Network network = Network.of(new Topology.Complete(2), new Weights.Lazy(0.5));
    Simulation simulation = Simulation.of(network, new Linear().over(shards));
    try (Run<?> run = simulation.start(new Ngd(StepSize.constant(0.05)))) {
      run.advance(2000);
      double slope = run.theta().get(0, 1); // client 0's own estimate
      // @end
      assertThat(slope).isCloseTo(2, within(1e-6));
    }
    // @start region="trace"
    try (Run<?> run = simulation.start(new Ngd(StepSize.parse("0.05,0.01@500")))) {
      Trace trace = Trace.of(run, 1500, 100, Measure.distance(pooled), Measure.consensus());
      double distance = trace.last("distance"); // to the pooled estimate, after 1500 rounds
      // @end
      assertThat(distance).isLessThan(1e-3);
    }
  }

  @Test
  void stepSize() {
    // @start region="step"
    StepSize alpha = StepSize.parse("0.05,0.01@500");
    double early = alpha.at(499); // 0.05
    double late = alpha.at(500); // 0.01
    // @end
    assertThat(early).isEqualTo(0.05);
    assertThat(late).isEqualTo(0.01);
  }

  @Test
  void pooledFit() {
    double[][][] x = {{{1, 0}, {1, 1}}, {{1, 2}, {1, 4}}};
    double[][] y = {{1, 3.5}, {5, 9}};
    Shards shards = Shards.of(x, y);
    Network network = Network.of(new Topology.Complete(2));
    // @start region="pooled"
    List<String> terms = List.of("(Intercept)", "x");
    PooledFit fit = PooledFit.on(network, new Linear(), terms, PooledFit.Settings.STANDARD);
    Inference found =
        Simulation.of(network, new Linear().over(shards))
            .within(
                world ->
                    Inference.of(fit.run(world, FitProgress.NONE), Inference.Options.STANDARD));
    double slope = found.coefficients().get(1).estimate();
    double error = found.coefficients().get(1).standardError();
    // @end
    // By hand: Σ(x−x̄)(y−ȳ)/Σ(x−x̄)² with x̄ = 1.75 and ȳ = 4.625; residuals leave 2 degrees of
    // freedom.
    double sxx = 8.75;
    double sxy = -1.75 * -3.625 + -0.75 * -1.125 + 0.25 * 0.375 + 2.25 * 4.375;
    double syy = 3.625 * 3.625 + 1.125 * 1.125 + 0.375 * 0.375 + 4.375 * 4.375;
    assertThat(slope).isCloseTo(sxy / sxx, within(1e-9));
    assertThat(error).isCloseTo(Math.sqrt((syy - sxy * sxy / sxx) / 2 / sxx), within(1e-9));
  }

  @Test
  void question() {
    // @start region="question"
    Question question =
        Question.of(
            FitKeys.ALL,
            Map.of(
                "simulate",
                "linear",
                "rows",
                "400",
                "clients",
                "8",
                "network",
                "complete",
                "alpha",
                "0.02",
                "rounds",
                "100"));
    var answer = MethodRun.prepare(FitSetup.of(question), 1).run((done, of) -> {});
    // @end
    assertThat(answer.last("distance")).isPresent();
  }
}
