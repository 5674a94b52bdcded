package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.codec.Codec;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who takes part in each round. Oracles: the probabilities in closed form, and losses by plain
 * loops.
 */
class ClientSelectionTest {
  private static final int[] SIZES = {1, 2, 3, 4, 10};
  private static final int CLIENTS = SIZES.length;
  private static final int MANY = 20_000;
  private static final Shards NOISY = RandomData.shards(3, 1, SIZES, RandomData.noisy(1));

  /** Asks a rule in every round, and moves nobody. */
  private record Watching(ClientSelection rule, List<boolean[]> rounds)
      implements Algorithm.Rounds<Watching.State> {
    record State(int round, Rows theta) implements Algorithm.State {
      @Override
      public List<Rows> rows() {
        return List.of(theta);
      }
    }

    @Override
    public State start(Rows theta) {
      return new State(0, theta);
    }

    @Override
    public State step(State s, Exchange exchange, Local local, Draws draws) {
      rounds.add(rule.chosen(draws, CLIENTS, s.theta(), local, exchange));
      return new State(s.round() + 1, s.theta());
    }
  }

  private static List<boolean[]> rounds(String spec, int count, Shards data, double[][] start) {
    List<boolean[]> rounds = new ArrayList<>();
    Simulation simulation =
        new Simulation(
            Network.of(new Topology.Ring(CLIENTS, 1)), new Linear().over(data), Streams.of(4), 1);
    try (Run<Watching.State> run =
        simulation.start(new Watching(ClientSelection.parse(spec), rounds), start)) {
      run.advance(count);
    }
    assertThat(rounds).hasSize(count);
    return rounds;
  }

  private static List<boolean[]> rounds(String spec, int count) {
    return rounds(spec, count, NOISY, new double[CLIENTS][1]);
  }

  private static int[] clients(boolean[] chosen) {
    return IntStream.range(0, CLIENTS).filter(m -> chosen[m]).toArray();
  }

  /** How often each client takes part. */
  private static double[] shares(List<boolean[]> rounds) {
    double[] shares = new double[CLIENTS];
    rounds.forEach(
        chosen -> Arrays.stream(clients(chosen)).forEach(m -> shares[m] += 1.0 / rounds.size()));
    return shares;
  }

  @ParameterizedTest
  @CsvSource({
    "all,5",
    "uniform:1,1",
    "uniform:3,3",
    "uniform:5,5",
    "by-size:1,1",
    "by-size:4,4",
    "by-size:5,5",
    "in-turn:2,2",
    "in-turn:5,5",
    "high-loss:1,1",
    "high-loss:3,3"
  })
  void chosen_everyRound_areAsManyAsAskedFor(String spec, int count) {
    assertThat(ClientSelection.parse(spec).spec()).isEqualTo(spec);
    assertThat(rounds(spec, 200)).allSatisfy(one -> assertThat(clients(one)).hasSize(count));
  }

  @Test
  void chosen_uniform_everyPairEquallyOften() {
    int[][] pairs = new int[CLIENTS][CLIENTS];
    rounds("uniform:2", MANY).forEach(one -> pairs[clients(one)[0]][clients(one)[1]]++);
    for (int m = 0; m < CLIENTS; m++) {
      for (int k = m + 1; k < CLIENTS; k++) {
        assertThat((double) pairs[m][k] / MANY).as("%d, %d", m, k).isCloseTo(0.1, within(0.01));
      }
    }
  }

  @Test
  void chosen_bySize_areInProportionToRows() {
    double[] one = shares(rounds("by-size:1", MANY));
    double[] two = shares(rounds("by-size:2", MANY));
    double all = Arrays.stream(SIZES).sum();
    for (int m = 0; m < CLIENTS; m++) {
      double first = SIZES[m] / all;
      assertThat(one[m]).as("client %d", m).isCloseTo(first, within(0.015));
      double either = first;
      for (int k = 0; k < CLIENTS; k++) {
        either += k == m ? 0 : SIZES[k] / all * SIZES[m] / (all - SIZES[k]);
      }
      assertThat(two[m]).as("client %d of two", m).isCloseTo(either, within(0.015));
    }
  }

