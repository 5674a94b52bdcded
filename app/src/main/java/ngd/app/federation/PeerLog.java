package ngd.app.federation;

import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import tools.jackson.databind.json.JsonMapper;

/** Where a peer's log goes: lines for people, or a JSON object a line for programs. */
final class PeerLog extends Handler {
  private final PrintWriter out;
  private final String site;
  private final boolean json;
  private final SimpleFormatter messages = new SimpleFormatter();

  private PeerLog(PrintWriter out, String site, boolean json) {
    this.out = out;
    this.site = site;
    this.json = json;
    setLevel(Level.INFO);
  }

  /** Sends all that this process logs there, and nowhere else. */
  static void install(PrintWriter out, String site, boolean json) {
    Logger root = Logger.getLogger("");
    for (Handler before : root.getHandlers()) {
      root.removeHandler(before);
    }
    root.addHandler(new PeerLog(out, site, json));
    root.setLevel(Level.INFO);
  }

  @Override
  public void publish(LogRecord line) {
    // A library's logger may be set to a finer level, for its own handlers only.
    if (!isLoggable(line)) {
      return;
    }
    String time = line.getInstant().truncatedTo(ChronoUnit.MILLIS).toString();
    String level = line.getLevel().getName().toLowerCase(Locale.ROOT);
    // One record is one line, whoever's words are in it.
    String message = messages.formatMessage(line).replaceAll("\\R", "\\\\n");
    out.println(
        json
            ? JsonMapper.shared()
                .writeValueAsString(
                    JsonMapper.shared()
                        .createObjectNode()
                        .put("time", time)
                        .put("level", level)
                        .put("site", site)
                        .put("logger", line.getLoggerName())
                        .put("message", message))
            : "%s %s %s: %s".formatted(time, level, site, message));
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
