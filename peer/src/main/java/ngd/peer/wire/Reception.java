package ngd.peer.wire;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.function.IntFunction;
import ngd.peer.wire.proto.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Where streams that others open come in: the one service, by its one method. Who somebody is, the
 * transport and the greeting say; then the stream is the link's.
 */
final class Reception implements BindableService {
  private final Links home;
  private final IntFunction<@Nullable Link> links;

  /**
   * @param links the link to a neighbour by its number; null for others
   */
  Reception(Links home, IntFunction<@Nullable Link> links) {
    this.home = home;
    this.links = links;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("ngd.peer.Neighbour")
        .addMethod(Links.METHOD, (call, headers) -> accept(call))
        .build();
  }

  private ServerCall.Listener<Frame> accept(ServerCall<Frame, Frame> call) {
    call.setOnReadyThreshold(Stream.READY_BELOW);
    call.sendHeaders(new Metadata());
    call.request(1);
    return new Guest(new Stream.Accepted(call));
  }

  /** A stream whose first frame says whose it is. */
  private final class Guest extends ServerCall.Listener<Frame> {
    private final Stream stream;
    private @Nullable Link link;

    Guest(Stream stream) {
      this.stream = stream;
    }

    @Override
    public void onMessage(Frame frame) {
      Link known = link;
      if (known != null) {
        known.received(stream, frame);
        return;
      }
      Link found = links.apply(frame.getSender());
      try {
        if (found == null || !frame.hasGreeting()) {
          throw new Refused(Reason.GREETING, "the first frame must be a neighbour's greeting");
        }
        home.requireName(stream, found.other);
      } catch (Refused refused) {
        refuse(found, refused);
        stream.end(Status.PERMISSION_DENIED.withDescription(refused.getMessage()));
        return;
      }
      link = found;
      found.adopt(stream, frame);
    }

    @Override
    public void onReady() {
      Link known = link;
      if (known != null) {
        known.pump();
      }
    }

    @Override
    public void onHalfClose() {
      Link known = link;
      if (known != null && known.gone(stream)) {
        stream.end(Status.OK);
      }
    }

    @Override
    public void onCancel() {
      Link known = link;
      if (known != null) {
        known.broken(stream, Status.CANCELLED);
      }
    }
  }

  private void refuse(@Nullable Link found, Refused refused) {
    if (found != null) {
      found.meter.reject(refused.reason());
    }
    home.refusedGuest(found == null ? "unknown" : found.other.name(), refused);
  }
}
