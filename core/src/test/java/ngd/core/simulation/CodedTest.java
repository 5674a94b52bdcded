package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Coded;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Snapshot;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.compressed.Choco;
import ngd.core.algorithm.compressed.Lead;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.codec.Codec;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import org.junit.jupiter.api.Test;

/**
 * Oracles: methods without a codec, what messages must weigh, and runs that were not broken off.
 */
class CodedTest {
  private static final StepSize ALPHA = StepSize.constant(0.05);
  private static final int CLIENTS = 6;
  private static final Network NETWORK =
      Network.of(new Topology.Ring(CLIENTS, 1), new Weights.LazyMetropolis());

  private static Simulation simulation(Network network) {
    Shards shards =
        RandomData.shards(8, 4, new int[] {5, 12, 7, 30, 9, 6}, RandomData.noisy(1, -2, 0.5, 3));
    return new Simulation(network, new Linear().over(shards), Streams.of(5), 1);
  }

  private static double[][] after(Algorithm.Rounds<?> method, int rounds) {
    try (Run<?> run = simulation(NETWORK).start(method)) {
      run.advance(rounds);
      return copy(run.theta());
    }
  }

  private static double[][] copy(Rows rows) {
    double[][] copy = new double[rows.rows()][];
    Arrays.setAll(copy, rows::row);
    return copy;
  }

  private static void assertNear(double[][] found, double[][] expected, double tolerance) {
    for (int m = 0; m < expected.length; m++) {
      assertThat(found[m]).as("client %d", m).containsExactly(expected[m], within(tolerance));
    }
  }

  /** A codec that sends everything is none, to the bit: with two messages a round, and feedback. */
  @Test
  void coded_everyEntrySent_isTheMethodItself() {
    Diging plain = new Diging(ALPHA, GradientScales.NONE);
    double[][] expected = after(plain, 40);
    for (String codec : List.of("none", "top:4", "random:9", "error-feedback:top:4")) {
      assertThat(after(new Coded<>(plain, Codec.parse(codec)), 40))
          .as(codec)
          .isDeepEqualTo(expected);
    }
  }

  /** θ ← W(θ − α g), adapt and combine, is what early stopping does before it stops. */
  @Test
  void choco_fullNumbersAllTheWay_isDescentThenAveraging() {
    Choco choco = new Choco(ALPHA, 1, new Codec.Full(), 0, GradientScales.NONE);
    assertNear(
        after(choco, 40), after(new EarlyStopped(ALPHA, 100, GradientScales.NONE), 40), 1e-13);
  }

  /**
   * LEAD without a codec is NIDS, x ← W̃(2x − x₋ − α g + α g₋) after a first step that mixes
   * nothing: the recursion of exact diffusion from there on, so that both come to the same point.
   */
  @Test
  void lead_fullNumbers_isTheRecursionOfNids() {
    Simulation simulation = simulation(NETWORK);
    Lead lead = new Lead(ALPHA, 1, 0.3, new Codec.Full(), 0, GradientScales.NONE);
    double[][][] theta = new double[40][][];
    double[][][] gradient = new double[40][][];
    try (Run<Lead.State> run = simulation.start(lead)) {
      for (int t = 0; t < theta.length; t++) {
        theta[t] = copy(run.theta());
        gradient[t] = gradients(theta[t]);
        run.advance(1);
      }
    }
    for (int t = 1; t + 1 < theta.length; t++) {
      for (int m = 0; m < CLIENTS; m++) {
        for (int j = 0; j < 4; j++) {
          double expected = 0;
          for (int k = 0; k < CLIENTS; k++) {
            double w = NETWORK.weight(m, k) / 2 + (m == k ? 0.5 : 0);
            expected +=
                w
                    * (2 * theta[t][k][j]
                        - theta[t - 1][k][j]
                        - 0.05 * (gradient[t][k][j] - gradient[t - 1][k][j]));
          }
          assertThat(theta[t + 1][m][j]).isCloseTo(expected, within(1e-12));
        }
      }
    }
    assertNear(
        after(lead, 3000), after(new ExactDiffusion(ALPHA, GradientScales.NONE), 3000), 1e-8);
  }

  /** Half the mean squared error's gradient, X'(Xθ − y)/n. */
  private static double[][] gradients(double[][] theta) {
    Shards shards = simulation(NETWORK).objective().shards();
    double[][] all = new double[CLIENTS][4];
    for (int m = 0; m < CLIENTS; m++) {
      int n = shards.shard(m).rows();
      for (int i = 0; i < n; i++) {
        double error = -shards.shard(m).y(i);
        for (int j = 0; j < 4; j++) {
          error += shards.shard(m).x(i, j) * theta[m][j];
        }
        for (int j = 0; j < 4; j++) {
          all[m][j] += error * shards.shard(m).x(i, j) / n;
        }
      }
    }
    return all;
  }

