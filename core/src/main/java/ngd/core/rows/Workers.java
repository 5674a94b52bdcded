package ngd.core.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a run. Work over rows is cut into one contiguous range a thread; rows are
 * independent, so the cut changes no bit. Small work stays on the calling thread.
 */
public final class Workers implements AutoCloseable {
  /** Below this many multiply-adds the hand-over to another thread costs more than it gains. */
  private static final long WORTH_SHARING = 2_000_000;

  /** A loop over rows [from, to). */
  @FunctionalInterface
  public interface Range {
    void run(int from, int to);
  }

  private final int threads;
  private final ExecutorService pool;

  public Workers(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads: must be at least 1; got " + threads);
    }
    this.threads = threads;
    pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("ngd-worker-", 0).factory());
  }

  public int threads() {
    return threads;
  }

  /** Runs the range over all rows; {@code work} is its cost in multiply-adds. */
  public void run(int rows, long work, Range range) {
    if (threads == 1 || work < WORTH_SHARING || rows < 2 * threads) {
      range.run(0, rows);
      return;
    }
    List<Future<?>> parts = new ArrayList<>(threads - 1);
    for (int t = 1; t < threads; t++) {
      int from = cut(rows, t);
      int to = cut(rows, t + 1);
      parts.add(pool.submit(() -> range.run(from, to)));
    }
    try {
      range.run(0, cut(rows, 1));
    } finally {
      awaitAll(parts);
    }
  }

  /** Waits for every part, also after one has failed: no thread may write on after that. */
  private static void awaitAll(List<Future<?>> parts) {
    @Nullable RuntimeException first = null;
    for (Future<?> part : parts) {
      try {
        await(part);
      } catch (RuntimeException failed) {
        first = first == null ? failed : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private int cut(int rows, int part) {
    return (int) ((long) rows * part / threads);
  }

  private static void await(Future<?> part) {
    try {
      part.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a worker", interrupted);
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case RuntimeException own -> throw own;
        case Error own -> throw own;
        case null, default -> throw new IllegalStateException(failed);
      }
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
