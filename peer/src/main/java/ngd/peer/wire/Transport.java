package ngd.peer.wire;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How neighbours reach each other. Between machines there is TLS and nothing else. */
public sealed interface Transport
    permits InProcessTransport, SimulatedTransport, TlsTransport, Switchboard.Line {
  /** Begins to listen; connections from others than the neighbours are refused. */
  Server serve(PeerAddress self, Neighbours neighbours, BindableService service, Limits limits)
      throws IOException;

  /** A way to one neighbour. */
  ManagedChannel dial(PeerAddress other, Neighbours neighbours, Limits limits);

  /**
   * The name that the other side of a connection has proved to have, or null where the transport
   * never leaves the process.
   *
   * @throws Refused if it has proved none, or one that is no longer believed
   */
  @Nullable String provenName(Attributes connection) throws Refused;
}
