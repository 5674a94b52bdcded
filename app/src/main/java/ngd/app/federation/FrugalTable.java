package ngd.app.federation;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;

/**
 * A table whose engine leaves little in memory between readings: a peer reads a few times and waits
 * for others the rest of its time.
 */
final class FrugalTable extends TableOver {
  /** How often memory is given back while an engine starts. */
  private static final long PAUSE_MS = 25;

  /** How often at most between readings: what is given back has to be fetched again. */
  private static final long REST_NS = TimeUnit.SECONDS.toNanos(1);

  /** How long after the last question's table was closed the garbage of questions is collected. */
  private static final long IDLE_S = 5;

  /**
   * A heap that may grow fills with what is not needed any more; while nobody asks anything, nobody
   * would collect it.
   */
  private static final ScheduledExecutorService IDLE =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());

  private static Future<?> rest = CompletableFuture.completedFuture(null);

  private long released = System.nanoTime();

  private FrugalTable(SiteTable table) {
    super(table);
  }

  /** Opens a table; its engine's start is what takes the most memory in a peer's life. */
  static SiteTable open(Supplier<SiteTable> table) {
    stay();
    System.gc();
    try (ScheduledExecutorService beside =
        Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory())) {
      var _ =
          beside.scheduleWithFixedDelay(ResidentPages::release, 0, PAUSE_MS, TimeUnit.MILLISECONDS);
      try {
        return new FrugalTable(table.get());
      } finally {
        beside.shutdownNow();
        // What reading the beginning of a table leaves on the heap would else be there while all of
        // it is read.
        System.gc();
        ResidentPages.settle();
      }
    }
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    super.scan(expressions, sink);
    if (System.nanoTime() - released >= REST_NS) {
      ResidentPages.release();
      released = System.nanoTime();
    }
  }

  @Override
  public void close() {
    super.close();
    ResidentPages.release();
    restLater();
  }

  private static synchronized void stay() {
    rest.cancel(false);
  }

  private static synchronized void restLater() {
    rest.cancel(false);
    rest =
        IDLE.schedule(
            () -> {
              System.gc();
              ResidentPages.release();
            },
            IDLE_S,
            TimeUnit.SECONDS);
  }
}
