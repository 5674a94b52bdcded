package ngd.app.federation;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.data.SiteTable;

/**
 * A look at a site's table when its peer starts. Whoever starts it learns then, and not with the
 * first question, that a file is not there; and the engine that reads it has started once, so that
 * the first question is not slower than others. Data that cannot be read now may be later.
 */
final class FirstLook {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private FirstLook() {}

  /**
   * Looks beside what else the peer does.
   *
   * @param then what is to be done after it
   * @return waits for both: a question that comes meanwhile needs the same, and has it then
   */
  static Runnable begin(Supplier<SiteTable> table, Runnable then) {
    Thread looking =
        Thread.ofPlatform()
            .daemon()
            .name("ngd-first-look")
            .start(
                () -> {
                  look(table);
                  then.run();
                });
    return () -> await(looking);
  }

  private static void await(Thread looking) {
    try {
      looking.join();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  static void look(Supplier<SiteTable> table) {
    try (SiteTable opened = table.get()) {
      LOG.log(INFO, "data-readable columns={0}", opened.columns().size());
    } catch (InvalidInput | WorkFailed unreadable) {
      LOG.log(WARNING, "data-not-readable detail={0}", unreadable.getMessage());
    }
  }
}
