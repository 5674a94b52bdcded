package ngd.peer.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import ngd.core.codec.Codec;
import ngd.peer.CodedMessage;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Frames;
import ngd.peer.wire.proto.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What Jazzer calls with bytes that it makes up, guided by the branches they reach: bytes are no
 * frame, or a frame that is refused, or one that is taken; nothing else happens, and no more is
 * kept than the limits say.
 */
public final class WireFuzzer {
  private static final Limits LIMITS = new Limits(256, 64, 1 << 16);

  private static final List<Codec> CODECS =
      List.of(
          new Codec.Top(2),
          new Codec.RandomEntries(1),
          new Codec.Sign(),
          new Codec.Qsgd(3),
          new Codec.Rounded(0.01),
          new Codec.Noisy(0.1),
          new Codec.Full());

  private WireFuzzer() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    Assembler calls = new Assembler(LIMITS, false, 0);
    Assembler letters = new Assembler(LIMITS, true, 0);
    try {
      for (Frame frame : Frames.parseFrom(bytes).getFramesList()) {
        boolean letter = frame.getPart().getKind() == Kind.LETTER;
        try {
          require((letter ? letters : calls).accept(frame.getPart()));
        } catch (Refused expected) {
          // As it should be.
        }
      }
    } catch (InvalidProtocolBufferException expected) {
      // As it should be.
    }
  }

  private static void require(@Nullable Message message) throws Refused {
    if (message == null) {
      return;
    }
    if (message.length() > LIMITS.messageBytes()) {
      throw new IllegalStateException("a message was taken that is too long");
    }
    double[] numbers = new double[4];
    for (Codec codec : CODECS) {
      try {
        CodedMessage.decode(message, codec, numbers, 0, 4, 1e100);
        requireBounded(numbers);
      } catch (Refused expected) {
        // Another codec may take it.
      }
    }
    NumberCodec.FLOAT64.decode(message, numbers, 0, 4, 1e100);
    requireBounded(numbers);
  }

  private static void requireBounded(double[] numbers) {
    for (double number : numbers) {
      if (!(Math.abs(number) <= 1e100)) {
        throw new IllegalStateException("a number was taken that is not one");
      }
    }
  }
}
