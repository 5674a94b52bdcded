package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeListTest {
  @TempDir Path folder;

  private Topology file(String content, int clients) throws IOException {
    Path path = Files.writeString(folder.resolve("edges.csv"), content);
    return Topology.parse("file:" + path, clients, Streams.of(1));
  }

  @Test
  void graph_ofLinksInAnyOrder_hearsThem() throws IOException {
    Topology topology = file("client,hears\n2,0\n0,2\n\n0,1\n1, 0\n", 3);
    Graph graph = topology.graph();
    assertThat(graph.hears(0)).containsExactly(1, 2);
    assertThat(graph.hears(1)).containsExactly(0);
    assertThat(Weights.standard(topology)).isEqualTo(new Weights.Uniform());
    assertThat(Network.of(topology).weight(0, 2)).isEqualTo(0.5);
  }

  @Test
  void network_ofStatedWeights_isThemWithoutZeros() throws IOException {
    Topology topology = file("client,hears,weight\n1,0,0.25\n1,1,0.75\n0,1,1\n2,2,1\n2,0,0\n", 3);
    Network network = Network.of(topology);
    assertThat(RandomNetworks.dense(network))
        .isDeepEqualTo(new double[][] {{0, 1, 0}, {0.25, 0.75, 0}, {0, 0, 1}});
    assertThat(network.edges()).isEqualTo(4);
    assertThat(Weights.parse("file", topology, new int[0])).isEqualTo(Weights.standard(topology));
    assertThatThrownBy(() -> Network.of(topology, new Weights.Uniform()))
        .hasMessageEndingWith(
            "edges.csv: every client must hear at least one other client; client 2 hears none");
  }

  /** What was drawn is in no file; the same text in one is the oracle. */
  @Test
  void network_ofATextWithoutAFile_isThatOfTheFile() throws IOException {
    String text = "client,hears,weight\n1,0,0.25\n1,1,0.75\n0,1,1\n";
    Topology drawn = new Topology.EdgeFile(2, "drawn network", Optional.of(text));
    assertThat(RandomNetworks.dense(Network.of(drawn)))
        .isDeepEqualTo(RandomNetworks.dense(Network.of(file(text, 2))));
    Topology wrong = new Topology.EdgeFile(2, "drawn network", Optional.of("client,hears\n0,1\n"));
    assertThatThrownBy(() -> Network.of(wrong))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "drawn network: every client must hear at least one other client; client 1 hears none");
  }

  @Test
  void network_ofOneClient_hearsItself() throws IOException {
    assertThat(Network.of(file("client,hears,weight\n0,0,1\n", 1)).weight(0, 0)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from,to;0,1|, line 1: must begin with the header `client,hears`, `client,hears,weight`,"
            + " `client,hears,round` or `client,hears,weight,round`; got `from,to`",
        "client,hears;0,1;1,x|, line 3, column `hears`: must be a whole number, a client; got `x`",
        "client,hears;0,1;1.5,0|, line 3, column `client`: must be a whole number, a client; got"
            + " `1.5`",
        "client,hears;0,1;1,2|, line 3, column `hears`: must lie in [0, 1], the clients of this"
            + " network; got 2",
        "client,hears;0,1;1,0;0,1|, line 4: each link may be named once; client 0 hears 1 on line 2"
            + " already",
        "client,hears;0,1;1,1|, line 3: a client may hear itself only in a file with a weight"
            + " column; client 1 does",
        "client,hears;0,1|: every client must hear at least one other client; client 1 hears none",
        "client,hears;0,1,1|, line 2: must have 2 columns like the header; got 3",
        "client,hears;0|, line 2: must have 2 columns like the header; got 1",
        "client,hears,weight;0,1,-0.5|, line 2, column `weight`: must lie in [0, 1], a share of an"
            + " average; got -0.5",
        "client,hears,weight;0,1,all|, line 2, column `weight`: must be a number; got `all`",
        "client,hears,weight;0,1,NaN|, line 2, column `weight`: must lie in [0, 1], a share of an"
            + " average; got NaN",
        "client,hears,weight;1,0,1;0,1,0.5;0,0,0.4|, column `weight`: the weights of a client must"
            + " sum to 1 within 1.0E-9; those of client 0 (from line 4 on) sum to 0.9",
        "client,hears,weight;0,1,1|: every client must hear at least one client, itself or another;"
            + " client 1 hears none"
      })
  void network_ofAWrongFile_saysWhereAndWhatIsAllowed(String content, String message)
      throws IOException {
    Topology topology = file(content.replace(';', '\n'), 2);
    assertThatThrownBy(() -> Network.of(topology))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(folder.resolve("edges.csv") + message);
  }

  @Test
  void network_ofNoFile_saysSo() throws IOException {
    Path missing = folder.resolve("missing.csv");
    assertThatThrownBy(() -> Network.of(new Topology.EdgeFile(2, missing)))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(missing + ": there is no such edge file");
    assertThatThrownBy(() -> Network.of(new Topology.EdgeFile(2, folder)))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(folder + ": must be an edge file; it is a folder");
    assertThatThrownBy(() -> Network.of(file("", 2)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the file is empty");
    Topology plain = file("client,hears\n0,1\n1,0\n", 2);
    assertThatThrownBy(() -> Network.of(plain, Weights.parse("file", plain, new int[0])))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the file has no weight column");
  }
}
