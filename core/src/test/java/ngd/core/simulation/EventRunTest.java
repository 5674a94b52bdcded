package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Snapshot;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.asynchronous.AdPsgd;
import ngd.core.algorithm.asynchronous.AsyncNgd;
import ngd.core.algorithm.asynchronous.GoSgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/**
 * Oracles: synchronous NGD where clocks are equal; data without noise, on which all must come to
 * the same known point whatever is late or lost; the mean that gossip keeps.
 */
class EventRunTest {
  private static final double[] TRUTH = {1.5, -0.5, 2};
  private static final StepSize ALPHA = StepSize.constant(0.05);

  private static final Impairments HARSH =
      new Impairments(Impairments.Clocks.POISSON, 0.7, 0.2, 30, 5);

  /** Counts whose predictors have offsets, some rows counting double or not at all. */
  private static Shards withOffsetsAndWeights(boolean exact) {
    int[] sizes = {6, 12, 4, 9, 7, 15};
    Shards.Filler filler = Shards.sized(3, sizes);
    for (int m = 0; m < sizes.length; m++) {
      UniformRandomProvider draw = Streams.of(5).stream(Streams.Purpose.DATA, m);
      for (int i = 0; i < sizes[m]; i++) {
        double[] x = {1, 2 * draw.nextDouble() - 1, 2 * draw.nextDouble() - 1};
        double offset = 3 * draw.nextDouble() - 1;
        double eta = x[0] * TRUTH[0] + x[1] * TRUTH[1] + x[2] * TRUTH[2] + offset;
        boolean wild = i % 5 == 4;
        filler.put(
            m,
            i,
            x,
            wild ? 100 : exact ? eta : Math.rint(Math.exp(eta / 3)),
            offset,
            wild ? 0 : 1 + i % 2);
      }
    }
    return filler.done();
  }

  @Test
  void asyncNgd_offsetsAndWeights_isNgdToTheLastBit() {
    Network network = Network.of(new Topology.Ring(6, 2), new Weights.Metropolis());
    for (Glm glm : new Glm[] {new Linear(), new Poisson()}) {
      Simulation simulation =
          new Simulation(network, glm.over(withOffsetsAndWeights(false)), Streams.of(1), 1);
      StepSize alpha = StepSize.constant(0.01);
      try (Run<Ngd.State> rounds = simulation.start(new Ngd(alpha));
          EventRun<AsyncNgd.State> events =
              simulation.start(new AsyncNgd(alpha, 0), Impairments.PERFECT)) {
        rounds.advance(40);
        events.advance(40);
        for (int m = 0; m < 6; m++) {
          assertThat(events.theta().row(m)).isEqualTo(rounds.theta().row(m));
        }
      }
    }
  }

  /** Without noise every client must come to the truth, which lies elsewhere without offsets. */
  @Test
  void gossip_offsetsAndWeights_comesToTheTruth() {
    Simulation simulation =
        new Simulation(
            Network.of(new Topology.Complete(6)),
            new Linear().over(withOffsetsAndWeights(true)),
            Streams.of(1),
            1);
    for (Algorithm.Events<?> method :
        List.of(
            new AdPsgd(ALPHA, 0, GradientScales.NONE),
            new GoSgd(ALPHA, 0, 0.5, GradientScales.NONE))) {
      try (EventRun<?> run = simulation.start(method, Impairments.PERFECT)) {
        run.advance(4000);
        for (int m = 0; m < 6; m++) {
          assertThat(run.theta().row(m)).as(method.toString()).containsExactly(TRUTH, within(1e-6));
        }
      }
    }
  }

  @Test
  void asyncNgd_equalClocksNoDelay_isNgdToTheLastBit() {
    int[] sizes = {5, 12, 3, 30, 9, 6, 17, 8};
    Shards shards = RandomData.shards(8, 3, sizes, RandomData.labels(TRUTH));
    for (Network network :
        new Network[] {
          Network.of(Topology.parse("fixed:3", 8, Streams.of(2))),
          Network.of(new Topology.Ring(8, 2), new Weights.Metropolis()),
          Network.of(new Topology.Central(8)),
        }) {
      for (boolean linear : new boolean[] {true, false}) {
        Simulation simulation =
            new Simulation(
                network,
                linear ? new Linear().over(shards) : new Logistic().over(shards),
                Streams.of(1),
                1);
        for (int staleness : new int[] {0, 3}) {
          try (Run<Ngd.State> rounds = simulation.start(new Ngd(ALPHA));
              EventRun<AsyncNgd.State> events =
                  simulation.start(new AsyncNgd(ALPHA, staleness), Impairments.PERFECT)) {
            rounds.advance(60);
            events.advance(60);
            assertThat(events.state(0).round()).isEqualTo(60);
            Rows theta = events.theta();
            for (int m = 0; m < 8; m++) {
              assertThat(theta.row(m)).isEqualTo(rounds.theta().row(m));
            }
            assertThat(events.traffic().messages())
                .isEqualTo(61 * rounds.traffic().messages() / 60);
          }
        }
      }
    }
  }

  private static Simulation exact() {
    Shards shards =
        RandomData.shards(2, 3, new int[] {4, 9, 6, 5, 7, 8}, RandomData.exactly(TRUTH));
    return new Simulation(
        Network.of(new Topology.Ring(6, 1), new Weights.Metropolis()),
        new Linear().over(shards),
        Streams.of(3),
        1);
  }

