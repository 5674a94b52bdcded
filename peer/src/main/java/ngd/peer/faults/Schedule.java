package ngd.peer.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * What happens next in a simulation: one thread runs at a time, which of those that can, the seed
 * decides; where none can, time jumps to the next timer.
 *
 * <p>Threads are virtual ones whose scheduler is this one. The JDK has no public way to say so; it
 * needs {@code --add-opens=java.base/java.lang=ALL-UNNAMED}, and {@code
 * -Djdk.trackAllThreads=false}, so that threads of machines that crashed are forgotten.
 */
final class Schedule {
  /** What the JVM that simulates must be started with. */
  static final List<String> JVM_OPTIONS =
      List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "-Djdk.trackAllThreads=false");

  /** What one step of a thread takes, in nanoseconds. */
  private static final long STEP_NS = 2_000;

  /** How long a thread that waits for a lock of the JVM is waited for, before others go on. */
  private static final long LOCK_NS = 1_000_000_000L;

  private record Ready(SimulatedThread thread, Runnable step) {}

  /**
   * The steps of one thread. Those that another thread of the JVM hands in are apart: it has given
   * back a lock that no simulation knows, in a library or in the JDK, such as that of a cleaner.
   */
  private final class SimulatedThread implements Executor {
    final SimulatedMachine machine;
    private final AtomicReference<@Nullable Runnable> unlocked = new AtomicReference<>();
    private @Nullable Thread thread;

    /** Whether its next step is ready, or will be at a set time. */
    private boolean hasNext;

    SimulatedThread(SimulatedMachine machine) {
      this.machine = machine;
    }

    @Override
    public void execute(Runnable step) {
      Thread hands = Thread.currentThread();
      if (!hands.isVirtual() && !hands.equals(runner)) {
        unlocked.set(step);
      } else {
        hasNext = true;
        ready(this, step);
      }
    }

    void run(Runnable first) {
      hasNext = false;
      Runnable step = first;
      long begun = 0;
      while (step != null) {
        step.run();
        while ((step = unlocked.getAndSet(null)) == null && isLocked()) {
          begun = begun == 0 ? System.nanoTime() : begun;
          if (System.nanoTime() - begun > LOCK_NS) {
            locked.add(this);
            return;
          }
          Thread.onSpinWait();
        }
      }
    }

    /** Whether it has just been given a lock: its step is on its way. */
    boolean isUnlocked() {
      return isLocked() && Objects.requireNonNull(thread).getState() != Thread.State.BLOCKED;
    }

    /** Whether it waits for a lock, or has just been given it. */
    boolean isLocked() {
      return switch (Objects.requireNonNull(thread).getState()) {
        case BLOCKED -> true;
        case RUNNABLE -> !hasNext;
        default -> false;
      };
    }
  }

  private record Due(long at, long order, Runnable work) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  private final UniformRandomProvider draw;
  private final List<Ready> ready = new ArrayList<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>();

  /** Threads that wait for a lock which one of the others may have. */
  private final List<SimulatedThread> locked = new ArrayList<>();

  private final Thread runner = Thread.currentThread();
  private long now = 1_000_000_000L;
  private long order;
  private long steps;

  /** What was chosen so far, in one number. */
  private long choices = 1;

  Schedule(UniformRandomProvider draw) {
    this.draw = draw;
  }

  /** How threads are made; found when the first is. */
  private static final class Threads {
    static final Method NEW = newThread();
  }

  private static Method newThread() {
    try {
      Method method =
          Class.forName("java.lang.ThreadBuilders")
              .getDeclaredMethod(
                  "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      method.setAccessible(true);
      return method;
    } catch (ReflectiveOperationException | RuntimeException closed) {
      throw new IllegalStateException(
          "simulation: the JVM must be started with %s".formatted(String.join(" ", JVM_OPTIONS)),
          closed);
    }
  }

  /** Whether this JVM was started with {@link #JVM_OPTIONS}. */
  static boolean possible() {
    return Object.class.getModule().isOpen("java.lang", Schedule.class.getModule())
        && "false".equals(System.getProperty("jdk.trackAllThreads"));
  }

  /** A thread of a machine, not started yet. */
  Thread thread(SimulatedMachine machine, String name, Runnable work) {
    SimulatedThread steps = new SimulatedThread(machine);
    try {
      Thread thread = (Thread) Threads.NEW.invoke(null, steps, name, 0, work);
      steps.thread = thread;
      return thread;
    } catch (IllegalAccessException | InvocationTargetException impossible) {
      throw new IllegalStateException("simulation: threads cannot be made", impossible);
    }
  }

  private void ready(SimulatedThread thread, Runnable step) {
    long later = thread.machine.hesitation();
    if (later == 0) {
      ready.add(new Ready(thread, step));
    } else {
      at(later, () -> ready.add(new Ready(thread, step)));
    }
  }

  /** Threads that have their lock can go on; where nothing else can, they are waited for. */
  private void unlock() {
    do {
      locked.removeIf(
          thread -> {
            Runnable step = thread.unlocked.getAndSet(null);
            if (step != null) {
              ready.add(new Ready(thread, step));
            }
            return step != null || thread.machine.crashed();
          });
    } while (ready.isEmpty() && locked.stream().anyMatch(SimulatedThread::isUnlocked));
  }

  long now() {
    return now;
  }

  long steps() {
    return steps;
  }

  long choices() {
    return choices;
  }

  /** Does something after this many nanoseconds, outside of all machines. */
  void at(long nanoseconds, Runnable work) {
    due.add(new Due(now + Math.max(0, nanoseconds), order++, work));
  }

  /**
   * Goes on until something holds, nothing can happen any more, or time is up.
   *
   * @return whether it holds
   */
  boolean run(BooleanSupplier until, long end, long mostSteps) {
    long last = steps + mostSteps;
    while (!until.getAsBoolean()) {
      if (!locked.isEmpty()) {
        unlock();
      }
      Due next = due.peek();
      if (next != null && (ready.isEmpty() || next.at() <= now)) {
        if (next.at() > end || steps > last) {
          return false;
        }
        now = Math.max(now, next.at());
        due.remove().work().run();
      } else if (ready.isEmpty() || steps > last) {
        return false;
      } else {
        step();
      }
    }
    return true;
  }

  private void step() {
    int chosen = ready.size() == 1 ? 0 : draw.nextInt(ready.size());
    Ready next = ready.get(chosen);
    ready.set(chosen, ready.getLast());
    ready.removeLast();
    SimulatedMachine machine = next.thread().machine;
    if (machine.crashed()) {
      return;
    }
    steps++;
    now += STEP_NS;
    choices = choices * 0x9E3779B97F4A7C15L + chosen + 31L * machine.number();
    next.thread().run(next.step());
  }
}
