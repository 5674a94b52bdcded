package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import ngd.peer.wire.NewsLinks;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import ngd.peer.wire.proto.Signed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Standing peers that find each other, over real sockets and TLS. */
class NewsLinksTest {
  private static final NewsLinks.Board EMPTY =
      new NewsLinks.Board() {
        @Override
        public List<ByteString> held() {
          return List.of();
        }

        @Override
        public @Nullable Signed find(ByteString hash) {
          return null;
        }

        @Override
        public ByteString take(Signed statement) {
          throw new IllegalArgumentException("nobody has any");
        }
      };

  /** As where containers start one after the other, each with its name. */
  @Test
  void connected_namesThatHaveAnAddressOnlyLater_areFound() throws Exception {
    List<PeerAddress> sites =
        AllPeers.sites(2).stream()
            .map(
                site ->
                    new PeerAddress(
                        site.number(), site.name(), site.name() + ".late.test", site.port()))
            .toList();
    TestAuthority authority = new TestAuthority("authority");
    try (NewsLinks one = links(authority, sites.getFirst(), sites.getLast());
        NewsLinks other = links(authority, sites.getLast(), sites.getFirst())) {
      LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
      assertThat(one.connected()).isEmpty();
      LateNames.announce();
      long begin = System.nanoTime();
      while (one.connected().isEmpty() || other.connected().isEmpty()) {
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(1));
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private static NewsLinks links(TestAuthority authority, PeerAddress self, PeerAddress other)
      throws Exception {
    return new NewsLinks(
        new TlsTransport(authority.credentials(self.name()), "127.0.0.1"),
        self,
        List.of(other),
        EMPTY);
  }
}
