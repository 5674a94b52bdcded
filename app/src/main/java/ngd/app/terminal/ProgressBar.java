package ngd.app.terminal;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import ngd.core.run.JsonObject;

/**
 * How far the work is, and how long it may still take. On a terminal it is a line that appears when
 * the work has lasted a second, and never where no person watches; for programs it is a JSON object
 * a line, ten a second at most, the first and the last always among them.
 */
public final class ProgressBar implements AutoCloseable {
  private static final long APPEARS_AFTER = 1_000_000_000L;
  private static final long REDRAWN_AFTER = 100_000_000L;
  private static final int WIDTH = 30;
  private static final int NARROWEST = 8;

  /** The columns of a plain terminal, less those of the share and the time left. */
  private static final int ROOM = 79 - 26;

  private final PrintWriter err;
  private final boolean json;
  private volatile boolean watched;
  private String what;
  private final LongSupplier nanos;
  private final long start;
  private long since;
  private long before;
  private long drawn;
  private volatile boolean visible;
  private volatile long lastDone;
  private volatile long lastTotal;

  public ProgressBar(Console console, String what) {
    this(console, what, System::nanoTime);
  }

  public ProgressBar(Console console, String what, LongSupplier nanos) {
    this.err = console.err();
    this.json = console.progress() == Console.Progress.JSON;
    this.watched = json || (console.terminal() && console.progress() == Console.Progress.BAR);
    this.what = what;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.since = start;
  }

  /**
   * Shows a bar while some work is done. An interrupt prints how far it came, and that nothing was
   * written.
   */
  public static <T> T during(Console console, String command, Function<ProgressBar, T> work) {
    try (ProgressBar bar = new ProgressBar(console, command);
        InterruptMessage _ = new InterruptMessage(console, () -> bar.interrupted(command))) {
      return work.apply(bar);
    }
  }

  private String interrupted(String command) {
    close();
    return "ngd %s: interrupted%s; nothing was written"
        .formatted(command, lastTotal > 0 ? " at %d of %d".formatted(lastDone, lastTotal) : "");
  }

  /** From now on the line begins with these words. */
  public void say(String words) {
    what = words;
  }

  /** Work already done at the start; the time left is estimated from the rest. */
  public void from(long done) {
    before = done;
    since = nanos.getAsLong();
  }

  /** Sets how much of the work is done; cheap enough to be called often. */
  public void at(long done, long total) {
    lastDone = done;
    lastTotal = total;
    if (!watched) {
      return;
    }
    long now = nanos.getAsLong();
    if (json) {
      if (drawn == 0 || done >= total || now - drawn >= REDRAWN_AFTER) {
        drawn = Math.max(1, now);
        tell(done, total, (now - start) / 1e9);
      }
      return;
    }
    if (now - start < APPEARS_AFTER || (visible && now - drawn < REDRAWN_AFTER)) {
      return;
    }
    drawn = now;
    visible = true;
    double share = total <= 0 ? 0 : Math.min(1, (double) done / total);
    int width = Math.clamp(ROOM - what.length(), NARROWEST, WIDTH);
    int full = (int) (share * width);
    String left =
        done <= before
            ? ""
            : time((now - since) / 1e9 * Math.max(0, total - done) / (done - before)) + " left";
    err.printf(
        Locale.ROOT,
        "\r%s %s%s %3d %% %s\u001b[K",
        what,
        "█".repeat(full),
        "░".repeat(width - full),
        (int) (100 * share),
        left);
    err.flush();
  }

  /** A part of the work begins; programs are told, a person sees the bar. */
  public void begin(String stage) {
    if (json && watched) {
      print(new JsonObject().put("what", what).put("stage", stage));
    }
  }

  private void tell(long done, long total, double seconds) {
    print(
        new JsonObject()
            .put("what", what)
            .put("done", done)
            .put("total", total)
            .put("seconds", seconds));
  }

  private void print(JsonObject progress) {
    err.println(new JsonObject().put("progress", progress).line());
    err.flush();
  }

  public static String time(double seconds) {
    long s = Math.round(seconds);
    if (s < 60) {
      return s + " s";
    }
    return s < 3600
        ? "%d min %02d s".formatted(s / 60, s % 60)
        : "%d h %02d min".formatted(s / 3600, s / 60 % 60);
  }

  /** Removes the line for good. */
  @Override
  public void close() {
    watched = false;
    pause();
  }

  /** Removes the line until there is news. */
  public void pause() {
    if (visible) {
      err.print("\r\u001b[K");
      err.flush();
      visible = false;
    }
  }
}
