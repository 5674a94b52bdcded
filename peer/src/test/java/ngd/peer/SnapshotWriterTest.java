package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import ngd.peer.machine.Machine;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.Limits;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.proto.PeerSnapshot;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By the clock of a machine whose disk takes as long as a test says. */
class SnapshotWriterTest {
  private static final long MS = 1_000_000;

  @TempDir Path folder;

  /**
   * The pause that is promised: at least 100 ms and at least twenty times what writing took, at
   * most a second.
   */
  @ParameterizedTest
  @CsvSource({"0, 100", "3, 100", "5, 100", "10, 200", "49, 980", "50, 1000", "4000, 1000"})
  void offer_afterASnapshotThatTook_beginsTheNextAfterThePause(long took, long pause)
      throws Exception {
    SlowDisk machine = new SlowDisk(took * MS);
    Machine.on(
        machine,
        () -> {
          try {
            offers(machine, pause * MS);
          } catch (Exception failed) {
            throw new IllegalStateException(failed);
          }
        });
  }

  private void offers(SlowDisk machine, long pause) throws Exception {
    PeerAddress alone = new PeerAddress(0, "alone", "", 0);
    InProcessTransport transport =
        new InProcessTransport("snapshots-" + machine.took, Runnable::run);
    int[] begun = {0};
    try (SnapshotWriter writer = new SnapshotWriter(folder, "plan");
        Links links =
            new Links(
                new Links.Setup(0, List.of(alone), List.of(), List.of(), false),
                new Agreement("00", "test"),
                transport,
                Limits.of(1 << 10),
                LinkState.START)) {
      machine.now.set(100 * MS);
      offer(writer, links, begun);
      assertThat(begun[0]).isEqualTo(1);
      machine.now.addAndGet(pause - 1);
      offer(writer, links, begun);
      assertThat(begun[0]).as("before the pause is over").isEqualTo(1);
      machine.now.incrementAndGet();
      offer(writer, links, begun);
      assertThat(begun[0]).as("when it is over").isEqualTo(2);
    }
  }

  private static void offer(SnapshotWriter writer, Links links, int[] begun) {
    writer.offer(
        links,
        0,
        _ -> {
          begun[0]++;
          return PeerSnapshot.newBuilder().setState(ByteString.copyFromUtf8("state")).build();
        });
    writer.await();
  }

  /** A machine whose clock goes on by what a write takes whenever the writer looks at it. */
  private static final class SlowDisk implements Machine {
    private final long took;
    private final ThreadLocal<Long> written = ThreadLocal.withInitial(() -> 0L);
    private final AtomicLong now = new AtomicLong();

    SlowDisk(long took) {
      this.took = took;
    }

    @Override
    public long nanoTime() {
      if (!Thread.currentThread().getName().equals("ngd-peer-snapshot")) {
        return now.get();
      }
      written.set(written.get() + took);
      return now.get() + written.get();
    }

    @Override
    public ThreadFactory threads(String name) {
      return work ->
          Thread.ofPlatform().daemon().name(name).unstarted(() -> Machine.on(this, work));
    }

    @Override
    public Timer later(Runnable work, Duration delay) {
      return () -> {};
    }

    @Override
    public Timer every(Runnable work, Duration pause) {
      return () -> {};
    }

    @Override
    public SecureRandom random() {
      return new SecureRandom();
    }

    @Override
    public void park(long nanoseconds) {
      Thread.onSpinWait();
    }

    @Override
    public void pass() {}
  }
}
