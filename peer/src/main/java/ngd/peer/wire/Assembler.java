package ngd.peer.wire;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Part;
import org.jspecify.annotations.Nullable;

/**
 * Puts the pieces that a neighbour sends together to messages, and refuses whatever is not the next
 * piece. Holds no more than has arrived: a length is checked before anything is kept, and nothing
 * is allocated for what is only announced.
 */
final class Assembler {
  private final Limits limits;
  private final boolean lossy;
  private long expected;
  private long needed;
  private Kind kind = Kind.NOTHING;
  private long length;
  private long held;
  private List<ByteString> pieces = new ArrayList<>();

  /**
   * @param lossy whether messages may be missing between two that come, as letters may
   */
  Assembler(Limits limits, boolean lossy, long expected) {
    this.limits = limits;
    this.lossy = lossy;
    this.expected = expected;
  }

  /** The next call to hear. */
  long expected() {
    return expected;
  }

  /** Begins anew with this call, as after a broken stream; half a message is forgotten. */
  void expect(long call) {
    expected = call;
    drop();
  }

  /**
   * Calls before this one need not come any more: this peer has told its neighbour that it will not
   * ask for them. Some may still be on their way, those in which the neighbour had nothing to say.
   */
  void doWithout(long before) {
    needed = Math.max(needed, before);
  }

  /** The first call that must come, unless one after it is next. */
  long needed() {
    return Math.max(needed, expected);
  }

  /** The message that this piece completes, or null. */
  @Nullable Message accept(Part part) throws Refused {
    long call = part.getCall();
    if (call > expected && (lossy || call <= needed)) {
      expect(call);
    }
    if (call != expected) {
      boolean before = Long.compareUnsigned(call, expected) < 0;
      throw new Refused(
          before ? Reason.REPLAYED : Reason.FUTURE,
          "must be call %d; got %s".formatted(expected, Long.toUnsignedString(call)));
    }
    if (part.getKind() == Kind.NOTHING || part.getKind() == Kind.UNRECOGNIZED) {
      throw new Refused(Reason.KIND, "must be of a known kind; got " + part.getKind());
    }
    int size = part.getBytes().size();
    if (part.getOffset() != held) {
      throw new Refused(
          Reason.LENGTH,
          "a piece must begin at byte %d; got %s"
              .formatted(held, Long.toUnsignedString(part.getOffset())));
    }
    if (held == 0) {
      begin(part);
    } else if (part.getKind() != kind || part.getLength() != length) {
      throw new Refused(Reason.LENGTH, "pieces of one message must agree in kind and length");
    }
    boolean last = held + size == length;
    if (held + size > length || (!last && (size == 0 || size % Double.BYTES != 0))) {
      throw new Refused(
          Reason.LENGTH,
          "a piece must end at the end, byte %d, or after a multiple of 8; got %d bytes at %d"
              .formatted(length, size, held));
    }
    if (size > 0) {
      pieces.add(part.getBytes());
    }
    held += size;
    if (!last) {
      return null;
    }
    Message message = new Message(expected, kind, part.getRound(), part.getPlace(), pieces);
    expected++;
    drop();
    return message;
  }

  private void begin(Part part) throws Refused {
    long announced = part.getLength();
    if (Long.compareUnsigned(announced, limits.messageBytes()) > 0) {
      throw new Refused(
          Reason.LENGTH,
          "a message may have at most %d bytes; got %s"
              .formatted(limits.messageBytes(), Long.toUnsignedString(announced)));
    }
    kind = part.getKind();
    length = announced;
  }

  private void drop() {
    pieces = new ArrayList<>();
    held = 0;
    length = 0;
    kind = Kind.NOTHING;
  }
}
