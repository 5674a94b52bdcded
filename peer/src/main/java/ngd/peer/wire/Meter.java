package ngd.peer.wire;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What was counted on the link to one neighbour. Bytes are those of messages, without TLS. */
public final class Meter {
  final LongAdder messagesIn = new LongAdder();
  final LongAdder messagesOut = new LongAdder();
  final LongAdder bytesIn = new LongAdder();
  final LongAdder bytesOut = new LongAdder();
  final LongAdder connections = new LongAdder();
  final LongAdder late = new LongAdder();
  private final EnumMap<Reason, LongAdder> rejected = new EnumMap<>(Reason.class);

  Meter() {
    for (Reason reason : Reason.values()) {
      rejected.put(reason, new LongAdder());
    }
  }

  void reject(Reason reason) {
    java.util.Objects.requireNonNull(rejected.get(reason)).increment();
  }

  /** All counts as they stand. */
  public Reading read() {
    EnumMap<Reason, Long> refusals = new EnumMap<>(Reason.class);
    rejected.forEach(
        (reason, count) -> {
          if (count.sum() > 0) {
            refusals.put(reason, count.sum());
          }
        });
    return new Reading(
        messagesIn.sum(),
        messagesOut.sum(),
        bytesIn.sum(),
        bytesOut.sum(),
        connections.sum(),
        late.sum(),
        refusals);
  }

  /**
   * Counts at one moment.
   *
   * @param connections how often a stream was opened
   * @param late messages that came after this peer had gone on without them
   * @param rejected what was refused, by reason; reasons without a case are left out
   */
  public record Reading(
      long messagesIn,
      long messagesOut,
      long bytesIn,
      long bytesOut,
      long connections,
      long late,
      Map<Reason, Long> rejected) {
    public Reading {
      rejected = Map.copyOf(rejected);
    }

    /** All refusals together. */
    public long refusals() {
      return rejected.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
