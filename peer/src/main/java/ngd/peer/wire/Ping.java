package ngd.peer.wire;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import ngd.peer.wire.proto.Frame;

/** A bare gRPC ping over a transport, to compare rounds with: one call there and back at a time. */
public final class Ping {
  private static final MethodDescriptor<Frame, Frame> ECHO =
      MethodDescriptor.<Frame, Frame>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("ngd.peer.Ping/Echo")
          .setRequestMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(Frame.getDefaultInstance()))
          .build();

  private Ping() {}

  private record Both(List<PeerAddress> sites) implements Neighbours {
    @Override
    public Collection<PeerAddress> all() {
      return sites;
    }

    @Override
    public void refusedCertificate(String whose, String site, String why) {
      throw new IllegalStateException("ping: %s was refused: %s".formatted(whose, why));
    }
  }

  /** Seconds for this many pings of one site by the other. */
  public static double seconds(
      PeerAddress from, Transport fromTransport, PeerAddress to, Transport toTransport, int count)
      throws IOException {
    Limits limits = Limits.of(1 << 20);
    Both both = new Both(List.of(from, to));
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("ngd.peer.Ping")
            .addMethod(
                ECHO,
                ServerCalls.asyncUnaryCall(
                    (frame, answer) -> {
                      answer.onNext(frame);
                      answer.onCompleted();
                    }))
            .build();
    Server server = toTransport.serve(to, both, () -> service, limits);
    ManagedChannel channel = fromTransport.dial(to, both, limits);
    try {
      Frame frame = Frame.newBuilder().setSender(from.number()).build();
      for (int i = 0; i < count / 2; i++) {
        ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, frame);
      }
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, frame);
      }
      return (System.nanoTime() - begin) / 1e9;
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }
}
