package ngd.app.federation;

import java.util.List;
import java.util.concurrent.Executors;
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
  private static final long PAUSE_MS = 100;

  /** How often at most between readings: what is given back has to be fetched again. */
  private static final long REST_NS = TimeUnit.SECONDS.toNanos(1);

  private long released = System.nanoTime();

  private FrugalTable(SiteTable table) {
    super(table);
  }

  /** Opens a table; its engine's start is what takes the most memory in a peer's life. */
  static SiteTable open(Supplier<SiteTable> table) {
    try (ScheduledExecutorService beside =
        Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory())) {
      var _ =
          beside.scheduleWithFixedDelay(ResidentPages::release, 0, PAUSE_MS, TimeUnit.MILLISECONDS);
      try {
        return new FrugalTable(table.get());
      } finally {
        beside.shutdownNow();
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
  }
}
