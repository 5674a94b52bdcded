package ngd.studies.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;

/** The cores of this machine, a replicate on each: nothing is shared, so nothing waits. */
public final class LocalEngine implements Engine {
  private final int threads;

  public LocalEngine(int threads) {
    if (threads < 1) {
      throw new InvalidInput("engine: needs at least one thread; got " + threads);
    }
    this.threads = threads;
  }

  @Override
  public String description() {
    return "local, %d thread%s".formatted(threads, threads == 1 ? "" : "s");
  }

  @Override
  public OptionalInt threads() {
    return OptionalInt.of(threads);
  }

  @Override
  public void run(Replicated study, long seed, int[] replicates, Sink sink) {
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean failed = new AtomicBoolean();
    Object turn = new Object();
    Runnable worker =
        () -> {
          int i = next.getAndIncrement();
          while (i < replicates.length && !failed.get()) {
            try {
              double[] values = study.replicate(Streams.of(seed).replicate(replicates[i]));
              synchronized (turn) {
                sink.finished(replicates[i], values);
              }
            } catch (RuntimeException | Error failure) {
              failed.set(true);
              throw failure;
            }
            i = next.getAndIncrement();
          }
        };
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("ngd-replicate-", 0).factory())) {
      List<Future<?>> workers = new ArrayList<>();
      for (int t = 0; t < Math.min(threads, replicates.length); t++) {
        workers.add(pool.submit(worker));
      }
      for (Future<?> one : workers) {
        await(one);
      }
    }
  }

  private static void await(Future<?> worker) {
    try {
      worker.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while replicates were computed", interrupted);
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        default -> throw new IllegalStateException(failed.getCause());
      }
    }
  }

  @Override
  public void close() {}
}
