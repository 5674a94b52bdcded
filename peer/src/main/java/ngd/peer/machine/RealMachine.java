package ngd.peer.machine;

import static java.lang.System.Logger.Level.WARNING;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The machine on which this process runs. */
final class RealMachine implements Machine {
  static final RealMachine INSTANCE = new RealMachine();

  /** What threads of a simulation run on instead. */
  static final ThreadLocal<Machine> SIMULATED = new ThreadLocal<>();

  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(1, threads("ngd-peer-timer"));

  private RealMachine() {
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public ThreadFactory threads(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }

  @Override
  public Timer later(Runnable work, Duration delay) {
    try {
      return cancelling(timers.schedule(said(work), delay.toNanos(), TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException ending) {
      // The process is ending.
      return () -> {};
    }
  }

  @Override
  public Timer every(Runnable work, Duration pause) {
    long nanoseconds = pause.toNanos();
    return cancelling(
        timers.scheduleAtFixedRate(said(work), nanoseconds, nanoseconds, TimeUnit.NANOSECONDS));
  }

  private static Timer cancelling(Future<?> task) {
    return () -> task.cancel(false);
  }

  /** What fails in a timer must not end the timer, nor go unseen. */
  private static Runnable said(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException failed) {
        LOG.log(WARNING, "failed detail=" + failed, failed);
      }
    };
  }

  @Override
  public SecureRandom random() {
    return new SecureRandom();
  }

  @Override
  public void park(long nanoseconds) {
    if (nanoseconds == Long.MAX_VALUE) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, nanoseconds);
    }
  }

  @Override
  public void pass() {}
}
