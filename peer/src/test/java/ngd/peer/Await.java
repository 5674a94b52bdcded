package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits until something holds, and for nothing else; a test that waits too long says for what. */
final class Await {
  private static final long PATIENCE_S = 120;
  private static final long LOOK_NS = 5_000_000;

  private Await() {}

  static void until(String what, Callable<Boolean> holds) throws Exception {
    long begin = System.nanoTime();
    while (!holds.call()) {
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
          .as(what)
          .isLessThan(PATIENCE_S);
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
