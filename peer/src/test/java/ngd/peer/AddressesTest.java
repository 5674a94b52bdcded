package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Addresses of both kinds, over real sockets. The oracle is a sum that only all together have. */
class AddressesTest {
  @Test
  void peers_atAddressesOfBothKinds_reachEachOther() throws Exception {
    Assumptions.assumeTrue(
        NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null,
        "this machine has no IPv6");
    List<String> binds =
        List.of("127.0.0.1", "[::1]", TlsTransport.EVERYWHERE, TlsTransport.EVERYWHERE, "::1");
    List<String> dialled = List.of("127.0.0.1", "::1", "::1", "127.0.0.1", "::1");
    List<PeerAddress> sites = new ArrayList<>();
    for (PeerAddress site : AllPeers.sites(5)) {
      sites.add(
          new PeerAddress(site.number(), site.name(), dialled.get(site.number()), site.port()));
    }
    TestAuthority authority = new TestAuthority("authority");
    try (AllPeers peers =
        new AllPeers(
            Network.of(Topology.parse("complete", 5, TestFit.STREAMS)),
            sites,
            m -> new TlsTransport(authority.credentials("site-" + m), binds.get(m)),
            PeerOptions.PLAIN)) {
      double[][] terms = {{1}, {20}, {300}, {4000}, {50_000}};
      assertThat(peers.total(terms)).containsExactly(54_321);
    }
  }
}
