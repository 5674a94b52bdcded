package ngd.app.terminal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * What commands show of the log of the code beneath them: warnings alone, a line each. A peer that
 * runs has a log of its own instead. Java makes one when something is logged first.
 */
public final class CommandLog {
  private static final String WORDS =
      """
      handlers=java.util.logging.ConsoleHandler
      .level=WARNING
      java.util.logging.SimpleFormatter.format=ngd: %5$s%n
      """;

  /** Called by Java's logging. */
  public CommandLog() throws IOException {
    LogManager.getLogManager()
        .readConfiguration(new ByteArrayInputStream(WORDS.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Has this process log so, unless its caller wants it otherwise. */
  public static void install() {
    String property = "java.util.logging.config.class";
    if (System.getProperty(property) == null
        && System.getProperty("java.util.logging.config.file") == null) {
      System.setProperty(property, CommandLog.class.getName());
    }
  }
}
