package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: the defining products, closed forms, and laws that hold in every round. */
final class ScheduleTest {
  private static NetworkSchedule schedule(String spec, int clients) {
    Topology topology = Topology.parse(spec, clients, Streams.of(3));
    return NetworkSchedule.of(topology, Weights.standard(topology));
  }

  private static NetworkSchedule listed(String csv, int clients, String weights) {
    Topology.EdgeFile file =
        new Topology.EdgeFile(clients, "edges.csv", Optional.of(csv.replace(';', '\n')));
    return NamedNetwork.of(
            file, weights.isEmpty() ? Optional.empty() : Optional.of(weights), new int[0])
        .schedule();
  }

  private static void assertStochastic(Network w) {
    for (int m = 0; m < w.clients(); m++) {
      double sum = 0;
      for (int e = w.offsets()[m]; e < w.offsets()[m + 1]; e++) {
        if (!(w.weights()[e] > 0) || (e > w.offsets()[m] && w.heard()[e - 1] >= w.heard()[e])) {
          throw new AssertionError("row %d, entry %d".formatted(m, e));
        }
        sum += w.weights()[e];
      }
      assertThat(sum).isCloseTo(1, within(1e-14));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6})
  void base_anyNumberOfClients_averagesExactlyWithinItsDegree(int degree) {
    for (int clients = degree + 1; clients <= 60; clients++) {
      NetworkSchedule base = schedule("base:" + degree, clients);
      int period = base.period().orElseThrow();
      assertThat(base.always(NetworkProperty.SYMMETRIC)).isTrue();
      for (int t = 0; t < period; t++) {
        assertStochastic(base.at(t));
        assertThat(Diagnosis.of(base.at(t)).inDegree().max()).isLessThanOrEqualTo(degree);
      }
      Network product = base.overPeriod();
      double even = 1.0 / clients;
      assertThat(product.edges()).isEqualTo(clients * clients);
      assertThat(Arrays.stream(product.weights()).map(w -> Math.abs(w - even)).max().orElse(1))
          .isLessThan(1e-12);
      // The paper's theorem 1.
      assertThat((double) period)
          .isLessThanOrEqualTo(2 * Math.log(clients) / Math.log(degree + 1) + 2 + 1e-9);
    }
  }

