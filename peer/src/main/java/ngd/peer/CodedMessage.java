package ngd.peer;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.ArrayList;
import java.util.List;
import ngd.core.codec.Codec;
import ngd.core.codec.Malformed;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Message;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;

/** A row in a codec's bytes, in pieces that can travel. */
public final class CodedMessage {
  private CodedMessage() {}

  /** These bytes in pieces. */
  public static List<ByteString> pieces(byte[] bytes, Limits limits) {
    List<ByteString> pieces = new ArrayList<>(1);
    for (int done = 0; done < bytes.length; done += limits.pieceBytes()) {
      pieces.add(
          UnsafeByteOperations.unsafeWrap(
              bytes, done, Math.min(limits.pieceBytes(), bytes.length - done)));
    }
    return pieces;
  }

  /**
   * Reads exactly {@code count} numbers, all of them finite and no larger than {@code bound}.
   *
   * @throws Refused if the message holds anything else; the array may then be half written
   */
  public static void decode(
      Message message, Codec codec, double[] into, int at, int count, double bound) throws Refused {
    double[] row;
    try {
      row = codec.decode(ByteString.copyFrom(message.pieces()).toByteArray(), count);
    } catch (Malformed malformed) {
      throw new Refused(Reason.DIMENSION, String.valueOf(malformed.getMessage()));
    }
    NumberCodec.requireBounded(row, 0, count, bound);
    System.arraycopy(row, 0, into, at, count);
  }
}
