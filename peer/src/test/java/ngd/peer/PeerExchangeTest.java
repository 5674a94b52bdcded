package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.ExchangeContract;
import ngd.core.codec.Codec;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.peer.wire.Credentials;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The contract of every exchange, over mutual TLS between sockets of this machine. */
class PeerExchangeTest extends ExchangeContract {
  private static final TestAuthority AUTHORITY = new TestAuthority("authority");

  /** Keys take longer to make than what most tests send. */
  private static final Map<String, Credentials> CREDENTIALS = new ConcurrentHashMap<>();

  /** The peers of each network, which every test of it asks. */
  private static final IdentityHashMap<Network, AllPeers> PEERS = new IdentityHashMap<>();

  @Override
  protected World world(Network network, Mixing mixing) {
    AllPeers peers = PEERS.computeIfAbsent(network, PeerExchangeTest::peers).mixing(mixing);
    return new World(peers, peers.host::of);
  }

  private static AllPeers peers(Network network) {
    List<PeerAddress> sites = AllPeers.sites(network.clients());
    return new AllPeers(
        network,
        sites,
        m ->
            new TlsTransport(
                CREDENTIALS.computeIfAbsent("site-" + m, AUTHORITY::credentials), "127.0.0.1"),
        PeerOptions.PLAIN);
  }

  /** Each message goes to two listeners, in the bytes of its codec; what carries them is extra. */
  @Test
  void mix_codedMessages_areTheBytesOnTheWire() {
    Network ring = Network.of(new Topology.Ring(5, 1));
    try (AllPeers peers = peers(ring)) {
      double[][] x = new double[5][300];
      for (int m = 0; m < 5; m++) {
        for (int j = 0; j < 300; j++) {
          x[m][j] = Math.sin(1 + m + 5 * j);
        }
      }
      Rows rows = peers.host.of(x);
      Map<String, Integer> bytes =
          Map.of("sign", 8 + 38, "top:7", 7 * 10, "random:3", 3 * 10, "qsgd:5", 8 + 188);
      long before = 0;
      for (Map.Entry<String, Integer> one : bytes.entrySet()) {
        CodedRows said =
            CodedRows.of(Codec.parse(one.getKey()), rows, new Draws(Streams.of(1), 0, 0), 0);
        Rows mixed = peers.mix(rows, said);
        assertThat(mixed.rows()).isEqualTo(5);
        long sent = peers.bytesSent();
        assertThat(sent - before).as(one.getKey()).isEqualTo(5L * 2 * one.getValue());
        before = sent;
      }
    }
  }

  @AfterAll
  static void closeAll() {
    PEERS.values().forEach(AllPeers::close);
  }
}