  /** The lengths that the paper's figures show. */
  @ParameterizedTest
  @CsvSource({"1,5,5", "1,6,4", "1,8,3", "1,4,2", "2,5,3", "3,16,2", "1,7,5"})
  void base_smallNumbers_hasThePapersLength(int degree, int clients, int rounds) {
    assertThat(schedule("base:" + degree, clients).period()).hasValue(rounds);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 32})
  void onePeerExponential_powerOfTwo_averagesExactly(int clients) {
    NetworkSchedule peers = schedule("one-peer-exponential", clients);
    assertThat(peers.period()).hasValue(Integer.numberOfTrailingZeros(clients));
    Network product = peers.overPeriod();
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        assertThat(product.weight(m, k)).isEqualTo(1.0 / clients);
      }
    }
  }

  @Test
  void onePeerExponential_anyNumber_hearsOneFurtherAwayInEachRound() {
    NetworkSchedule peers = schedule("one-peer-exponential", 6);
    assertThat(peers.period()).hasValue(3);
    for (int t = 0; t < 6; t++) {
      for (int m = 0; m < 6; m++) {
        assertThat(peers.at(t).weight(m, (m + (1 << (t % 3))) % 6)).isEqualTo(0.5);
        assertThat(peers.at(t).weight(m, m)).isEqualTo(0.5);
      }
    }
    assertThat(peers.always(NetworkProperty.DOUBLY_STOCHASTIC)).isTrue();
    assertThat(peers.always(NetworkProperty.SYMMETRIC)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 8})
  void randomMatching_everyRound_pairsClientsAndItsMeanIsExpected(int clients) {
    NetworkSchedule matching = schedule("random-matching", clients);
    double[][] sums = new double[clients][clients];
    int rounds = 20_000;
    for (int t = 0; t < rounds; t++) {
      Network w = matching.at(t);
      if (w.links() != 2 * (clients / 2) || !NetworkProperty.SYMMETRIC.of(w)) {
        throw new AssertionError("round " + t);
      }
      for (int m = 0; m < clients; m++) {
        for (int k = 0; k < clients; k++) {
          sums[m][k] += w.weight(m, k) / rounds;
        }
      }
    }
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        assertThat(matching.mean().weight(m, k)).isCloseTo(sums[m][k], within(0.01));
      }
    }
    assertStochastic(matching.mean());
    assertThat(matching.period()).isEmpty();
  }

  @Test
  void edgeFile_withRounds_hasANetworkForEach() {
    NetworkSchedule rounds = listed("client,hears,round;0,1,0;1,0,0;1,2,1;2,1,1", 3, "lazy:0.5");
    assertThat(rounds.period()).hasValue(2);
    assertThat(rounds.at(0).weight(0, 1)).isEqualTo(0.5);
    assertThat(rounds.at(0).weight(2, 2)).isEqualTo(1);
    assertThat(rounds.at(1).weight(0, 0)).isEqualTo(1);
    assertThat(rounds.at(3).weight(2, 1)).isEqualTo(0.5);
    assertThat(rounds.mean().weight(1, 2)).isEqualTo(0.25);
    // W_2 W_1, row 2: half of what 1 had after the first round, which was half of 0's and 1's.
    assertThat(rounds.overPeriod().weight(2, 0)).isEqualTo(0.25);
    assertThat(rounds.overPeriod().weight(2, 2)).isEqualTo(0.5);
  }

  @Test
  void edgeFile_withWeightsAndRounds_hasThese() {
    NetworkSchedule rounds =
        listed("client,hears,weight,round;0,1,0.25,0;0,0,0.75,0;1,0,1,1;1,1,0,1", 2, "");
    assertThat(rounds.at(0).weight(0, 1)).isEqualTo(0.25);
    assertThat(rounds.at(0).weight(1, 1)).isEqualTo(1);
    assertThat(rounds.at(1).weight(1, 0)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "client,hears,round;0,1,0;1,0,2|edges.csv, column `round`: rounds count from 0 without"
            + " gaps; round 1 has no link, and the last is 2",
        "client,hears,round;0,1,-1|edges.csv, line 2, column `round`: must lie in [0, 999999],"
            + " rounds count from 0; got -1",
        "client,hears,round;0,1,x|edges.csv, line 2, column `round`: must be a whole number; got"
            + " `x`",
        "client,hears,round;0,1,0;0,1,0|edges.csv, line 3: each link may be named once in a round;"
            + " client 0 hears 1 on line 2 already",
        "client,hears,round|edges.csv: must name at least one link; it has none"
      })
  void edgeFile_wrongRounds_isRefused(String csv, String message) {
    assertThatThrownBy(() -> listed(csv, 2, "uniform"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(message);
  }

  @Test
  void edgeFile_withNames_numbersThemAsTheyOccur() {
    Topology.EdgeFile file =
        new Topology.EdgeFile(
            3, "edges.csv", Optional.of("client,hears\nnorth,east\neast,south\nsouth,north\n"));
    assertThat(file.names()).containsExactly("north", "east", "south");
    assertThat(file.graph().hears(0)).containsExactly(1);
    assertThat(file.of(List.of("south", "north", "east")).graph().hears(0)).containsExactly(1);
    assertThat(file.of(List.of("south", "north", "east")).graph().hears(2)).containsExactly(0);
    assertThatThrownBy(() -> file.of(List.of("south", "north", "eats")).graph())
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "edges.csv, line 2, column `hears`: must be one of the sites south, north, eats; did"
                + " you mean `eats`?; got `east`");
    assertThatThrownBy(() -> new Topology.EdgeFile(2, "edges.csv", file.text()).graph())
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "edges.csv, line 3, column `hears`: names one client more than the 2 of this network;"
                + " got `south`, after north, east");
  }

  @Test
  void impaired_linkFailures_haveTheirShareAndMemory() {
    NetworkSchedule ring = Network.of(new Topology.Ring(6, 1), new Weights.Metropolis());
    NetworkSchedule failing =
        ImpairedNetwork.of(
            ring, Optional.of(new LinkFailures(0.1, 0.3)), Optional.empty(), Streams.of(5));
    int rounds = 40_000;
    int up = 0;
    int changes = 0;
    boolean before = failing.at(0).weight(0, 1) > 0;
    for (int t = 0; t < rounds; t++) {
      Network w = failing.at(t);
      if (w.weight(0, 1) != w.weight(1, 0)) {
        throw new AssertionError("round " + t);
      }
      boolean now = w.weight(0, 1) > 0;
      up += now ? 1 : 0;
      changes += now == before ? 0 : 1;
      before = now;
    }
    // In equilibrium: up Q / (P + Q) of the time, and as often changing as 2 P Q / (P + Q).
    assertThat((double) up / rounds).isCloseTo(0.75, within(0.02));
    assertThat((double) changes / rounds).isCloseTo(0.15, within(0.01));
    assertThat(failing.mean().weight(0, 1)).isCloseTo(0.75 / 3, within(1e-15));
    assertThat(failing.always(NetworkProperty.DOUBLY_STOCHASTIC)).isTrue();
    assertStochastic(failing.at(17));
  }

  /** Each direction has its own chain, and a bad channel lets some messages through. */
  @ParameterizedTest
  @CsvSource({"one-way:0.1:0.3,true,1", "one-way:0.1:0.3:0.4,true,0.4", "0.1:0.3:0.4,false,0.4"})
  void impaired_oneWayOrPartlyLost_haveTheirShares(String spec, boolean oneWay, double loss) {
    LinkFailures failures = LinkFailures.parse(spec);
    assertThat(failures).isEqualTo(new LinkFailures(0.1, 0.3, oneWay, loss));
    assertThat(LinkFailures.parse(failures.spec())).isEqualTo(failures);
    NetworkSchedule failing =
        ImpairedNetwork.of(
            Network.of(new Topology.Ring(6, 1), new Weights.Metropolis()),
            Optional.of(failures),
            Optional.empty(),
            Streams.of(5));
    int rounds = 40_000;
    int there = 0;
    int back = 0;
    int both = 0;
    for (int t = 0; t < rounds; t++) {
      boolean one = failing.at(t).weight(0, 1) > 0;
      boolean other = failing.at(t).weight(1, 0) > 0;
      there += one ? 1 : 0;
      back += other ? 1 : 0;
      both += one && other ? 1 : 0;
    }
    // A channel is bad a quarter of the time, and then loses this share.
    double share = 1 - loss / 4;
    assertThat((double) there / rounds).isCloseTo(share, within(0.02));
    assertThat((double) back / rounds).isCloseTo(share, within(0.02));
    assertThat((double) both / rounds).isCloseTo(oneWay ? share * share : share, within(0.02));
    assertThat(failing.mean().weight(0, 1)).isCloseTo(share / 3, within(1e-15));
    assertThat(failing.always(NetworkProperty.SYMMETRIC)).isEqualTo(!oneWay);
    assertThat(failing.always(NetworkProperty.MUTUAL)).isEqualTo(!oneWay);
    assertStochastic(failing.at(17));
  }

  /** The mean of all clients after rounds of averaging that begin with 1 at client 0. */
  private static double averaged(Network whole, String spec, int seed) {
    NetworkSchedule failing =
        ImpairedNetwork.of(
            whole, Optional.of(LinkFailures.parse(spec)), Optional.empty(), Streams.of(seed));
    int clients = whole.clients();
    double[] x = new double[clients];
    x[0] = 1;
    for (int t = 0; t < 40; t++) {
      Network now = failing.at(t);
      double[] next = new double[clients];
      for (int m = 0; m < clients; m++) {
        double lost = 0;
        for (int k = 0; k < clients; k++) {
          next[m] += now.weight(m, k) * x[k];
          if (k != m && now.weight(m, k) != whole.weight(m, k)) {
            assertThat(now.weight(m, k)).isZero();
            lost += whole.weight(m, k);
          }
        }
        assertThat(now.weight(m, m)).isCloseTo(whole.weight(m, m) + lost, within(1e-15));
      }
      x = next;
    }
    return Arrays.stream(x).average().orElseThrow();
  }

  /**
   * Rows sum to 1 in every round, columns only on average where directions fail by themselves: the
   * mean of all clients is kept on average over seeds, and not in one run.
   */
  @Test
  void impaired_oneWay_keepsTheMeanOnAverageOnly() {
    Network ring = Network.of(new Topology.Ring(6, 1), new Weights.Metropolis());
    int seeds = 400;
    double[] ends = new double[seeds];
    Arrays.setAll(ends, seed -> averaged(ring, "one-way:0.3:0.7", seed) - 1.0 / 6);
    double mean = Arrays.stream(ends).average().orElseThrow();
    double deviation = Math.sqrt(Arrays.stream(ends).map(e -> e * e).sum() / seeds);
    assertThat(deviation).isGreaterThan(0.02);
    assertThat(mean).isCloseTo(0, within(4 * deviation / Math.sqrt(seeds)));
    for (int seed = 0; seed < 20; seed++) {
      assertThat(averaged(ring, "0.3:0.7", seed)).isCloseTo(1.0 / 6, within(1e-14));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.1|link-failures: the form is `P:Q`, the probabilities that a link fails and that it"
            + " recovers, or `one-way:P:Q`, for each direction by itself; `:LOSS` may follow; got"
            + " `0.1`",
        "one-way:0.1:0.2:0|link-failures one-way:P:Q:LOSS: LOSS must lie in (0, 1], a share of"
            + " messages; got 0.0",
        "one-way:0:0.2|link-failures one-way:P:Q: P must lie in (0, 1) and Q in (0, 1],"
            + " probabilities; got 0.0 and 0.2",
        "0.1:0.2:x|link-failures P:Q:LOSS: LOSS must be a number; got `x`"
      })
  void linkFailures_wrongWords_areRefused(String spec, String message) {
    assertThatThrownBy(() -> LinkFailures.parse(spec))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(message);
  }

  /** Poisson's probabilities by their formula, and independence of the first round. */
  @Test
  void impaired_poisson_sitsOutPoissonNumbersOfRounds() {
    double mean = 1.7;
    int clients = 4000;
    NetworkSchedule resting =
        ImpairedNetwork.of(
            Network.of(new Topology.Ring(clients, 1), new Weights.Metropolis()),
            Optional.empty(),
            Optional.of(Activation.parse("poisson:1.7")),
            Streams.of(5));
    int rounds = 60;
    int[] sinceLast = new int[clients];
    Arrays.fill(sinceLast, -1);
    int[] counts = new int[50];
    int gaps = 0;
    for (int t = 0; t < rounds; t++) {
      int here = 0;
      for (int m = 0; m < clients; m++) {
        if (!resting.rests(m, t)) {
          here++;
          if (sinceLast[m] >= 0) {
            counts[sinceLast[m]]++;
            gaps++;
          }
          // A gap that begins late may not end in time: such would bias towards short ones.
          sinceLast[m] = t < 30 ? 0 : -1;
        } else if (sinceLast[m] >= 0) {
          sinceLast[m]++;
        }
      }
      assertThat((double) here / clients).as("round %d", t).isCloseTo(1 / 2.7, within(0.035));
    }
    double expected = Math.exp(-mean);
    for (int r = 0; r < 8; r++) {
      assertThat((double) counts[r] / gaps).as("%d rounds", r).isCloseTo(expected, within(0.007));
      expected *= mean / (r + 1);
    }
    assertThat(resting.mean().weight(0, 1)).isCloseTo(1 / (2.7 * 2.7) / 3, within(1e-15));
    assertThat(resting.period()).isEmpty();
    assertThatThrownBy(() -> Activation.parse("poisson:0"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "activation poisson:MEAN: MEAN must lie in (0, 500], the rounds that a client sits out;"
                + " got 0.0");
  }

  /** A peer that comes back asks for one round alone, a run for all of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {"bernoulli:0.4", "markov:0.05:0.02", "cyclic:3", "shifts:2:3:1", "poisson:1.7"})
  void impaired_roundsInAnyOrder_areTheSame(String activation) {
    NetworkSchedule circle = Network.of(new Topology.Circle(7, 2), new Weights.Uniform());
    Optional<LinkFailures> failures = Optional.of(new LinkFailures(0.02, 0.03, true, 0.8));
    Optional<Activation> active = Optional.of(Activation.parse(activation));
    NetworkSchedule run = ImpairedNetwork.of(circle, failures, active, Streams.of(9));
    for (int t = 0; t < 60; t++) {
      Network inOrder = run.at(t);
      assertStochastic(inOrder);
      NetworkSchedule fresh = ImpairedNetwork.of(circle, failures, active, Streams.of(9));
      Network alone = fresh.at(t);
      assertThat(alone.heard()).isEqualTo(inOrder.heard());
      assertThat(alone.weights()).isEqualTo(inOrder.weights());
      for (int m = 0; m < 7; m++) {
        assertThat(fresh.rests(m, t)).isEqualTo(run.rests(m, t));
        if (run.rests(m, t)) {
          int resting = m;
          assertThat(inOrder.weight(m, m)).isCloseTo(1, within(1e-15));
          assertThat(IntStream.range(0, 7).filter(k -> k != resting))
              .allMatch(k -> inOrder.weight(k, resting) == 0);
        }
      }
    }
  }

  @Test
  void impaired_cyclic_movesOnByOneAndRepeats() {
    NetworkSchedule ring = Network.of(new Topology.Ring(5, 1), new Weights.Metropolis());
    NetworkSchedule turns =
        ImpairedNetwork.of(
            ring, Optional.empty(), Optional.of(new Activation.Cyclic(2)), Streams.of(1));
    assertThat(turns.period()).hasValue(5);
    for (int t = 0; t < 10; t++) {
      int round = t;
      assertThat(IntStream.range(0, 5).filter(m -> !turns.rests(m, round)))
          .containsExactlyInAnyOrder(t % 5, (t + 1) % 5);
    }
    assertThat(turns.mean().weight(0, 1)).isCloseTo(1.0 / 15, within(1e-15));
    assertThat(turns.stationary().orElseThrow()).containsOnly(new double[] {0.2}, within(1e-12));
  }

  /** Oracle: the definition, round by round, and how many of five rounds two neighbours share. */
  @Test
  void impaired_shifts_turnOnAndOffOneAheadOfTheOther() {
    NetworkSchedule ring = Network.of(new Topology.Ring(4, 1), new Weights.Metropolis());
    Activation shifts = Activation.parse("shifts:3:2:1");
    assertThat(shifts.spec()).isEqualTo("shifts:3:2:1");
    NetworkSchedule turns =
        ImpairedNetwork.of(ring, Optional.empty(), Optional.of(shifts), Streams.of(1));
    assertThat(turns.period()).hasValue(5);
    for (int t = 0; t < 10; t++) {
      for (int m = 0; m < 4; m++) {
        assertThat(turns.rests(m, t)).isEqualTo((t + m) % 5 >= 3);
      }
    }
    assertThat(turns.mean().weight(0, 1)).isCloseTo(2.0 / 5 / 3, within(1e-15));
    assertThatThrownBy(() -> Activation.parse("shifts:3:2:5"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("AHEAD must lie in [0, 4]");
    assertThatThrownBy(() -> Activation.parse("shifts:0:2:0"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("ON and OFF must be at least 1");
  }

  /** The mean of π over a period is the left eigenvector of the product, carried through. */
  @Test
  void stationary_ofAPeriod_isTheMeanOfThoseOfItsRotations() {
    NetworkSchedule rounds =
        listed(
            "client,hears,weight,round;0,1,0.5,0;0,0,0.5,0;1,2,1,0;2,0,0.3,0;2,2,0.7,0;"
                + "0,2,0.2,1;0,0,0.8,1;1,0,0.6,1;1,1,0.4,1;2,1,1,1",
            3,
            "");
    double[] expected = new double[3];
    for (int start = 0; start < 2; start++) {
      Network rotated =
          NetworkCycle.of(List.of(rounds.at(start), rounds.at(start + 1))).overPeriod();
      double[] pi =
          Stationary.of(rotated, CommunicatingClasses.of(rotated)).distribution().orElseThrow();
      for (int m = 0; m < 3; m++) {
        expected[m] += pi[m] / 2;
      }
    }
    assertThat(rounds.stationary().orElseThrow()).containsExactly(expected, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "base:2|metropolis|weights: `base:2` has weights of its own, so leave them out (or say"
            + " `own`); got `metropolis`",
        "ring:1|own|weights: `own` needs a network that changes from round to round, such as"
            + " base:1; the network is `ring:1`",
        "base:9||base: K must lie in [1, 5], the other clients; got 9"
      })
  void network_wrongWords_areRefused(String spec, String weights, String message) {
    assertThatThrownBy(
            () ->
                NamedNetwork.of(
                    Topology.parse(spec, 6, Streams.of(1)),
                    Optional.ofNullable(weights),
                    new int[0]))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(message);
  }
}
