package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** The oracle is reachability: with the links added, there is one class. */
class MissingLinksTest {
  private static Network with(Network network, List<MissingLinks.MissingLink> links) {
    int clients = network.clients();
    int[][] hears = new int[clients][];
    for (int m = 0; m < clients; m++) {
      List<Integer> own = new ArrayList<>();
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        own.add(network.heard()[e]);
      }
      for (MissingLinks.MissingLink link : links) {
        if (link.client() == m) {
          own.add(link.other());
        }
      }
      hears[m] = own.stream().mapToInt(Integer::intValue).toArray();
    }
    return Network.of(Graph.of(hears), new Weights.Uniform());
  }

  @Seeds(60)
  void of_anyNetwork_connectsAllWithNoMoreLinksThanClassesAtTheEnds(RandomInput input) {
    Network network =
        Network.of(new Topology.Fixed(input.between(3, 60), 1, Streams.of(input.anyLong())));
    List<MissingLinks.MissingLink> links = MissingLinks.of(network);
    CommunicatingClasses before = CommunicatingClasses.of(network);
    CommunicatingClasses after = CommunicatingClasses.of(with(network, links));
    assertThat(after.count()).isEqualTo(1);
    assertThat(links.size()).isLessThanOrEqualTo(before.count() == 1 ? 0 : before.count());
  }

  @Test
  void of_anIrreducibleNetwork_addsNothing() {
    assertThat(MissingLinks.of(Network.of(new Topology.Circle(7, 2)))).isEmpty();
  }

  @Test
  void without_aLinkThatIsNotThere_isRefused() {
    Graph graph = new Topology.Circle(5, 2).graph();
    assertThatThrownBy(() -> graph.without(0, 3))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("cut: only a link that is there can be cut; client 0 does not hear 3");
    assertThat(graph.without(0, 2).hears(0)).containsExactly(1);
    assertThat(graph.without(0, 2).links()).isEqualTo(9);
    assertThatThrownBy(() -> graph.without(0, 2).without(0, 1))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must hear at least one other client");
  }
}
