package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {
  private static final Streams STREAMS = Streams.of(1);

  private static Topology parse(String spec, int clients) {
    return Topology.parse(spec, clients, STREAMS);
  }

  /** Oracle: the definitions in the paper's section 2.4 and the names of the others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "central|4|0|1 2 3",
        "central|4|2|0",
        "circle:2|5|4|0 1",
        "ring:1|5|0|1 4",
        "ring:2|4|1|0 2 3",
        "ring:1|2|1|0",
        "complete|3|1|0 2",
        "complete|1|0|",
        "exponential|8|7|0 1 3",
        "exponential|9|0|1 2 4 8",
        "torus|12|0|1 3 4 8",
        "torus|4|3|1 2",
        "torus|6|4|1 3 5",
        "small-world:2:0|7|6|0 1 4 5",
        "erdos-renyi:1|4|2|0 1 3"
      })
  void graph_ofAKind_hearsWhoTheDefinitionSays(
      String spec, int clients, int client, String expected) {
    int[] hears =
        expected == null
            ? new int[0]
            : Arrays.stream(expected.split(" ")).mapToInt(Integer::parseInt).toArray();
    assertThat(parse(spec, clients).graph().hears(client)).containsExactly(hears);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "central",
        "circle:3",
        "fixed:3",
        "regular:3",
        "ring:2",
        "complete",
        "torus",
        "exponential",
        "erdos-renyi:0.2",
        "small-world:2:0.3"
      })
  void graph_ofEveryKind_isAGraphAndTheSameEveryTimeAndItsSpecParsesBack(String spec) {
    Topology topology = parse(spec, 60);
    Graph graph = topology.graph();
    assertThat(topology.spec()).isEqualTo(spec);
    assertThat(parse(topology.spec(), 60)).isEqualTo(topology);
    assertThat(graph.clients()).isEqualTo(60);
    assertThat(topology.graph().heard()).isEqualTo(graph.heard());
    assertThat(topology.graph().offsets()).isEqualTo(graph.offsets());
    for (int m = 0; m < 60; m++) {
      int client = m;
      assertThat(graph.hears(m)).isNotEmpty().isSorted().doesNotHaveDuplicates();
      assertThat(Arrays.stream(graph.hears(m))).allMatch(k -> k != client && k >= 0 && k < 60);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring:2", "erdos-renyi:0.2", "small-world:2:0.3", "torus", "complete"})
  void graph_ofAMutualKind_hearsBack(String spec) {
    Graph graph = parse(spec, 60).graph();
    for (int m = 0; m < 60; m++) {
      for (int k : graph.hears(m)) {
        assertThat(graph.hears(k, m)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed:3", "regular:3", "erdos-renyi:0.2", "small-world:2:0.3"})
  void graph_ofARandomKind_differsWithSeedAndReplicate(String spec) {
    int[] first = Topology.parse(spec, 60, Streams.of(1)).graph().heard();
    assertThat(Topology.parse(spec, 60, Streams.of(2)).graph().heard()).isNotEqualTo(first);
    assertThat(Topology.parse(spec, 60, Streams.of(1).replicate(1)).graph().heard())
        .isNotEqualTo(first);
  }

  @Test
  void graph_regular_hasDegreeDBothWaysAndOneClass() {
    for (int clients = 2; clients <= 14; clients++) {
      for (int degree = 1; degree < clients; degree++) {
        for (int seed = 0; seed < 5; seed++) {
          Graph graph = new Topology.Regular(clients, degree, Streams.of(seed)).graph();
          checkRegular(graph, degree);
        }
      }
    }
    checkRegular(new Topology.Regular(300, 150, STREAMS).graph(), 150);
    checkRegular(new Topology.Regular(301, 150, STREAMS).graph(), 150);
    checkRegular(new Topology.Regular(300, 298, STREAMS).graph(), 298);
  }

  private static void checkRegular(Graph graph, int degree) {
    int[] outDegree = new int[graph.clients()];
    for (int m = 0; m < graph.clients(); m++) {
      assertThat(graph.inDegree(m)).isEqualTo(degree);
      for (int k : graph.hears(m)) {
        outDegree[k]++;
      }
    }
    assertThat(outDegree).containsOnly(degree);
    assertThat(CommunicatingClasses.of(Network.of(graph, new Weights.Uniform())).count())
        .isEqualTo(1);
  }

  /** Oracle: a client draws each of the M − 1 others equally often. */
  @Test
  void graph_fixed_drawsEveryOtherClientEquallyOften() {
    int[] drawn = new int[7];
    int seeds = 7000;
    for (int seed = 0; seed < seeds; seed++) {
      for (int k : new Topology.Fixed(7, 2, Streams.of(seed)).graph().hears(3)) {
        drawn[k]++;
      }
    }
    double chance = 2.0 / 6;
    for (int k = 0; k < 7; k++) {
      double expected = k == 3 ? 0 : seeds * chance;
      assertThat((double) drawn[k])
          .isCloseTo(expected, within(5 * Math.sqrt(seeds * chance * (1 - chance))));
    }
  }

  /** Oracle: the expected number of links, M (M − 1) P both ways, within five deviations. */
  @Test
  void graph_erdosRenyi_hasTheExpectedNumberOfLinks() {
    int clients = 2000;
    double probability = 0.01;
    double pairs = clients * (clients - 1.0) / 2;
    Graph graph = new Topology.ErdosRenyi(clients, probability, STREAMS).graph();
    assertThat(graph.links() / 2.0)
        .isCloseTo(
            pairs * probability, within(5 * Math.sqrt(pairs * probability * (1 - probability))));
  }

  /** Oracle: M K links whatever is led elsewhere, and about the share P of them is. */
  @Test
  void graph_smallWorld_keepsTheNumberOfLinksAndLeadsTheShareElsewhere() {
    int clients = 5000;
    Graph graph = new Topology.SmallWorld(clients, 3, 0.3, STREAMS).graph();
    assertThat(graph.links()).isEqualTo(2 * 3 * clients);
    long near =
        IntStream.range(0, clients)
            .mapToLong(
                m ->
                    IntStream.rangeClosed(1, 3)
                        .filter(hop -> graph.hears(m, (m + hop) % clients))
                        .count())
            .sum();
    assertThat(near / (3.0 * clients)).isCloseTo(0.7, within(0.02));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed:6", "regular:6"})
  void graph_ofAMillionClients_isBuilt(String spec) {
    int clients = 1_000_000;
    Network network = Network.of(parse(spec, clients));
    assertThat(network.edges()).isEqualTo(6 * clients);
    int[] outDegree = new int[clients];
    for (int k : network.heard()) {
      outDegree[k]++;
    }
    long unheard = Arrays.stream(outDegree).filter(d -> d == 0).count();
    if (spec.startsWith("fixed")) {
      // e^-6 of them, within five deviations
      assertThat((double) unheard).isCloseTo(clients * Math.exp(-6), within(250.0));
    } else {
      assertThat(unheard).isZero();
      assertThat(CommunicatingClasses.of(network).count()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "circle:0|10|circle: degree D must lie in [1, 9], the other clients; got 0",
        "fixed:10|10|fixed: degree D must lie in [1, 9], the other clients; got 10",
        "regular:12|10|regular: degree D must lie in [1, 9], the other clients; got 12",
        "ring:6|10|ring: K must lie in [1, 5], half the clients; got 6",
        "small-world:5:0.1|10|small-world: K must lie in [1, 4], so that the clients on both sides"
            + " are different ones; got 5",
        "small-world:2:1.1|10|small-world: P must lie in [0, 1], it is a probability; got 1.1",
        "erdos-renyi:0|10|erdos-renyi: P must lie in (0, 1], it is a probability; got 0.0",
        "erdos-renyi:NaN|10|erdos-renyi: P must lie in (0, 1], it is a probability; got NaN",
        "central|1|central: the number of clients must be at least 2, a centre and one more; got 1",
        "circle:1|1|circle: the number of clients must be at least 2, one to hear; got 1",
        "complete|0|complete: the number of clients must be at least 1, somebody; got 0",
        "torus|7|torus: the number of clients must be a product of two numbers of at least 2, rows"
            + " times columns; 7 is prime",
        "torus|3|torus: the number of clients must be at least 4, two rows of two; got 3",
        "circle:two|10|circle:D: D must be a whole number; got `two`",
        "circle|10|network: the form is `circle:D`; got `circle`",
        "central:3|10|network: the form is `central`; got `central:3`",
        "small-world:2:often|10|small-world:K:P: P must be a number; got `often`",
        "file:|10|network: the form is `file:edges.csv`, a path after the colon; got `file:`",
        "cricle:2|10|network: `cricle:2` is unknown; did you mean `circle:D`? one of: central,"
            + " circle:D, fixed:D, regular:D, ring:K, complete, torus, exponential, erdos-renyi:P,"
            + " small-world:K:P, one-peer-exponential, base:K, random-matching, file:edges.csv"
      })
  void parse_whatCannotBe_saysWhatIsAllowedAndWhatWasFound(
      String spec, int clients, String message) {
    assertThatThrownBy(() -> parse(spec, clients))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(message);
  }

  @Test
  void graph_erdosRenyiTooThin_saysWhatPWouldDo() {
    assertThatThrownBy(() -> parse("erdos-renyi:0.001", 200).graph())
        .isInstanceOf(InvalidInput.class)
        .hasMessageMatching(
            "erdos-renyi: client \\d+ hears nobody; P must be about ln M / M = 0\\.026 or more for"
                + " everyone to hear somebody; got 0\\.001 .*");
  }

  @Test
  void graph_completeOfTooManyClients_isRefusedBeforeMemoryIs() {
    assertThatThrownBy(() -> parse("complete", 100_000).graph())
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("network: at most 2^31 - 9 links fit one process");
  }

  @Test
  void of_arraysThatAreNoGraph_namesTheClient() {
    assertThatThrownBy(() -> Graph.of(new int[][] {{1}, {}}))
        .hasMessage(
            "client 1: must hear at least one other client, or it has nothing to average; it hears"
                + " none");
    assertThatThrownBy(() -> Graph.of(new int[][] {{1}, {2}}))
        .hasMessage("client 1: hears a client outside [0, 1], the clients there are; got 2");
    assertThatThrownBy(() -> Graph.of(new int[][] {{0}, {0}}))
        .hasMessageStartingWith("client 0: hears itself");
    assertThatThrownBy(() -> Graph.of(new int[][] {{1}, {0, 0}}))
        .hasMessage("client 1: each client it hears may be named once; client 0 is named again");
    assertThatThrownBy(() -> Graph.of(new int[0][]))
        .hasMessage("network: needs at least one client; got 0");
  }
}
