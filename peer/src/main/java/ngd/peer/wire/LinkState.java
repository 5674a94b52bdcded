package ngd.peer.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Frames;
import ngd.peer.wire.proto.Kept;

/** What of its links a peer must keep over a crash. */
public final class LinkState {
  /** Before the first call. */
  public static final LinkState START = new LinkState(0, List.of(), Map.of());

  /** The next call. */
  final long call;

  /** What listeners may ask for again. */
  final List<Outbox.Said> said;

  /** By listener, the calls before which it asks for none. */
  final Map<Integer, Long> acknowledged;

  LinkState(long call, List<Outbox.Said> said, Map<Integer, Long> acknowledged) {
    this.call = call;
    this.said = said;
    this.acknowledged = acknowledged;
  }

  /** The next call. */
  public long call() {
    return call;
  }

  /**
   * As it is written to disk, without what was said before a call, which is there already; the
   * messages themselves are shared, not copied.
   */
  public Kept kept(long from) {
    Kept.Builder kept = Kept.newBuilder().setCall(call).putAllAcknowledged(acknowledged);
    for (Outbox.Said one : said) {
      if (one.call() < from) {
        continue;
      }
      ngd.peer.wire.proto.Said.Builder each =
          kept.addSaidBuilder().setCall(one.call()).setAll(frames(one.all()));
      one.each().forEach((to, own) -> each.putEach(to, frames(own)));
    }
    return kept.build();
  }

  private static Frames frames(List<Frame> frames) {
    return Frames.newBuilder().addAllFrames(frames).build();
  }

  /** As it was kept, piece by piece, the newest first. */
  public static LinkState of(List<Kept> pieces) {
    if (pieces.isEmpty()) {
      return START;
    }
    Kept newest = pieces.getFirst();
    // What all had acknowledged was not kept any more, and would leave a gap.
    long first =
        newest.getAcknowledgedMap().values().stream().mapToLong(Long::longValue).min().orElse(0);
    List<Outbox.Said> said = new ArrayList<>();
    for (Kept piece : pieces.reversed()) {
      for (ngd.peer.wire.proto.Said one : piece.getSaidList()) {
        if (one.getCall() < first) {
          continue;
        }
        Map<Integer, List<Frame>> each = new TreeMap<>();
        one.getEachMap().forEach((to, own) -> each.put(to, own.getFramesList()));
        said.add(new Outbox.Said(one.getCall(), one.getAll().getFramesList(), each));
      }
    }
    return new LinkState(newest.getCall(), said, newest.getAcknowledgedMap());
  }
}