  @Test
  void chosen_inTurn_goesOnWhereTheRoundBeforeEnded() {
    List<boolean[]> rounds = rounds("in-turn:2", 10);
    for (int t = 0; t < rounds.size(); t++) {
      assertThat(clients(rounds.get(t)))
          .as("round %d", t)
          .containsExactlyInAnyOrder(2 * t % CLIENTS, (2 * t + 1) % CLIENTS);
    }
    for (double share : shares(rounds)) {
      assertThat(share).isCloseTo(0.4, within(1e-12));
    }
  }

  @Test
  void chosen_highLoss_areThoseWithTheLargest() {
    double[][] start = {{0.2}, {-1}, {3}, {1}, {0.5}};
    Double[] losses = new Double[CLIENTS];
    for (int m = 0; m < CLIENTS; m++) {
      Shard shard = NOISY.shard(m);
      double sum = 0;
      for (int i = 0; i < shard.rows(); i++) {
        sum += Math.pow(shard.y(i) - shard.x(i, 0) * start[m][0], 2) / 2;
      }
      losses[m] = sum / shard.rows();
    }
    for (int count = 1; count <= CLIENTS; count++) {
      double least = Arrays.stream(losses).mapToDouble(x -> x).sorted().toArray()[CLIENTS - count];
      int[] expected = IntStream.range(0, CLIENTS).filter(m -> losses[m] >= least).toArray();
      for (boolean[] one : rounds("high-loss:" + count, 3, NOISY, start)) {
        assertThat(clients(one)).isEqualTo(expected);
      }
    }
  }

  @Test
  void chosen_equalLosses_areThoseOfLowerNumber() {
    Shards exact = RandomData.shards(3, 1, SIZES, RandomData.exactly(1));
    double[][] truth = {{1}, {1}, {1}, {1}, {1}};
    assertThat(clients(rounds("high-loss:2", 1, exact, truth).getFirst())).containsExactly(0, 1);
  }