  /**
   * Two neighbours each, 10 rounds: 8 + 1 bytes of signs, 2 · (8 + 1) of entries, 8 + 2 of bits.
   */
  @Test
  void traffic_everyCodec_countsTheBytesOfMessages() {
    Object[][] expected = {{"sign", 9}, {"top:2", 18}, {"random:2", 18}, {"qsgd:4", 10}};
    for (Object[] one : expected) {
      Codec codec = Codec.parse((String) one[0]);
      for (Algorithm.Rounds<?> method :
          List.of(
              new Coded<>(new Ngd(ALPHA), codec),
              new Choco(ALPHA, 0.2, codec, 0, GradientScales.NONE))) {
        try (Run<?> run = simulation(NETWORK).start(method)) {
          run.advance(10);
          assertThat(run.traffic())
              .isEqualTo(new Traffic(10L * 2 * CLIENTS, 10L * 2 * CLIENTS * (int) one[1]));
        }
      }
    }
  }

  /** Feedback sends all in the long run: what was sent so far lacks no more than what is kept. */
  @Test
  void coded_errorFeedback_keepsWhatMessagesLeaveOut() {
    Coded<Ngd.State> coded = new Coded<>(new Ngd(ALPHA), Codec.parse("error-feedback:qsgd:6"));
    Coded<Ngd.State> plain = new Coded<>(new Ngd(ALPHA), Codec.parse("qsgd:6"));
    // All is 0 before the first round, so that the second is the first to leave something out.
    assertThat(after(coded, 2)).isDeepEqualTo(after(plain, 2));
    assertThat(after(coded, 3)).isNotEqualTo(after(plain, 3));
    try (Run<Coded.State<Ngd.State>> whole = simulation(NETWORK).start(coded)) {
      whole.advance(7);
      assertThat(whole.state().rows()).hasSize(2);
      byte[] kept = Snapshot.of(whole.state());
      whole.advance(20);
      try (Run<Coded.State<Ngd.State>> resumed = simulation(NETWORK).resume(coded, kept)) {
        resumed.advance(20);
        assertThat(copy(resumed.theta())).isDeepEqualTo(copy(whole.theta()));
      }
    }
  }

  /** Differences shrink, and so does what a codec takes away: the pooled estimate all the same. */
  @Test
  void exactMethods_fewBytes_comeToThePooledEstimate() {
    double[][] exact = after(new Diging(ALPHA, GradientScales.NONE), 4000);
    for (String asked : List.of("beer:0.3 top:2", "lead:1:0.5 qsgd:4", "lead:0.3:0.9 random:3")) {
      String[] words = asked.split(" ", -1);
      Algorithm.Rounds<?> method =
          AlgorithmChoice.of(words[0], new StepChoice.Given(ALPHA))
              .with(Codec.parse(words[1]))
              .rounds(GradientScales.NONE, true);
      assertNear(after(method, 4000), exact, 1e-8);
    }
  }

  @Test
  void problems_methodsThatDoNotOnlyAverage_takeNoCodec() {
    for (String name : List.of("sgp", "collaborative", "fedavg", "push-pull", "async-ngd")) {
      assertThat(
              AlgorithmChoice.of(name, new StepChoice.Given(ALPHA))
                  .with(new Codec.Sign())
                  .problems())
          .as(name)
          .anyMatch(
              problem -> problem.contains("codec: `" + name + "` does not only average rows"));
    }
    assertThat(
            AlgorithmChoice.of("choco", new StepChoice.Given(ALPHA))
                .with(Codec.parse("error-feedback:sign"))
                .problems())
        .containsExactly(
            "codec: `choco` keeps what messages leave out itself, without error-feedback");
  }

  @Test
  void codec_attackers_areRefused() {
    Simulation liars =
        simulation(NETWORK)
            .with(
                new Trust(
                    new ngd.core.world.Mixing.Mean(), Attack.parse("sign-flip:1"), List.of(1)));
    try (Run<?> run = liars.start(new Coded<>(new Ngd(ALPHA), new Codec.Sign()))) {
      assertThatThrownBy(() -> run.advance(1))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("codec sign: cannot be used by attackers");
    }
  }
}
