package ngd.peer.faults;

import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import ngd.peer.machine.Machine;
import org.apache.commons.rng.UniformRandomProvider;

/** One site's machine from one start of its peer to the next. */
final class SimulatedMachine implements Machine {
  /** When simulations begin, by their calendars. */
  static final Instant EPOCH = Instant.parse("2026-01-05T08:00:00Z");

  private final Schedule schedule;
  private final int number;
  private final UniformRandomProvider draw;
  private final Consumer<Throwable> failures;
  private final Consumer<String> log;
  private final Queue<Runnable> timers = new ArrayDeque<>();

  /** How often, of a thousand times, another thread may run before a lock is taken. */
  private final int preemptions;

  /** How often, of a thousand times, a thread that could go on does not yet. */
  private int slowness;

  private long longestPause;
  private boolean timing;
  private boolean crashed;
  private Duration calendar = Duration.ZERO;

  /**
   * @param failures takes what ended a thread
   * @param log takes what the peer says
   */
  SimulatedMachine(
      Schedule schedule,
      int number,
      UniformRandomProvider draw,
      int preemptions,
      Consumer<Throwable> failures,
      Consumer<String> log) {
    this.schedule = schedule;
    this.number = number;
    this.draw = draw;
    this.preemptions = preemptions;
    this.failures = failures;
    this.log = log;
  }

  int number() {
    return number;
  }

  boolean crashed() {
    return crashed;
  }

  /** Ends all threads where they stand. One of its own that calls this stays in it for good. */
  void crash() {
    crashed = true;
    if (Thread.currentThread().isVirtual() && Machine.here() == this) {
      while (true) {
        LockSupport.park(this);
      }
    }
  }

  /** Makes the machine slow: a share of steps in a thousand waits this long at most. */
  void slow(int share, long longest) {
    slowness = share;
    longestPause = longest;
  }

  long hesitation() {
    return slowness > 0 && draw.nextInt(1000) < slowness ? 1 + draw.nextLong(longestPause) : 0;
  }

  /** The calendar jumps; the clock that counts nanoseconds never does. */
  void setCalendar(Duration ahead) {
    calendar = ahead;
  }

  InstantSource calendar() {
    return () -> EPOCH.plusNanos(schedule.now()).plus(calendar);
  }

  void said(String line) {
    log.accept(line);
  }

  @Override
  public long nanoTime() {
    return schedule.now();
  }

  @Override
  public ThreadFactory threads(String name) {
    return work ->
        schedule.thread(
            this,
            name,
            () ->
                Machine.on(
                    this,
                    () -> {
                      try {
                        work.run();
                      } catch (Throwable failed) {
                        failures.accept(failed);
                      }
                    }));
  }

  void start(String name, Runnable work) {
    threads(name).newThread(work).start();
  }

  @Override
  public Timer later(Runnable work, Duration delay) {
    boolean[] cancelled = {false};
    schedule.at(
        delay.toNanos(),
        () -> {
          if (!crashed && !cancelled[0]) {
            timers.add(
                () -> {
                  if (!cancelled[0]) {
                    work.run();
                  }
                });
            strike();
          }
        });
    return () -> cancelled[0] = true;
  }

  @Override
  public Timer every(Runnable work, Duration pause) {
    Repeating repeating = new Repeating(work, pause);
    repeating.next = later(repeating, pause);
    return repeating;
  }

  private final class Repeating implements Runnable, Timer {
    private final Runnable work;
    private final Duration pause;
    private Timer next = () -> {};
    private boolean cancelled;

    Repeating(Runnable work, Duration pause) {
      this.work = work;
      this.pause = pause;
    }

    @Override
    public void run() {
      if (!cancelled) {
        next = later(this, pause);
        work.run();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      next.cancel();
    }
  }

  /** Timers strike one after another, in one thread. */
  private void strike() {
    if (!timing) {
      timing = true;
      start("timer", this::strikeAll);
    }
  }

  private void strikeAll() {
    try {
      for (Runnable next = timers.poll(); next != null; next = timers.poll()) {
        next.run();
      }
    } finally {
      timing = false;
    }
  }

  @Override
  public SecureRandom random() {
    return random(draw);
  }

  /** What is secret elsewhere, and here the same whenever a simulation is repeated. */
  static SecureRandom random(UniformRandomProvider own) {
    return new SecureRandom(
        new SecureRandomSpi() {
          private static final long serialVersionUID = 1;

          @Override
          protected void engineSetSeed(byte[] seed) {}

          @Override
          protected void engineNextBytes(byte[] bytes) {
            own.nextBytes(bytes);
          }

          @Override
          protected byte[] engineGenerateSeed(int count) {
            byte[] bytes = new byte[count];
            own.nextBytes(bytes);
            return bytes;
          }
        },
        null) {
      private static final long serialVersionUID = 1;
    };
  }

  @Override
  public void park(long nanoseconds) {
    if (nanoseconds == Long.MAX_VALUE) {
      LockSupport.park(this);
      return;
    }
    Thread waiting = Thread.currentThread();
    boolean[] over = {false};
    schedule.at(
        nanoseconds,
        () -> {
          if (!over[0] && !crashed) {
            LockSupport.unpark(waiting);
          }
        });
    LockSupport.park(this);
    over[0] = true;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // The scheduler is the seed's own: this asks it.
  public void pass() {
    if (preemptions > 0 && Thread.currentThread().isVirtual() && draw.nextInt(1000) < preemptions) {
      Thread.yield();
    }
  }
}
