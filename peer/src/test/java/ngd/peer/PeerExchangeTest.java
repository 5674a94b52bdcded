package ngd.peer;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.algorithm.ExchangeContract;
import ngd.core.network.Network;
import ngd.core.world.Mixing;
import ngd.peer.plan.Policy;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import org.junit.jupiter.api.AfterAll;

/** The contract of every exchange, over mutual TLS between sockets of this machine. */
class PeerExchangeTest extends ExchangeContract {
  private static final TestAuthority AUTHORITY = new TestAuthority("authority");
  private static final IdentityHashMap<Network, Map<Mixing, AllPeers>> WORLDS =
      new IdentityHashMap<>();

  @Override
  protected World world(Network network, Mixing mixing) {
    AllPeers peers =
        WORLDS
            .computeIfAbsent(network, _ -> new HashMap<>())
            .computeIfAbsent(mixing, _ -> peers(network, mixing));
    return new World(peers, peers.host::of);
  }

  private static AllPeers peers(Network network, Mixing mixing) {
    List<PeerAddress> sites = AllPeers.sites(network.clients());
    return new AllPeers(
        network,
        sites,
        m -> new TlsTransport(AUTHORITY.credentials("site-" + m), "127.0.0.1"),
        new PeerOptions(mixing, new Policy.Wait(), NumberCodec.FLOAT64, Masks.NONE));
  }

  @AfterAll
  static void close() {
    WORLDS.values().forEach(worlds -> worlds.values().forEach(AllPeers::close));
  }
}
