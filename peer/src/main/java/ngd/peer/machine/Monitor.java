package ngd.peer.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock under which threads wait for something to change, as an object's own is, but by the clock
 * and the threads of the {@link Machine} it was made on.
 */
public final class Monitor {
  private final Machine machine = Machine.here();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiters = new ArrayList<>();
  private final Held held = lock::unlock;

  /** The lock while it is held; closing it gives it back. */
  @FunctionalInterface
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    volatile boolean called;
  }

  /** Takes the lock; whoever has it may take it again. */
  public Held hold() {
    if (!lock.isHeldByCurrentThread()) {
      machine.pass();
    }
    lock.lock();
    return held;
  }

  /** Gives the lock back until {@link #signalAll}; takes it again. */
  public void await() throws InterruptedException {
    await(Long.MAX_VALUE);
  }

  /** The same for this many nanoseconds at most, in which something may or may not have changed. */
  public void await(long nanoseconds) throws InterruptedException {
    requireHeldOnce();
    Waiter own = new Waiter();
    waiters.add(own);
    long begin = machine.nanoTime();
    lock.unlock();
    machine.pass();
    try {
      while (!own.called && !Thread.currentThread().isInterrupted()) {
        long rest =
            nanoseconds == Long.MAX_VALUE
                ? nanoseconds
                : nanoseconds - (machine.nanoTime() - begin);
        if (rest <= 0) {
          break;
        }
        machine.park(rest);
      }
    } finally {
      lock.lock();
      waiters.remove(own);
    }
    if (!own.called && Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Wakes all that wait; they go on when the lock is given back. */
  public void signalAll() {
    requireHeld();
    for (Waiter waiter : waiters) {
      waiter.called = true;
      LockSupport.unpark(waiter.thread);
    }
    waiters.clear();
  }

  private void requireHeld() {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException("monitor: must be held by the thread that uses it");
    }
  }

  private void requireHeldOnce() {
    requireHeld();
    if (lock.getHoldCount() != 1) {
      throw new IllegalMonitorStateException("monitor: who waits must hold it once");
    }
  }
}
