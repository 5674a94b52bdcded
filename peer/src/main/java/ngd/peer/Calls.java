package ngd.peer;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import ngd.peer.wire.Links;
import ngd.peer.wire.Message;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;

/**
 * The calls of one peer: what it says is marked with the round and with its place among the calls
 * of its kind in that round, and what others said to the same call is waited for.
 */
final class Calls {
  private final Links links;
  private final PeerListener listener;
  private final int[] places = new int[Kind.values().length];
  private int round;

  Calls(Links links, PeerListener listener) {
    this.links = links;
    this.listener = listener;
  }

  /** Says which round begins. */
  void begin(int nextRound) {
    round = nextRound;
    Arrays.fill(places, 0);
  }

  int round() {
    return round;
  }

  /** The number of the next call. */
  long next() {
    return links.call();
  }

  /** The place that the next call of a kind has. */
  int place(Kind kind) {
    return places[kind.getNumber()];
  }

  /** Says the same to all listeners; gives the number of the call. */
  long say(Kind kind, List<ByteString> pieces) {
    return links.say(kind, round, places[kind.getNumber()]++, pieces);
  }

  /** Says to each listener what is meant for it. */
  long sayEach(Kind kind, Map<Integer, List<ByteString>> pieces) {
    return links.sayEach(kind, round, places[kind.getNumber()]++, pieces);
  }

  /** Waits for what others say to a call; gives those who were not heard. */
  List<Integer> await(long call, Links.MessageCheck check, Links.Patience patience) {
    try {
      return links.gather(
          call,
          (i, message) -> {
            check.take(i, message);
            listener.heard(links.heard(i), message);
          },
          patience);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for neighbours", interrupted);
    }
  }

  /** The number of the i-th client that is heard. */
  int heard(int i) {
    return links.heard(i);
  }

  /** The name of a client. */
  String name(int client) {
    return links.name(client);
  }

  static void requireKind(Message message, Kind kind) throws Refused {
    if (message.kind() != kind) {
      throw new Refused(
          Reason.KIND,
          "call %d must be %s here; got %s".formatted(message.call(), kind, message.kind()));
    }
  }
}
