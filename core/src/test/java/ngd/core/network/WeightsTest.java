package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeightsTest {

  private static Graph mutual(int clients, long seed) {
    return new Topology.SmallWorld(clients, 2, 0.5, Streams.of(seed)).graph();
  }

  /** Any row counts, all different. */
  private static int[] rows(int clients) {
    int[] rows = new int[clients];
    Arrays.setAll(rows, m -> 1 + (m * 37) % 101);
    return rows;
  }

  @Seeds(100)
  void on_anyMutualNetwork_givesRowsOfPositiveWeightsThatSumToOne(RandomInput input) {
    int clients = input.between(5, 60);
    Graph graph = mutual(clients, input.anyLong());
    for (Weights weights :
        new Weights[] {
          new Weights.Uniform(),
          new Weights.Lazy(0),
          new Weights.Lazy(0.3),
          new Weights.Metropolis(),
          new Weights.LazyMetropolis(),
          new Weights.MetropolisRows(rows(clients))
        }) {
      Network network = Network.of(graph, weights);
      for (int m = 0; m < clients; m++) {
        int from = network.offsets()[m];
        int to = network.offsets()[m + 1];
        assertThat(Arrays.copyOfRange(network.heard(), from, to))
            .isSorted()
            .doesNotHaveDuplicates();
        double[] row = Arrays.copyOfRange(network.weights(), from, to);
        assertThat(Arrays.stream(row)).allMatch(w -> w > 0);
        assertThat(Arrays.stream(row).sum()).isCloseTo(1, within(4 * Math.ulp(1.0)));
      }
    }
  }

  /** Oracle: the formulas of the design's section 3 on a path 0 – 1 – 2. */
  @Test
  void on_aPathOfThree_givesTheFormulas() {
    Graph path = Graph.of(new int[][] {{1}, {0, 2}, {1}});
    double third = 1.0 / 3;
    assertDense(new Weights.Uniform(), path, new double[][] {{0, 1, 0}, {0.5, 0, 0.5}, {0, 1, 0}});
    assertDense(
        new Weights.Metropolis(),
        path,
        new double[][] {{2 * third, third, 0}, {third, third, third}, {0, third, 2 * third}});
    assertDense(
        new Weights.LazyMetropolis(),
        path,
        new double[][] {
          {5 * third / 2, third / 2, 0},
          {third / 2, 2 * third, third / 2},
          {0, third / 2, 5 * third / 2}
        });
    assertDense(
        new Weights.Lazy(0.2),
        path,
        new double[][] {{0.2, 0.8, 0}, {0.4, 0.2, 0.4}, {0, 0.8, 0.2}});
    // n = (10, 20, 30): propose with 1/d, accept with min(1, n_k d_m / (n_m d_k)).
    assertDense(
        new Weights.MetropolisRows(new int[] {10, 20, 30}),
        path,
        new double[][] {{0, 1, 0}, {0.5, 0, 0.5}, {0, third, 2 * third}});
  }

  private static void assertDense(Weights weights, Graph graph, double[][] expected) {
    double[][] w = RandomNetworks.dense(Network.of(graph, weights));
    for (int m = 0; m < expected.length; m++) {
      assertThat(w[m])
          .as("%s row %d", weights.spec(), m)
          .containsExactly(expected[m], within(1e-15));
    }
  }

  /** Oracle: detailed balance, n_m w_mk = n_k w_km, the defining equation of the chain. */
  @Seeds(50)
  void on_metropolisRows_balancesInDetail(RandomInput input) {
    int clients = input.between(5, 40);
    int[] rows = rows(clients);
    Network network =
        Network.of(mutual(clients, input.anyLong()), new Weights.MetropolisRows(rows));
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        double flow = rows[m] * network.weight(m, k);
        assertThat(flow).isCloseTo(rows[k] * network.weight(k, m), within(1e-13 * rows[m]));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "metropolis", "lazy-metropolis", "lazy:0.5"})
  void on_aSingleClient_isOne(String spec) {
    Topology single = new Topology.Complete(1);
    Network network = Network.of(single, Weights.parse(spec, single, new int[0]));
    assertThat(network.clients()).isEqualTo(1);
    assertThat(network.weight(0, 0)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"uniform", "metropolis", "lazy-metropolis", "lazy:0.5", "metropolis:rows"})
  void parse_aSpec_comesBackAsIt(String spec) {
    assertThat(Weights.parse(spec, new Topology.Complete(3), new int[] {1, 2, 3}).spec())
        .isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metropolis-lazy|weights: `metropolis-lazy` is unknown; one of: uniform, metropolis, metropolis:rows, lazy-metropolis, lazy:S, file",
        "lazy|weights: the form is `lazy:S`; got `lazy`",
        "lazy:1|lazy:S: S must lie in [0, 1), or the clients hear only themselves; got 1.0",
        "lazy:much|lazy:S: S must be a number; got `much`",
        "metropolis:columns|weights: the form is `metropolis` or `metropolis:rows`; got `metropolis:columns`",
        "metropolis:rows|weights: `metropolis:rows` needs the clients' rows, so it works where there are data",
        "file|weights: `file` needs a network `file:edges.csv` with a weight column; the network is `circle:1`"
      })
  void parse_whatCannotBe_saysWhatIsAllowed(String spec, String message) {
    assertThatThrownBy(() -> Weights.parse(spec, new Topology.Circle(4, 1), new int[0]))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(message);
  }

  @Test
  void on_linksThatAreNotMutual_namesTheFirst() {
    Graph graph = Graph.of(new int[][] {{1}, {0, 2}, {0}});
    for (Weights weights :
        new Weights[] {
          new Weights.Metropolis(),
          new Weights.LazyMetropolis(),
          new Weights.MetropolisRows(new int[] {1, 1, 1})
        }) {
      assertThatThrownBy(() -> Network.of(graph, weights))
          .isInstanceOf(InvalidInput.class)
          .hasMessage(
              "weights: `%s` needs mutual links, each client heard must hear back; client 1 hears 2, but 2 does not hear 1",
              weights.spec());
    }
  }

  @Test
  void on_rowsThatDoNotFit_saysSo() {
    assertThatThrownBy(
            () ->
                Network.of(new Topology.Complete(3), new Weights.MetropolisRows(new int[] {1, 2})))
        .hasMessage("metropolis:rows: must know the rows of all 3 clients of the network; got 2");
    assertThatThrownBy(() -> new Weights.MetropolisRows(new int[] {1, 0}))
        .hasMessage(
            "metropolis:rows: every client needs at least one row, or nobody may listen to it;"
                + " client 1 has 0");
  }

  @Test
  void of_anArrayThatIsNotRowStochastic_saysWhere() {
    assertThatThrownBy(() -> Network.of(new double[][] {{0.5, 0.4}, {0, 1}}))
        .hasMessage("W: each row must sum to 1 within 1.0E-9; row 0 sums to 0.9");
    assertThatThrownBy(() -> Network.of(new double[][] {{1, 0}, {-1, 2}}))
        .hasMessage("W: entries must be 0 or more; row 1, column 0 is -1.0");
    assertThatThrownBy(() -> Network.of(new double[][] {{1, 0}, {1}}))
        .hasMessage("W: row 1 must have 2 entries, one per client; got 1");
    assertThatThrownBy(() -> Network.of(new double[0][]))
        .hasMessage("W: needs at least one row; got 0");
  }
}
