package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.theory.Exposed.Finding;
import ngd.core.theory.Exposed.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: counts of equations, sites one by one, and what links allow. */
class IdentificationTest {
  private static Conversation said(Network network, int p, int rounds, boolean everything) {
    return new Conversation(
        network,
        p,
        false,
        Collections.nCopies(network.clients(), 1.0),
        Conversation.Steps.constant(0.2),
        rounds,
        List.of(),
        false,
        everything,
        Conversation.FLOAT64);
  }

  private static Network network(String spec, int sites) {
    Topology topology = Topology.parse(spec, sites, Streams.of(1));
    return Network.of(topology, Weights.standard(topology));
  }

  /** Sites that can be exchanged are computed once; each alone must give the same. */
  @ParameterizedTest
  @ValueSource(strings = {"ring:1", "circle:2", "central", "torus", "fixed:2", "small-world:2:0.3"})
  void of_everyPair_isWhatThePairAloneIs(String spec) {
    Conversation said = said(network(spec, 6), 2, 12, true);
    for (Exposed one : Identification.of(said, 2)) {
      Exposed alone = Identification.of(said, one.coalition());
      assertThat(one.findings()).hasSameSizeAs(alone.findings());
      for (int k = 0; k < one.findings().size(); k++) {
        Finding found = one.findings().get(k);
        Finding expected = alone.findings().get(k);
        assertThat(found.site()).isEqualTo(expected.site());
        assertThat(found.rounds()).isEqualTo(expected.rounds());
        assertThat(found.known()).isEqualTo(expected.known());
      }
    }
  }

  /**
   * On a complete network all that goes into a model is heard, so a site's p + p(p + 1)/2 numbers
   * need no help from others: b after round 1, and of the symmetric A p − k + 1 numbers with round
   * k + 1.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void of_completeNetwork_takesOneRoundMoreThanCoefficients(int p) {
    Exposed one = Identification.of(said(network("complete", 4), p, 40, true), List.of(0));
    assertThat(one.findings())
        .allMatch(f -> f.verdict() == Verdict.SOLVED && f.rounds() == p + 1 && f.accuracy() < 1e-9);
    Exposed early = Identification.of(said(network("complete", 4), p, p, true), List.of(0));
    assertThat(early.findings()).allMatch(f -> f.verdict() == Verdict.MIXED);
    assertThat(early.findings()).allMatch(f -> f.known() == f.unknowns() - 1);
  }

  /** Site 2 hears site 1, which hears site 0, which hears itself alone. */
  @Test
  void of_chain_hearsOnlyWhatLinksCarry() {
    Network chain = Network.of(new double[][] {{1, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0.5}});
    List<Exposed> all = Identification.of(said(chain, 2, 30, true), 1);
    assertThat(all.get(0).sites(Verdict.UNHEARD)).containsExactly(1, 2);
    assertThat(all.get(1).sites(Verdict.SOLVED)).containsExactly(0);
    assertThat(all.get(1).sites(Verdict.UNHEARD)).containsExactly(2);
    assertThat(all.get(2).sites(Verdict.UNHEARD)).isEmpty();
    // In one round site 0's data have not come to site 2.
    assertThat(Identification.of(said(chain, 2, 1, true), List.of(2)).sites(Verdict.UNHEARD))
        .containsExactly(0);
    assertThat(Identification.of(said(chain, 2, 1, false), List.of(2)).sites(Verdict.ASSUMED))
        .containsExactly(0, 1);
    assertThat(Identification.byReach(chain, 1).get(1).sites(Verdict.ASSUMED)).containsExactly(0);
  }

  /** Where not all that is said was followed, or it is too much, nothing is called safe. */
  @Test
  void of_whatIsNotAllOrTooLarge_isAssumed() {
    Network circle = network("circle:1", 5);
    assertThat(Identification.of(said(circle, 2, 60, true), List.of(0)).sites(Verdict.MIXED))
        .hasSize(4);
    assertThat(Identification.of(said(circle, 2, 60, false), List.of(0)).sites(Verdict.ASSUMED))
        .hasSize(4);
    assertThat(
            Identification.of(said(network("ring:1", 30), 12, 60, true), List.of(0))
                .sites(Verdict.ASSUMED))
        .hasSize(29);
  }

  /** All that more rounds could tell is told after 2 (M p + 1) of them. */
  @Test
  void of_moreRoundsThanTell_findsTheSame() {
    Network circle = network("circle:1", 4);
    Conversation bound = said(circle, 2, 2 * (4 * 2 + 1), true);
    // Steps that are not called constant are followed to the last round.
    Conversation longer =
        new Conversation(
            circle,
            2,
            false,
            bound.scales(),
            round -> 0.2,
            60,
            List.of(),
            false,
            true,
            Conversation.FLOAT64);
    assertThat(Identification.of(longer, List.of(0)).findings())
        .isEqualTo(Identification.of(bound, List.of(0)).findings());
  }

  @Test
  void of_tooManyCoalitions_isRefused() {
    assertThatThrownBy(() -> Identification.byReach(network("ring:1", 40), 8))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("more than 5000");
  }
}
