package ngd.peer.wire;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Part;
import org.jspecify.annotations.Nullable;

/**
 * What this peer said, kept until every listener has it on disk: what a restarted neighbour may ask
 * for again.
 */
final class Outbox {
  /** What an entry costs beside its numbers. */
  static final int OVERHEAD = 128;

  /**
   * One call: the frames for all listeners, or those for each.
   *
   * @param each by the listener's number; empty where all hear the same
   */
  record Said(long call, List<Frame> all, Map<Integer, List<Frame>> each) {
    List<Frame> to(int listener) {
      return each.getOrDefault(listener, all);
    }

    long bytes() {
      long bytes = OVERHEAD;
      for (Frame frame : all) {
        bytes += frame.getPart().getBytes().size();
      }
      for (List<Frame> frames : each.values()) {
        for (Frame frame : frames) {
          bytes += frame.getPart().getBytes().size();
        }
      }
      return bytes;
    }
  }

  /** The frames that a message of one site goes in, a piece each. */
  static List<Frame> frames(
      PeerAddress from, long call, Kind kind, int round, int place, List<ByteString> pieces) {
    long length = 0;
    for (ByteString piece : pieces) {
      length += piece.size();
    }
    List<Frame> frames = new ArrayList<>(Math.max(1, pieces.size()));
    long offset = 0;
    int count = Math.max(1, pieces.size());
    for (int i = 0; i < count; i++) {
      ByteString bytes = pieces.isEmpty() ? ByteString.EMPTY : pieces.get(i);
      frames.add(
          Frame.newBuilder()
              .setSender(from.number())
              .setPart(
                  Part.newBuilder()
                      .setCall(call)
                      .setKind(kind)
                      .setRound(round)
                      .setPlace(place)
                      .setLength(length)
                      .setOffset(offset)
                      .setBytes(bytes))
              .build());
      offset += bytes.size();
    }
    return frames;
  }

  private final List<Said> kept = new ArrayList<>();
  private int first;
  private long bytes;
  private long next;

  Outbox(long next, List<Said> before) {
    this.next = next;
    for (Said said : before) {
      kept.add(said);
      bytes += said.bytes();
    }
  }

  synchronized void add(Said said) {
    kept.add(said);
    bytes += said.bytes();
    next = said.call() + 1;
  }

  /** Counts a call that nobody hears. */
  synchronized void skip() {
    next++;
  }

  /** The frames of a call for one listener; null where it was not said yet. */
  synchronized @Nullable List<Frame> frames(long call, int listener) {
    if (call >= next || first == kept.size()) {
      return null;
    }
    long index = call - kept.get(first).call();
    return index < 0 ? List.of() : kept.get(first + (int) index).to(listener);
  }

  /** The first call that can be repeated. */
  synchronized long offers() {
    return first < kept.size() ? kept.get(first).call() : next;
  }

  synchronized long next() {
    return next;
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Forgets all calls before this one. */
  synchronized void forget(long before) {
    while (first < kept.size() && kept.get(first).call() < before) {
      bytes -= kept.get(first).bytes();
      kept.set(first, EMPTY);
      first++;
    }
    if (first > 64 && first > kept.size() / 2) {
      kept.subList(0, first).clear();
      first = 0;
    }
  }

  /** Forgets the oldest calls until no more than this many bytes are kept. */
  synchronized void forgetDownTo(long most) {
    while (bytes > most && first < kept.size()) {
      forget(kept.get(first).call() + 1);
    }
  }

  private static final Said EMPTY = new Said(-1, List.of(), Map.of());

  synchronized List<Said> kept() {
    return List.copyOf(kept.subList(first, kept.size()));
  }
}
