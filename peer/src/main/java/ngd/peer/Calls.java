package ngd.peer;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import ngd.core.WorkFailed;
import ngd.peer.wire.Links;
import ngd.peer.wire.Message;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;

/**
 * The calls of one peer: what it says is marked with the round and with its place among the calls
 * of its kind in that round, and what others said to the same call is waited for.
 */
class Calls {
  /** How often something wrong is asked for in a sum. */
  static final int MOST_REFUSALS = 3;

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

  /** Says it to all listeners but some, who get an empty message. */
  long sayExcept(Kind kind, List<ByteString> pieces, Collection<Integer> deaf) {
    return links.sayExcept(kind, round, places[kind.getNumber()]++, pieces, deaf);
  }

  /** Says to each listener what is meant for it. */
  long sayEach(Kind kind, Map<Integer, List<ByteString>> pieces) {
    return links.sayEach(kind, round, places[kind.getNumber()]++, pieces);
  }

  /** Waits for what others say to a call; gives those who were not heard. */
  List<Integer> await(long call, Links.MessageCheck check, Links.Patience patience) {
    return await(call, check, patience, _ -> true);
  }

  /** The same where only some of those heard have something to say, by their places. */
  List<Integer> await(
      long call, Links.MessageCheck check, Links.Patience patience, IntPredicate speaks) {
    try {
      return links.gather(
          call,
          (i, message) -> {
            check.take(i, message);
            listener.heard(links.heard(i), message);
          },
          patience,
          speaks);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for neighbours", interrupted);
    }
  }

  /**
   * Waits for what all others say to a call of a sum. Something wrong is asked for again a few
   * times; what repeats itself is no mishap.
   *
   * @throws WorkFailed if a neighbour cannot, or will not, say what it must
   */
  void awaitAll(long call, Links.MessageCheck check) {
    Map<Integer, Integer> refused = new HashMap<>();
    List<Integer> gone =
        await(
            call,
            (i, message) -> {
              try {
                check.take(i, message);
              } catch (Refused wrong) {
                if (refused.merge(i, 1, Integer::sum) >= MOST_REFUSALS) {
                  throw noAnswer(name(heard(i)), wrong);
                }
                throw wrong;
              }
            },
            Links.Patience.ENDLESS);
    if (!gone.isEmpty()) {
      throw new WorkFailed(
          "sum over all sites: needs what every neighbour passes on; %s has forgotten it, as the plan's policy lets it, so there is no answer"
              .formatted(name(heard(gone.getFirst()))));
    }
  }

  private static WorkFailed noAnswer(String from, Refused wrong) {
    return new WorkFailed(
        "sum over all sites: what %s passes on was refused %d times, so there is no answer: %s. Ask those who run %s; a peer that is started again goes on where it stopped"
            .formatted(from, MOST_REFUSALS, wrong.getMessage(), from),
        wrong);
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
