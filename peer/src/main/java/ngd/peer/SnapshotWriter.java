package ngd.peer;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import ngd.peer.durable.Checkpoints;
import ngd.peer.durable.DiskFailure;
import ngd.peer.durable.FileFailure;
import ngd.peer.machine.Machine;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.proto.Kept;
import ngd.peer.wire.proto.PeerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Writes a peer's snapshots beside its rounds, and informs those it hears what they need not keep
 * any more: what lies before the snapshot before the newest, so that either of the two will do.
 *
 * <p>A disk that cannot be written holds the federation up, and loses nothing: neighbours keep what
 * this peer may ask for, and wait once that is much.
 */
final class SnapshotWriter implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  /** The pause between two snapshots: what a crash costs at most, and what a disk bears easily. */
  private static final long PAUSE_NS = 100_000_000;

  /**
   * Where the disk or the machine is slow, the pause is this many times what the last snapshot
   * took, so that little of the time goes into them, but at most {@link #LONGEST_PAUSE_NS}.
   */
  private static final int PAUSE_IN_WRITES = 20;

  private static final long LONGEST_PAUSE_NS = 1_000_000_000;

  /** What a neighbour may have to keep for this peer before the next snapshot is waited for. */
  private static final long PRESSING_BYTES = 8 << 20;

  /** Where nothing is kept, neighbours are informed of it now and then. */
  private static final int CALLS_BETWEEN_RECEIPTS = 64;

  private final @Nullable Checkpoints disk;

  /**
   * One thread. An executor for a single one would stay with a cleaner of the JVM until it is shut
   * down, and a machine that crashes in a simulation shuts nothing down.
   */
  private final ExecutorService writer =
      Executors.newFixedThreadPool(1, Machine.here().threads("ngd-peer-snapshot"));

  private final PeerSnapshot restored;
  private final List<Kept> said = new ArrayList<>();

  /** The call at which each snapshot on disk was taken, by its number. */
  private final TreeMap<Long, Long> calls = new TreeMap<>();

  private Future<?> writing = java.util.concurrent.CompletableFuture.completedFuture(null);
  private long lastBegun = Machine.here().nanoTime();
  private long lastCall;

  /** How long after the last snapshot began the next may. */
  private volatile long pause = PAUSE_NS;

  /** The call of the newest snapshot on disk. */
  private long newest;

  private volatile @Nullable String trouble;

  /** Since when the peer waits for the disk; 0 while it does not. */
  private volatile long waitingSince;

  SnapshotWriter(@Nullable Path folder, String plan) throws IOException {
    disk = folder == null ? null : new Checkpoints(folder, plan);
    PeerSnapshot last = PeerSnapshot.getDefaultInstance();
    if (disk != null) {
      for (byte[] found : disk.chain()) {
        PeerSnapshot snapshot = PeerSnapshot.parseFrom(found);
        calls.put(disk.generation() - said.size(), snapshot.getLinks().getCall());
        last = said.isEmpty() ? snapshot : last;
        said.add(snapshot.getLinks());
      }
    }
    restored = last;
    newest = restored.getLinks().getCall();
    lastCall = newest;
  }

  /** What was on disk at the start. */
  PeerSnapshot restored() {
    return restored;
  }

  /** What of the links was on disk at the start. */
  LinkState linkState() {
    return LinkState.of(said);
  }

  /** Why the last snapshot could not be written; null where it was. */
  @Nullable String trouble() {
    return trouble;
  }

  /**
   * Between two rounds: begins a snapshot where it is time for one.
   *
   * @param now makes it, without what was said before the call of the newest on disk
   * @param heardBytes the most that any one neighbour has said since the last
   */
  void offer(Links links, long heardBytes, LongFunction<PeerSnapshot> now) {
    boolean pressing = heardBytes >= PRESSING_BYTES;
    if (disk == null) {
      receipt(links, pressing);
      return;
    }
    boolean due = Machine.here().nanoTime() - lastBegun >= pause;
    if (pressing || (due && writing.isDone())) {
      await();
      begin(links, now.apply(newest));
    }
  }

  /** Between two sums: begins a snapshot now, beside what comes next. */
  void keep(Links links, LongFunction<PeerSnapshot> now) {
    if (disk == null) {
      receipt(links, false);
      return;
    }
    await();
    begin(links, now.apply(newest));
  }

  /** Where nothing is kept, nothing will be asked for again. */
  private void receipt(Links links, boolean pressing) {
    if (pressing || links.call() - lastCall >= CALLS_BETWEEN_RECEIPTS) {
      lastCall = links.call();
      links.durable(lastCall);
    }
  }

  /** Whether the pressure counted so far is taken off. */
  boolean begunSince(long call) {
    return lastCall >= call;
  }

  private void begin(Links links, PeerSnapshot snapshot) {
    lastBegun = Machine.here().nanoTime();
    lastCall = snapshot.getLinks().getCall();
    writing = writer.submit(() -> write(links, snapshot));
  }

  /** The pause after a snapshot whose writing began then and has just ended. */
  private static long pauseAfter(long begun) {
    long took = Machine.here().nanoTime() - begun;
    return Math.clamp(PAUSE_IN_WRITES * took, PAUSE_NS, LONGEST_PAUSE_NS);
  }

  private void write(Links links, PeerSnapshot snapshot) {
    Checkpoints there = java.util.Objects.requireNonNull(disk);
    long begun = Machine.here().nanoTime();
    try {
      there.write(snapshot::writeTo, needed(snapshot));
      pause = pauseAfter(begun);
      calls.put(there.generation(), snapshot.getLinks().getCall());
      if (trouble != null) {
        LOG.log(INFO, "snapshot-written after failures");
        trouble = null;
      }
      links.durable(newest);
      newest = snapshot.getLinks().getCall();
    } catch (IOException failed) {
      String why = FileFailure.reason(failed);
      if (!why.equals(trouble)) {
        LOG.log(WARNING, "snapshot-failed detail={0}", why);
      }
      trouble = why;
    }
  }

  /** The oldest snapshot with something that a listener may still ask for. */
  private long needed(PeerSnapshot snapshot) {
    long acknowledged =
        snapshot.getLinks().getAcknowledgedMap().values().stream()
            .mapToLong(Long::longValue)
            .min()
            .orElse(Long.MAX_VALUE);
    calls.values().removeIf(call -> call <= acknowledged);
    return calls.isEmpty() ? Long.MAX_VALUE : calls.firstKey();
  }

  /** For how long the peer has waited for the disk; 0 while it does not. */
  double waitedSeconds() {
    long since = waitingSince;
    return since == 0 ? 0 : (Machine.here().nanoTime() - since) / 1e9;
  }

  /** Waits for the snapshot that is being written. */
  void await() {
    waitingSince = Machine.here().nanoTime() | 1;
    try {
      writing.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a snapshot was written", interrupted);
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a snapshot could not be made", failed.getCause());
    } finally {
      waitingSince = 0;
    }
  }

  /** Waits, and refuses to go on where the snapshot could not be written. */
  void require(String what, String otherwise) {
    await();
    String why = trouble;
    if (why != null) {
      throw new DiskFailure(
          "folder: cannot save this peer's %s: %s. Free some space and restart the peer%s"
              .formatted(what, why, otherwise));
    }
  }

  /** Writes the last snapshot twice, so that both files have it, and says so. */
  void end(Links links, LongFunction<PeerSnapshot> now) {
    await();
    for (int copy = 0; copy < 2 && disk != null; copy++) {
      begin(links, now.apply(newest));
      require("last snapshot", ": it resumes from the previous snapshot");
    }
    links.durable(links.call());
  }

  /** Keeps nothing of the run. */
  void forget() {
    await();
    if (disk != null) {
      try {
        disk.forget();
      } catch (IOException failed) {
        LOG.log(WARNING, "snapshots-not-deleted detail={0}", FileFailure.reason(failed));
      }
    }
  }

  @Override
  public void close() throws IOException {
    writer.shutdown();
    // The folder is given back even where somebody ended the run by an interrupt.
    boolean interrupted = Thread.interrupted();
    try {
      if (disk != null) {
        await();
        disk.close();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
