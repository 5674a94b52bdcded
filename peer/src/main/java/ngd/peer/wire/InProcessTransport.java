package ngd.peer.wire;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Peers of one process, for rehearsals with many of them: nothing is opened, nothing is encrypted,
 * and nothing can come in from outside.
 *
 * @param federation distinguishes federations of one process
 * @param executor what carries the messages
 */
public record InProcessTransport(String federation, Executor executor) implements Transport {
  private String name(PeerAddress site) {
    return federation + "/" + site.number();
  }

  @Override
  public Server serve(
      PeerAddress self, Neighbours neighbours, BindableService service, Limits limits)
      throws IOException {
    return InProcessServerBuilder.forName(name(self))
        .executor(executor)
        .addService(service)
        .build()
        .start();
  }

  @Override
  public ManagedChannel dial(PeerAddress other, Neighbours neighbours, Limits limits) {
    return InProcessChannelBuilder.forName(name(other)).executor(executor).build();
  }

  @Override
  public @Nullable String provenName(Attributes connection) {
    return null;
  }
}
