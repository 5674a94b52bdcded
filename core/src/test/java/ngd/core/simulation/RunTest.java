package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Graph;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import org.junit.jupiter.api.Test;

/** What a run owes to an algorithm with more to remember than its estimate. */
class RunTest {
  /** Gradient descent with a heavy ball: the state holds two blocks. */
  private record HeavyBall() implements Algorithm.Rounds<HeavyBall.State> {
    record State(int round, Rows theta, Rows previous) implements Algorithm.State {
      @Override
      public List<Rows> rows() {
        return List.of(theta, previous);
      }
    }

    @Override
    public State start(Rows theta) {
      return new State(0, theta, theta);
    }

    @Override
    public State step(State s, Exchange exchange, Local local, Draws draws) {
      assertThat(draws.round()).isEqualTo(s.round());
      Rows mixed = exchange.mix(s.theta());
      Rows descended = mixed.minus(0.1, local.gradient(mixed));
      Rows next = descended.plus(0.5, s.theta().minus(s.previous()));
      return new State(s.round() + 1, next, /* previous= */ s.theta());
    }
  }

  /** One parameter, x = 1, y = 1: the recursion θ'' = θ' − 0.1 (θ' − 1) + 0.5 (θ' − θ). */
  @Test
  void advance_aStateOfTwoBlocks_keepsBothWhileAllElseIsRecycled() {
    Shards shards = Shards.of(new double[][][] {{{1}}}, new double[][] {{1}});
    Simulation simulation =
        new Simulation(
            Network.of(new double[][] {{1}}), new Linear().over(shards), Streams.of(1), 1);
    try (Run<HeavyBall.State> run = simulation.start(new HeavyBall())) {
      double theta = 0;
      double previous = 0;
      for (int round = 0; round < 60; round++) {
        run.advance(1);
        double next = theta - 0.1 * (theta - 1) + 0.5 * (theta - previous);
        previous = theta;
        theta = next;
        assertThat(run.state().theta().get(0, 0)).isCloseTo(theta, within(1e-13));
        assertThat(run.state().previous().get(0, 0)).isCloseTo(previous, within(1e-13));
      }
    }
  }

  private static Simulation ofFive(Network network) {
    Shards shards =
        RandomData.shards(
            3, 2, new int[] {9, 3, 17, 8, 40}, RandomData.labels(new double[] {0.5, -0.4}));
    return new Simulation(network, new Linear().over(shards), Streams.of(1), 1);
  }

  private static double[][] copy(Rows theta) {
    double[][] rows = new double[theta.rows()][];
    for (int m = 0; m < rows.length; m++) {
      rows[m] = theta.row(m);
    }
    return rows;
  }

  /** The oracle is the schedule that says the same before the run. */
  @Test
  void change_anotherStepSizeOnTheWay_givesTheBitsOfTheSchedule() {
    Simulation simulation = ofFive(Network.of(new Topology.Circle(5, 2)));
    try (Run<Ngd.State> changed = simulation.start(new Ngd(StepSize.constant(0.1)));
        Run<Ngd.State> scheduled = simulation.start(new Ngd(StepSize.parse("0.1,0.02@7")))) {
      changed.advance(7);
      changed.change(new Ngd(StepSize.constant(0.02)));
      changed.advance(20);
      scheduled.advance(27);
      assertThat(copy(changed.theta())).isDeepEqualTo(copy(scheduled.theta()));
    }
  }

  /**
   * NGD remembers nothing but its estimates: a run begun there on the other links is the oracle.
   */
  @Test
  void change_aLinkCutOnTheWay_givesTheBitsOfARunBegunThere() {
    Graph graph = new Topology.Circle(5, 2).graph();
    Network cut = Network.of(graph.without(1, 3), new Weights.Uniform());
    assertThat(cut.weight(1, 3)).isZero();
    assertThat(cut.weight(1, 2)).isEqualTo(1);
    Ngd ngd = new Ngd(StepSize.constant(0.1));
    try (Run<Ngd.State> run = ofFive(Network.of(graph, new Weights.Uniform())).start(ngd)) {
      run.advance(7);
      double[][] there = copy(run.theta());
      long before = run.traffic().messages();
      run.change(cut);
      run.advance(5);
      assertThat(run.round()).isEqualTo(12);
      assertThat(run.traffic().messages()).isEqualTo(before + 5 * 9);
      try (Run<Ngd.State> begun = ofFive(cut).start(ngd, there)) {
        begun.advance(5);
        assertThat(copy(run.theta())).isDeepEqualTo(copy(begun.theta()));
      }
    }
  }
}