  /** Given that it is not nobody, each takes part with probability P / (1 − (1 − P)^M). */
  @Test
  void chosen_bernoulli_isNeverNobody() {
    List<boolean[]> rounds = rounds("bernoulli:0.3", MANY);
    assertThat(rounds).allSatisfy(one -> assertThat(clients(one)).isNotEmpty());
    for (double share : shares(rounds)) {
      assertThat(share).isCloseTo(0.3 / (1 - Math.pow(0.7, CLIENTS)), within(0.015));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform:2", "by-size:2", "bernoulli:0.3"})
  void chosen_againWithTheSameSeed_areTheSame(String spec) {
    List<boolean[]> first = rounds(spec, 50);
    assertThat(Arrays.deepEquals(rounds(spec, 50).toArray(), first.toArray())).isTrue();
    assertThat(first.stream().map(Arrays::toString).distinct().count()).isGreaterThan(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uniform:0|selection uniform:K: K must be at least 1, the clients that take part; got 0",
        "high-loss:x|selection high-loss:K: K must be a whole number; got `x`",
        "by-size:1.5|selection by-size:K: K must be a whole number; got `1.5`",
        "bernoulli:1|selection bernoulli:P: P must lie in (0, 1), a probability; got 1.0",
        "bernoulli:p|selection bernoulli:P: P must be a number; got `p`",
        "in-turn|selection: the form is `in-turn:K`; got `in-turn`",
        "uniforn:2|selection: `uniforn:2` is unknown; did you mean `uniform:K`? one of: all,"
            + " uniform:K, by-size:K, in-turn:K, high-loss:K, bernoulli:P"
      })
  void parse_wrongWords_areRefused(String spec, String message) {
    assertThatThrownBy(() -> ClientSelection.parse(spec))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(message);
  }

  @Test
  void unmet_moreThanThereAre_isRefused() {
    Algorithms.Named fedavg = Algorithms.parse("fedavg");
    AlgorithmChoice choice =
        new AlgorithmChoice(
            fedavg.descriptor(),
            fedavg.parameters(),
            StepChoice.parse("0.1"),
            0,
            1,
            new Codec.Full(),
            Optional.empty(),
            0,
            ClientSelection.parse("uniform:6"));
    Network ring = Network.of(new Topology.Ring(CLIENTS, 1));
    assertThat(new Suitability(ring, new Linear(), new Mixing.Mean()).unmet(choice))
        .containsExactly("selection uniform:6: must select at most the 5 clients there are");
  }

  /**
   * The attack: whoever sees the common model and knows who was selected solves for every site's
   * second moments, A_m = XᵀX/n and b_m = Xᵀy/n. Each round says θ − θ⁺ = α Σ (A_m θ − b_m) / K
   * over the K sites selected, two equations in five numbers of each site.
   */
  @ParameterizedTest
  @CsvSource({"uniform:2,25", "uniform:3,25", "in-turn:2,25", "bernoulli:0.5,25", "all,5"})
  void selection_commonModels_showEverySitesMoments(String spec, int determined) {
    int rows = 40;
    Random draw = new Random(5);
    double[][][] x = new double[CLIENTS][rows][2];
    double[][] y = new double[CLIENTS][rows];
    double[] truth = new double[5 * CLIENTS];
    for (int m = 0; m < CLIENTS; m++) {
      for (int i = 0; i < rows; i++) {
        double first = draw.nextGaussian() * (1 + 0.2 * m);
        double second = draw.nextGaussian() + 0.3 * first;
        x[m][i] = new double[] {first, second};
        y[m][i] = (1 + m) * first - m * second + draw.nextGaussian();
        double[] terms = {
          first * first, first * second, second * second, first * y[m][i], second * y[m][i]
        };
        for (int k = 0; k < 5; k++) {
          truth[5 * m + k] += terms[k] / rows;
        }
      }
    }
    Shards data = Shards.of(x, y);
    int count = 200;
    double alpha = 0.3;
    List<boolean[]> selected = rounds(spec, count, data, new double[CLIENTS][2]);
    FedAvg method =
        new FedAvg(
            StepSize.constant(alpha),
            new LocalDescent(0, 1, GradientScales.NONE),
            ClientSelection.parse(spec));
    DMatrixRMaj equations = new DMatrixRMaj(2 * count, 5 * CLIENTS);
    DMatrixRMaj said = new DMatrixRMaj(2 * count, 1);
    Simulation simulation =
        new Simulation(
            Network.of(new Topology.Ring(CLIENTS, 1)), new Linear().over(data), Streams.of(4), 1);
    try (Run<FedAvg.State> run = simulation.start(method, new double[CLIENTS][2])) {
      for (int t = 0; t < count; t++) {
        double[] before = run.theta().row(0).clone();
        run.advance(1);
        int[] here = clients(selected.get(t));
        for (int m : here) {
          double part = alpha / here.length;
          equations.set(2 * t, 5 * m, part * before[0]);
          equations.set(2 * t, 5 * m + 1, part * before[1]);
          equations.set(2 * t, 5 * m + 3, -part);
          equations.set(2 * t + 1, 5 * m + 1, part * before[0]);
          equations.set(2 * t + 1, 5 * m + 2, part * before[1]);
          equations.set(2 * t + 1, 5 * m + 4, -part);
        }
        said.set(2 * t, 0, before[0] - run.theta().get(0, 0));
        said.set(2 * t + 1, 0, before[1] - run.theta().get(0, 1));
      }
    }
    SingularValueDecomposition_F64<DMatrixRMaj> svd =
        DecompositionFactory_DDRM.svd(2 * count, 5 * CLIENTS, false, false, true);
    assertThat(svd.decompose(equations.copy())).isTrue();
    double[] values = svd.getSingularValues();
    double largest = Arrays.stream(values).max().orElseThrow();
    assertThat(Arrays.stream(values).filter(value -> value > 1e-10 * largest).count())
        .isEqualTo(determined);
    if (determined == truth.length) {
      DMatrixRMaj found = new DMatrixRMaj(5 * CLIENTS, 1);
      assertThat(CommonOps_DDRM.solve(equations, said, found)).isTrue();
      assertThat(found.getData()).containsExactly(truth, within(1e-9));
    }
  }
}
