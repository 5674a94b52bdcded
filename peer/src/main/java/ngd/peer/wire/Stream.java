package ngd.peer.wire;

import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import ngd.peer.wire.proto.Frame;

/** One side of an open stream. Not for several threads at once, but for {@link #request}. */
sealed interface Stream {
  /** How much may wait to be written before a stream is no longer ready for more. */
  int READY_BELOW = 1 << 20;

  /** More frames than are under way when a stream ends. */
  int REST = 1 << 20;

  void send(Frame frame);

  /** Whether more can be written without piling up. */
  boolean ready();

  /** Admits this many more frames. */
  void request(int frames);

  /** Ends the stream; what was sent before still goes out. */
  void end(Status why);

  /** Ends the stream now. */
  void abort();

  Attributes connection();

  /** The side that dialled. */
  record Dialled(ClientCall<Frame, Frame> call) implements Stream {
    @Override
    public void send(Frame frame) {
      call.sendMessage(frame);
    }

    @Override
    public boolean ready() {
      return call.isReady();
    }

    @Override
    public void request(int frames) {
      call.request(frames);
    }

    /** What still comes is taken and not looked at: else the stream would stay with it. */
    @Override
    public void end(Status why) {
      call.halfClose();
      call.request(REST);
    }

    @Override
    public void abort() {
      call.cancel("the stream is no longer needed", null);
    }

    @Override
    public Attributes connection() {
      return call.getAttributes();
    }
  }

  /** The side that was dialled. */
  record Accepted(ServerCall<Frame, Frame> call) implements Stream {
    @Override
    public void send(Frame frame) {
      call.sendMessage(frame);
    }

    @Override
    public boolean ready() {
      return call.isReady();
    }

    @Override
    public void request(int frames) {
      call.request(frames);
    }

    @Override
    public void end(Status why) {
      if (!call.isCancelled()) {
        call.close(why, new Metadata());
      }
    }

    @Override
    public void abort() {
      end(Status.CANCELLED);
    }

    @Override
    public Attributes connection() {
      return call.getAttributes();
    }
  }
}
