package ngd.peer.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** NumberCodec as bytes, little-endian, in pieces that can travel. */
public enum NumberCodec {
  /** As they are. */
  FLOAT64(Double.BYTES) {
    @Override
    void put(double[] values, int from, int count, ByteBuffer into) {
      into.asDoubleBuffer().put(values, from, count);
    }

    @Override
    void get(ByteBuffer bytes, double[] into, int at, int count) {
      bytes.asDoubleBuffer().get(into, at, count);
    }
  },
  /** Rounded, in half the bytes. */
  FLOAT32(Float.BYTES) {
    @Override
    void put(double[] values, int from, int count, ByteBuffer into) {
      for (int i = 0; i < count; i++) {
        into.putFloat((float) values[from + i]);
      }
    }

    @Override
    void get(ByteBuffer bytes, double[] into, int at, int count) {
      for (int i = 0; i < count; i++) {
        into[at + i] = bytes.getFloat();
      }
    }
  };

  private final int bytesEach;

  NumberCodec(int bytesEach) {
    this.bytesEach = bytesEach;
  }

  abstract void put(double[] values, int from, int count, ByteBuffer into);

  abstract void get(ByteBuffer bytes, double[] into, int at, int count);

  /** The bytes of this many numbers. */
  public long bytes(long count) {
    return count * bytesEach;
  }

  /** The numbers {@code values[from .. from + count]} in pieces. */
  public List<ByteString> encode(double[] values, int from, int count, Limits limits) {
    int most = limits.pieceBytes() / bytesEach;
    List<ByteString> pieces = new ArrayList<>(Math.ceilDiv(count, most));
    for (int done = 0; done < count; done += most) {
      int now = Math.min(most, count - done);
      ByteBuffer bytes = ByteBuffer.allocate(now * bytesEach).order(ByteOrder.LITTLE_ENDIAN);
      put(values, from + done, now, bytes);
      pieces.add(UnsafeByteOperations.unsafeWrap(bytes.array()));
    }
    return pieces;
  }

  /**
   * Reads exactly {@code count} numbers, all of them finite and no larger than {@code bound}.
   *
   * @throws Refused if the message holds anything else; the array may then be half written
   */
  public void decode(Message message, double[] into, int at, int count, double bound)
      throws Refused {
    if (message.length() != bytes(count)) {
      throw new Refused(
          Reason.DIMENSION,
          "must be %d numbers in %d bytes; got %d bytes"
              .formatted(count, bytes(count), message.length()));
    }
    int done = at;
    for (ByteString piece : message.pieces()) {
      int now = piece.size() / bytesEach;
      get(piece.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN), into, done, now);
      done += now;
    }
    requireBounded(into, at, count, bound);
  }

  /** Refuses numbers that are not finite, or larger than {@code bound}. */
  public static void requireBounded(double[] into, int at, int count, double bound) throws Refused {
    for (int i = at; i < at + count; i++) {
      if (!(Math.abs(into[i]) <= bound)) {
        boolean finite = Double.isFinite(into[i]);
        throw new Refused(
            finite ? Reason.NORM : Reason.NOT_FINITE,
            finite
                ? "numbers must not exceed %s; one of them does".formatted(bound)
                : "numbers must be finite; one of them is not");
      }
    }
  }
}
