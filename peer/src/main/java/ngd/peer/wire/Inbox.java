package ngd.peer.wire;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import ngd.peer.wire.proto.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What one neighbour has said and this peer has not used yet. Not safe for several threads: it is
 * guarded by the lock of all links, under which the peer waits.
 */
final class Inbox {
  /** Letters that wait; of more, the oldest are forgotten. */
  static final int LETTERS_KEPT = 16;

  /** Calls of one kind in a round of which the last message is kept. */
  private static final int PLACES = 64;

  /** Whether the neighbour was not heard in time, and is not waited for until it speaks. */
  boolean absent;

  private final Limits limits;
  private final Meter meter;

  /** Whether calls that the neighbour has forgotten are done without. */
  private final boolean gaps;

  private final ArrayDeque<Message> calls = new ArrayDeque<>();
  private final ArrayDeque<Message> letters = new ArrayDeque<>();
  private final Map<Integer, Message> last = new HashMap<>();
  private long bytes;

  /** Frames that the neighbour was not let in with for want of room. */
  private int withheld;

  /** Frames that it may send and was not told so yet. */
  private int owed;

  Inbox(Limits limits, Meter meter, boolean gaps) {
    this.limits = limits;
    this.meter = meter;
    this.gaps = gaps;
  }

  void add(Message message) {
    calls.add(message);
    bytes += cost(message);
  }

  void addLetter(Message letter) {
    letters.add(letter);
    if (letters.size() > LETTERS_KEPT) {
      letters.remove();
    }
  }

  /**
   * After a frame: how many more the neighbour may send now. Frames are let in in batches, as each
   * grant costs about what a frame does; where there is no room, they are let in later.
   */
  int admits(int together) {
    if (bytes >= limits.aheadBytes()) {
      withheld++;
      return 0;
    }
    if (++owed < together) {
      return 0;
    }
    int more = owed;
    owed = 0;
    return more;
  }

  /**
   * The frames that were held back and are let in now that there is room; 0 while there is none.
   */
  int released() {
    if (bytes >= limits.aheadBytes()) {
      return 0;
    }
    int more = withheld;
    withheld = 0;
    return more;
  }

  /** The stream has ended: what was held back on it is not owed any more. */
  void disconnected() {
    withheld = 0;
    owed = 0;
  }

  /** Forgets all calls that wait. */
  void clear() {
    calls.clear();
    bytes = 0;
  }

  /** The message of a call, if it has come; older ones are late and become the last known. */
  @Nullable Message take(long call) {
    while (!calls.isEmpty() && calls.element().call() <= call) {
      Message message = calls.remove();
      bytes -= cost(message);
      boolean nothing = message.length() == 0 && message.call() < call;
      if (gaps && !nothing && message.place() >= 0 && message.place() < PLACES) {
        last.put(message.place(), message);
      }
      if (message.call() == call) {
        absent = false;
        return message;
      }
      if (!nothing) {
        meter.late.increment();
      }
    }
    return null;
  }

  /** Lets go of a call in which the neighbour has nothing to say, and of those before it. */
  void skip(long call) {
    while (!calls.isEmpty() && calls.element().call() <= call) {
      bytes -= cost(calls.remove());
    }
  }

  /** The oldest letter there is. */
  @Nullable Message takeLetter() {
    return letters.poll();
  }

  /** The oldest call that waits; there must be one. */
  long first() {
    return calls.element().call();
  }

  /** Whether the neighbour has left a call out that it does not remember any more. */
  boolean beyond(long call) {
    return gaps && !calls.isEmpty() && calls.element().call() > call;
  }

  /** The message of a kind and place that was last heard. */
  @Nullable Message lastKnown(Kind kind, int place) {
    Message known = last.get(place);
    return known != null && known.kind() == kind ? known : null;
  }

  /** A message without a single number still takes room. */
  private static long cost(Message message) {
    return message.length() + Outbox.OVERHEAD;
  }
}
