package ngd.core;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a question's rows may be in memory; rows that need more are kept in a file, and read
 * block by block. Whatever it is, an answer has the same bits.
 *
 * @param bytes of all that is made of the rows on the way to an answer
 */
public record Memory(long bytes) {
  /**
   * What there may be of the rows at once: the table as read, its design matrix, and that in the
   * coordinates before and after a step; and as much again for what is no longer needed and not yet
   * collected.
   */
  private static final int COPIES = 8;

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kmgt])");
  private static final String UNITS = "kmgt";

  /** A number of bytes in words, such as 512m or 2g. */
  public static Memory parse(String word) {
    Matcher form = FORM.matcher(word.toLowerCase(Locale.ROOT));
    if (!form.matches() || Long.parseLong(form.group(1)) == 0) {
      throw new InvalidInput(
          "memory: must be a positive whole number with k, m, g or t after it, such as 512m or 2g; got `%s`"
              .formatted(word));
    }
    int power = UNITS.indexOf(form.group(2)) + 1;
    return new Memory(Math.multiplyExact(Long.parseLong(form.group(1)), 1L << (10 * power)));
  }

  /** In words, as {@link #parse} reads them. */
  public String word() {
    int power = UNITS.length();
    while (power > 1 && bytes % (1L << (10 * power)) != 0) {
      power--;
    }
    return bytes / (1L << (10 * power)) + UNITS.substring(power - 1, power);
  }

  /** All that this process may have. */
  public static Memory ofProcess() {
    return new Memory(Runtime.getRuntime().maxMemory());
  }

  /** The part of each of several tables. */
  public Memory shared(int tables) {
    return new Memory(Math.max(1, bytes / tables));
  }

  /** Whether these many numbers of rows fit, with all that is made of them. */
  public boolean holds(long numbers) {
    return numbers <= bytes / (COPIES * Double.BYTES);
  }

  /** Where rows that do not fit are kept by a process that has no folder of its own. */
  public static Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir", "."));
  }
}
