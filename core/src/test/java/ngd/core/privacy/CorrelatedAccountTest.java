package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.Oracles;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Oracle: {@code oracles/privacy}, the covariance of every noise variable by itself, what
 * coalitions know conditioned on, δ by integration.
 */
class CorrelatedAccountTest {
  private static PairGraph graph(int clients, JsonNode edges) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int m = 0; m < clients; m++) {
      lists.add(new ArrayList<>());
    }
    for (JsonNode edge : edges) {
      lists.get(edge.get(0).intValue()).add(edge.get(1).intValue());
      lists.get(edge.get(1).intValue()).add(edge.get(0).intValue());
    }
    return new PairGraph(lists);
  }

  private static PairGraph graph(String topology, int clients) {
    return PairGraph.of(Network.of(Topology.parse(topology, clients, Streams.of(1))));
  }

  @Test
  void distance_everyGraphAndCoalition_isTheIndependentPrograms() {
    List<Oracles.Case> cases = Oracles.privacy("correlated").toList();
    assertThat(cases).hasSizeGreaterThan(40);
    for (Oracles.Case one : cases) {
      CorrelatedAccount account =
          CorrelatedAccount.of(
              graph((int) one.number("clients"), one.json().get("edges")),
              (int) one.number("colluders"));
      double mu =
          Math.sqrt(one.number("rounds")) * account.distance(one.number("own"), one.number("pair"));
      assertThat(account.isExact()).isTrue();
      assertThat(mu).as(one.text("graph")).isCloseTo(one.number("mu"), within(1e-7));
      assertThat(GaussianAccount.delta(mu, one.number("epsilon")))
          .isCloseTo(one.number("delta"), within(1e-7));
    }
  }

  /** Complete graph of n honest sites: eigenvalues 0 and n, in closed form. */
  @Test
  void distance_completeGraph_isTheClosedForm() {
    CorrelatedAccount account = CorrelatedAccount.of(graph("complete", 8), 2);
    double own = 0.7;
    double pair = 1.3;
    double expected = 1 / (6 * own * own) + (5.0 / 6) / (own * own + 6 * pair * pair);
    assertThat(account.smallestGroup()).isEqualTo(6);
    assertThat(account.distance(own, pair)).isCloseTo(Math.sqrt(expected), within(1e-12));
  }

  /** Where coalitions are too many the bound must not fall below what one coalition shows. */
  @Test
  void distance_tooManyCoalitions_isABoundThatHolds() {
    PairGraph graph = graph("complete", 60);
    CorrelatedAccount bound = CorrelatedAccount.of(graph, 5);
    assertThat(bound.isExact()).isFalse();
    double exact = 1 / (55.0 * 0.25) + (54.0 / 55) / (0.25 + 55);
    assertThat(bound.distance(0.5, 1)).isGreaterThanOrEqualTo(Math.sqrt(exact) - 1e-12);
    // A complete graph's second eigenvalue falls by exactly one a site: the bound is tight.
    assertThat(bound.distance(0.5, 1)).isCloseTo(Math.sqrt(exact), within(1e-9));
    CorrelatedAccount ring = CorrelatedAccount.of(graph("ring:1", 300), 2);
    assertThat(ring.smallestGroup()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"complete", "ring:2", "torus"})
  void of_aBudget_isSpentExactlyAndNotExceeded(String topology) {
    Network network = Network.of(Topology.parse(topology, 16, Streams.of(1)));
    Privacy privacy = Privacy.parse("epsilon=1,delta=1e-6,noise=correlated");
    GradientPrivacy noise = GradientPrivacy.of(privacy, 50, network);
    double mu =
        Math.sqrt(50)
            * CorrelatedAccount.of(PairGraph.of(network), 1).distance(noise.own(), noise.pair());
    assertThat(GaussianAccount.epsilon(mu, 1e-6)).isBetween(1 - 1e-6, 1 + 1e-9);
    GradientPrivacy local = GradientPrivacy.of(Privacy.parse("epsilon=1,delta=1e-6"), 50, network);
    assertThat(noise.own() * noise.own() / (local.own() * local.own()))
        .isCloseTo(2.0 / 15, within(1e-12));
    // All others together see its own noise alone.
    assertThat(noise.epsilonAgainstAll(1e-6)).isGreaterThan(2);
    assertThat(local.epsilonAgainstAll(1e-6)).isCloseTo(1, within(1e-6));
  }

  @Test
  void ownShare_outsideWhatTheNetworkAllows_isRefusedWithTheReason() {
    CorrelatedAccount cut = CorrelatedAccount.of(graph("ring:1", 6), 2);
    assertThatThrownBy(() -> cut.ownShare(OptionalDouble.empty()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("may cut a site off");
    CorrelatedAccount complete = CorrelatedAccount.of(graph("complete", 6), 1);
    assertThatThrownBy(() -> complete.ownShare(OptionalDouble.of(0.2)))
        .hasMessageContaining("above 1/5")
        .hasMessageContaining("got 0.2");
    assertThat(complete.ownShare(OptionalDouble.of(0.21))).isEqualTo(0.21);
    assertThatThrownBy(() -> CorrelatedAccount.of(graph("complete", 3), 3))
        .hasMessageContaining("fewer than the 3 sites; got 3");
  }
}