  private static void assertAtTruth(Algorithm.Events<?> method, Impairments conditions) {
    try (EventRun<?> run = exact().start(method, conditions)) {
      run.advance(3000);
      Rows theta = run.theta();
      for (int m = 0; m < 6; m++) {
        assertThat(theta.row(m)).as(method.toString()).containsExactly(TRUTH, within(1e-7));
      }
    }
  }

  @Test
  void run_harshConditions_stillComesToTheTruth() {
    for (Algorithm.Events<?> method :
        Arrays.asList(
            new AsyncNgd(ALPHA, 0),
            new AsyncNgd(ALPHA, 20),
            new AdPsgd(ALPHA, 0, GradientScales.NONE),
            new GoSgd(ALPHA, 0, 0.5, GradientScales.NONE))) {
      assertAtTruth(method, Impairments.PERFECT);
      assertAtTruth(method, new Impairments(Impairments.Clocks.UNEQUAL, 2, 0, 0, 0));
      assertAtTruth(method, HARSH);
    }
  }

  @Test
  void run_sameSeed_givesTheSameBits() {
    double[][] first = null;
    for (int i = 0; i < 2; i++) {
      try (EventRun<?> run = exact().start(new AdPsgd(ALPHA, 2, GradientScales.NONE), HARSH)) {
        run.advance(i == 0 ? 50 : 20);
        run.advance(i == 0 ? 0 : 30);
        double[][] found = RoundsContract.copy(run.theta());
        if (first == null) {
          first = found;
        } else {
          assertThat(found).isDeepEqualTo(first);
        }
      }
    }
  }

  /** No client gets more than the bound ahead of the slowest that it hears. */
  @Test
  void asyncNgd_boundedStaleness_waits() {
    Impairments unequal = new Impairments(Impairments.Clocks.UNEQUAL, 0, 0, 0, 0);
    int[] spread = new int[2];
    int at = 0;
    for (int staleness : new int[] {0, 2}) {
      try (EventRun<AsyncNgd.State> run = exact().start(new AsyncNgd(ALPHA, staleness), unequal)) {
        run.advance(300);
        int[] rounds = new int[6];
        Arrays.setAll(rounds, m -> run.state(m).round());
        spread[at++] =
            Arrays.stream(rounds).max().orElseThrow() - Arrays.stream(rounds).min().orElseThrow();
      }
    }
    assertThat(spread[0]).isGreaterThan(60);
    assertThat(spread[1]).isLessThanOrEqualTo(3 * 3);
  }

  /** Weights only move: their sum over clients and letters stays that of the start. */
  @Test
  void gosgd_noDelayNoLoss_keepsTheSumOfWeights() {
    GoSgd method = new GoSgd(ALPHA, 0, 0.5, GradientScales.NONE);
    Impairments poisson = new Impairments(Impairments.Clocks.POISSON, 0, 0, 0, 0);
    try (EventRun<GoSgd.State> run = exact().start(method, poisson)) {
      run.advance(200);
      double sum = 0;
      for (int m = 0; m < 6; m++) {
        sum += run.state(m).weight();
      }
      assertThat(sum).isCloseTo(6, within(1e-9));
    }
  }

  @Test
  void new_impossibleConditions_areRefused() {
    assertThatThrownBy(() -> new Impairments(Impairments.Clocks.EQUAL, -1, 0, 0, 0))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new Impairments(Impairments.Clocks.EQUAL, 0, 1, 0, 0))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new Impairments(Impairments.Clocks.EQUAL, 0, 0, 5, 0))
        .isInstanceOf(InvalidInput.class);
  }

  /** Nothing but the state decides what a client does next: the same bytes are the same client. */
  @Test
  void snapshot_statesOnTheWay_areRestoredWhole() {
    Shards shards = RandomData.shards(8, 3, RandomData.equal(5, 6), RandomData.noisy(TRUTH));
    Network network = Network.of(new Topology.Ring(5, 1), new Weights.Metropolis());
    Simulation simulation = new Simulation(network, new Linear().over(shards), Streams.of(3), 1);
    for (Algorithm.Events<?> algorithm :
        List.of(
            new AsyncNgd(ALPHA, 2),
            new AdPsgd(ALPHA, 0, GradientScales.NONE),
            new GoSgd(ALPHA, 0, 0.5, GradientScales.NONE))) {
      for (double time : new double[] {0, 0.3, 20}) {
        restored(simulation, algorithm, time);
      }
    }
  }

  private static <S extends Algorithm.State> void restored(
      Simulation simulation, Algorithm.Events<S> algorithm, double time) {
    try (EventRun<S> run = simulation.start(algorithm, HARSH);
        EventRun<S> fresh = simulation.start(algorithm, HARSH)) {
      run.advance(time);
      for (int m = 0; m < 5; m++) {
        byte[] bytes = Snapshot.of(run.state(m));
        Host host = new Host(Kernels.best(), new Workers(1));
        S restored = Snapshot.restore(bytes, fresh.state(m), host);
        assertThat(Snapshot.of(restored)).isEqualTo(bytes);
        assertThat(restored.round()).isEqualTo(run.state(m).round());
        assertThat(restored.theta().row(0)).isEqualTo(run.state(m).theta().row(0));
        assertThat(restored.rows()).hasSameSizeAs(run.state(m).rows());
      }
    }
  }
}
