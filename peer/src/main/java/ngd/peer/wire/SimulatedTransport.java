package ngd.peer.wire;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One site's end of a {@link SimulatedNetwork}: nothing is opened, nothing is encrypted, and
 * nothing leaves the process.
 *
 * @param site the name of the site
 */
public record SimulatedTransport(SimulatedNetwork network, String site) implements Transport {
  @Override
  public Server serve(
      PeerAddress self, Neighbours neighbours, BindableService service, Limits limits)
      throws IOException {
    return network.serve(site, service.bindService());
  }

  @Override
  public ManagedChannel dial(PeerAddress other, Neighbours neighbours, Limits limits) {
    return network.dial(site, other.name());
  }

  @Override
  public @Nullable String provenName(Attributes connection) throws Refused {
    String other = connection.get(SimulatedNetwork.OTHER);
    if (other == null || !network.believed(site, other)) {
      throw new Refused(Reason.CERTIFICATE, "the certificate of `%s` was revoked".formatted(other));
    }
    return other;
  }
}
