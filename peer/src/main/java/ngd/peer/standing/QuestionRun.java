package ngd.peer.standing;

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
import ngd.peer.machine.Machine;
import ngd.peer.status.PeerStatus;

/** One question under way at this site, in a thread of its own. */
final class QuestionRun {
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
    } catch (InvalidInput e) {
      fail(
          String.valueOf(e.getMessage()),
          "its data or its rules do not fit the question; its own log says why");
    } catch (RuntimeException e) {
      fail(e.toString(), "it failed; its own log says why");
    } finally {
      ended = true;
      after.run();
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
