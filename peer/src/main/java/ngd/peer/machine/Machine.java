package ngd.peer.machine;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * The machine under a peer. Who asks finds the one its thread runs on: the real one, but for the
 * threads of a simulation.
 */
public interface Machine {
  /** The machine that this thread runs on. */
  static Machine here() {
    Machine simulated = RealMachine.SIMULATED.get();
    return simulated == null ? RealMachine.INSTANCE : simulated;
  }

  /** Does something on a machine that is not the real one. */
  static void on(Machine machine, Runnable work) {
    RealMachine.SIMULATED.set(machine);
    try {
      work.run();
    } finally {
      RealMachine.SIMULATED.remove();
    }
  }

  /** A clock that never goes back, in nanoseconds since some moment. */
  long nanoTime();

  /** Makes daemon threads of this name. */
  ThreadFactory threads(String name);

  /** Does something once, later, in the thread that all timers share. */
  Timer later(Runnable work, Duration delay);

  /** Does something again and again, in the thread that all timers share. */
  Timer every(Runnable work, Duration pause);

  /** Randomness that nobody can guess. */
  SecureRandom random();

  /**
   * Stops this thread until it is unparked, interrupted, or this much time has passed; it may go on
   * earlier without a reason.
   *
   * @param nanoseconds without end where it is {@link Long#MAX_VALUE}
   */
  void park(long nanoseconds);

  /** A moment at which other threads may run first. */
  void pass();

  /** What is to happen later. */
  @FunctionalInterface
  interface Timer {
    /** Keeps it from happening, where it has not begun. */
    void cancel();
  }
}
