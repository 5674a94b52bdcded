package ngd.peer.standing;

import static java.lang.System.Logger.Level.WARNING;

import java.io.UncheckedIOException;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.data.DictionaryMismatch;
import ngd.core.data.SiteTable;
import ngd.core.model.NoEstimate;
import ngd.core.preparation.DisclosureRefusal;
import ngd.core.world.Diverged;
import ngd.peer.SiteAnswer;
import ngd.peer.SiteRun;
import ngd.peer.durable.DiskFailure;
import ngd.peer.durable.FileFailure;
import ngd.peer.machine.Machine;
import ngd.peer.status.PeerStatus;

/** One question under way at this site, in a thread of its own. */
final class QuestionRun {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private final String name;
  private final SiteRun run;
  private final Supplier<SiteTable> table;
  private final Outcome outcome;
  private final Runnable after;
  private volatile boolean cancelled;
  private volatile boolean ended;
  private volatile Thread thread = Thread.currentThread();

  /** What becomes of it. */
  interface Outcome {
    void found(SiteAnswer answer);

    /**
     * @param here why, for this site's own log
     * @param elsewhere why, for the others: nothing of the data
     */
    void failed(String here, String elsewhere);
  }

  QuestionRun(
      String name, SiteRun run, Supplier<SiteTable> table, Outcome outcome, Runnable after) {
    this.name = name;
    this.run = run;
    this.table = table;
    this.outcome = outcome;
    this.after = after;
  }

  /**
   * Begins.
   *
   * @param answered whether only neighbours still need something
   */
  void start(boolean answered) {
    thread = Machine.here().threads("ngd-question-" + name).newThread(() -> work(answered));
    thread.start();
  }

  private void work(boolean answered) {
    try {
      attempt(answered);
    } catch (DiskFailure full) {
      // It is begun again, until the disk takes it: that is no reason to end it for everybody.
      LOG.log(WARNING, "question-waits question={0} detail={1}", name, full.getMessage());
    } catch (UncheckedIOException full) {
      LOG.log(
          WARNING,
          "question-waits question={0} detail={1}",
          name,
          FileFailure.reason(full.getCause()));
    } finally {
      ended = true;
      after.run();
    }
  }

  private void attempt(boolean answered) {
    try {
      if (answered) {
        run.takeLeave();
      } else {
        try (SiteTable data = table.get()) {
          run.run(data, outcome::found);
        }
      }
    } catch (InterruptedException stopped) {
      // Somebody else has ended it, and says so.
    } catch (NoEstimate | Diverged | WorkFailed e) {
      String why = String.valueOf(e.getMessage());
      fail(why, why);
    } catch (DisclosureRefusal e) {
      fail(String.valueOf(e.getMessage()), e.known());
    } catch (DictionaryMismatch e) {
      fail(String.valueOf(e.getMessage()), e.known());
    } catch (DiskFailure | UncheckedIOException full) {
      throw full;
    } catch (InvalidInput e) {
      fail(
          String.valueOf(e.getMessage()),
          "its data or its rules do not fit the question; its own log says why");
    } catch (RuntimeException e) {
      fail(e.toString(), "it failed; its own log says why");
    }
  }

  private void fail(String here, String elsewhere) {
    if (!cancelled) {
      outcome.failed(here, elsewhere);
    }
  }

  /** Ends it: its answer is not needed any more, or everybody has it. */
  void cancel() {
    cancelled = true;
    thread.interrupt();
  }

  boolean ended() {
    return ended;
  }

  PeerStatus status() {
    return run.status().get();
  }
}
