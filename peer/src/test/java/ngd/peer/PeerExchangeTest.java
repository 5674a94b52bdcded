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
import ngd.peer.plan.Policy;
import ngd.peer.wire.Credentials;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The contract of every exchange, over mutual TLS between sockets of this machine. */
class PeerExchangeTest extends ExchangeContract {
  private static final TestAuthority AUTHORITY = new TestAuthority("authority");

  /** Keys take longer to make than what most tests send. */
  private static final Map<String, Credentials> CREDENTIALS = new ConcurrentHashMap<>();

  private static final IdentityHashMap<Network, AllPeers> AVERAGING = new IdentityHashMap<>();

  /** Peers that mix by the rule of the moment: there are too many rules to keep those of all. */
  private static @Nullable AllPeers robust;

  @Override
  protected World world(Network network, Mixing mixing) {
    AllPeers peers;
    if (mixing instanceof Mixing.Mean) {
      peers = AVERAGING.computeIfAbsent(network, _ -> peers(network, mixing));
    } else {
      close();
      peers = peers(network, mixing);
      robust = peers;
    }
    return new World(peers, peers.host::of);
  }

  private static void close() {
    if (robust != null) {
      robust.close();
      robust = null;
    }
  }

  private static AllPeers peers(Network network, Mixing mixing) {
    List<PeerAddress> sites = AllPeers.sites(network.clients());
    return new AllPeers(
        network,
        sites,
        m ->
            new TlsTransport(
                CREDENTIALS.computeIfAbsent("site-" + m, AUTHORITY::credentials), "127.0.0.1"),
        new PeerOptions(mixing, new Policy.Wait(), NumberCodec.FLOAT64, Masks.NONE));
  }

  /** Each message goes to two listeners, in the bytes of its codec; what carries them is extra. */
  @Test
  void mix_codedMessages_areTheBytesOnTheWire() {
    Network ring = Network.of(new Topology.Ring(5, 1));
    try (AllPeers peers = peers(ring, new Mixing.Mean())) {
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
    close();
    AVERAGING.values().forEach(AllPeers::close);
  }
}
