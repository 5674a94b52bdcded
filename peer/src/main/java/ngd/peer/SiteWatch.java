package ngd.peer;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import ngd.core.inference.FitProgress;
import ngd.core.rows.Rows;
import ngd.peer.machine.Machine;
import ngd.peer.status.PeerStatus;
import ngd.peer.wire.Links;
import org.jspecify.annotations.Nullable;

/** What a running peer shows of itself; written by the one that runs, read by those who ask. */
final class SiteWatch implements PeerListener {
  private final String site;
  private final String plan;
  private final long begun = Machine.here().nanoTime();
  private volatile PeerStatus.State state = PeerStatus.State.STARTING;
  private volatile String stage = "starting";
  private volatile int round;
  private volatile int rounds;
  private volatile double spread = Double.NaN;
  private volatile long roundsSince;
  private volatile int roundsFrom;
  private volatile @Nullable PeerNode node;
  private volatile @Nullable DoubleSupplier epsilon;
  private volatile @Nullable String failure;

  /** A peer that waits as long does not know when it ends. */
  private static final double STILL_S = 5;

  SiteWatch(String site, String plan) {
    this.site = site;
    this.plan = plan;
  }

  void linked(PeerNode over) {
    node = over;
    state = PeerStatus.State.RUNNING;
  }

  void spends(DoubleSupplier spent) {
    epsilon = spent;
  }

  void stage(String words) {
    stage = words;
  }

  /** Rounds done, and their total number. */
  void rounds(int done, int of) {
    if (rounds != of) {
      rounds = of;
      roundsFrom = done;
      roundsSince = Machine.here().nanoTime();
    }
    round = done;
  }

  @Override
  public void round(int done) {
    round = done;
  }

  /** How far this peer's model lies from what it hears: ‖mixed − x‖ / ‖mixed‖. */
  @Override
  public void mixed(Rows x, Rows mixed) {
    double apart = 0;
    double size = 0;
    for (int j = 0; j < Math.min(x.width(), mixed.width()); j++) {
      double difference = mixed.get(0, j) - x.get(0, j);
      apart = Math.fma(difference, difference, apart);
      size = Math.fma(mixed.get(0, j), mixed.get(0, j), size);
    }
    spread = size == 0 ? Double.NaN : Math.sqrt(apart / size);
  }

  /** Passes on what a pooled fit says of itself. */
  FitProgress fitProgress() {
    return new FitProgress() {
      @Override
      public void begin(Stage part) {
        stage(part.words());
      }

      @Override
      public void rounds(int done, int most) {
        SiteWatch.this.rounds(done, most);
      }
    };
  }

  /** The answer is written; neighbours may still need something. */
  void answered() {
    state = PeerStatus.State.DONE;
    stage = "done, stays while neighbours may need its messages";
  }

  void ended(@Nullable String why) {
    failure = why;
    state = why == null ? PeerStatus.State.DONE : PeerStatus.State.FAILED;
    stage = why == null ? "done" : "failed";
  }

  PeerStatus read() {
    PeerNode over = node;
    NodeStatus now = over == null ? null : over.status();
    List<Links.Watch> watched = now == null ? List.of() : now.links();
    DoubleSupplier spent = epsilon;
    return new PeerStatus(
        site,
        plan,
        state,
        stage,
        round,
        rounds > 0 ? OptionalInt.of(rounds) : OptionalInt.empty(),
        watched.stream().filter(Links.Watch::waited).map(Links.Watch::name).toList(),
        now == null ? Optional.empty() : now.waiting().map(SiteWatch::waiting),
        Double.isNaN(spread) ? OptionalDouble.empty() : OptionalDouble.of(spread),
        (Machine.here().nanoTime() - begun) / 1e9,
        now != null && now.waiting().filter(w -> w.seconds() >= STILL_S).isPresent()
            ? OptionalDouble.empty()
            : left(),
        spent == null ? OptionalDouble.empty() : OptionalDouble.of(spent.getAsDouble()),
        watched.stream().map(SiteWatch::neighbour).toList(),
        Optional.ofNullable(now == null ? null : now.disk()),
        Optional.ofNullable(failure),
        List.of());
  }

  private static PeerStatus.Waiting waiting(Links.Waiting now) {
    return new PeerStatus.Waiting(now.reason(), now.seconds(), now.unreachable(), now.busy());
  }

  private OptionalDouble left() {
    int done = round - roundsFrom;
    if (state != PeerStatus.State.RUNNING || rounds == 0 || done == 0) {
      return OptionalDouble.empty();
    }
    double each = (Machine.here().nanoTime() - roundsSince) / 1e9 / done;
    return OptionalDouble.of(each * (rounds - round));
  }

  private static PeerStatus.Neighbour neighbour(Links.Watch watched) {
    Map<String, Long> rejected = new TreeMap<>();
    watched
        .meter()
        .rejected()
        .forEach((reason, count) -> rejected.put(reason.name().toLowerCase(Locale.ROOT), count));
    return new PeerStatus.Neighbour(
        watched.name(),
        watched.connected(),
        watched.meter().messagesIn(),
        watched.meter().messagesOut(),
        watched.meter().bytesIn(),
        watched.meter().bytesOut(),
        rejected,
        Optional.ofNullable(watched.refusal()));
  }
}
