package ngd.peer;

import java.util.IdentityHashMap;
import java.util.List;
import ngd.core.algorithm.ExchangeContract;
import ngd.core.network.Network;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import org.junit.jupiter.api.AfterAll;

/** The contract of every exchange, over mutual TLS between sockets of this machine. */
class PeerExchangeTest extends ExchangeContract {
  private static final TestAuthority AUTHORITY = new TestAuthority("authority");
  private static final IdentityHashMap<Network, AllPeers> WORLDS = new IdentityHashMap<>();

  @Override
  protected World world(Network network) {
    AllPeers peers =
        WORLDS.computeIfAbsent(
            network,
            fresh -> {
              List<PeerAddress> sites = AllPeers.sites(fresh.clients());
              return new AllPeers(
                  fresh,
                  sites,
                  m -> new TlsTransport(AUTHORITY.credentials("site-" + m), "127.0.0.1"),
                  PeerOptions.PLAIN);
            });
    return new World(peers, peers.host::of);
  }

  @AfterAll
  static void close() {
    WORLDS.values().forEach(AllPeers::close);
  }
}
