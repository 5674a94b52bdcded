package ngd.core.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import ngd.core.formula.Column;

/**
 * A text file that can be read in one way only: commas between fields, a header of different names,
 * lines of as many fields, quotes around whole fields if at all, and columns of plain numbers or of
 * words that mean nothing else.
 *
 * <p>What a text file means is defined by the engine, which guesses separators, quotes and types
 * from all of it. Here are only files of which it can make but one thing; wherever there is a
 * doubt, the file is not plain, and the engine reads it. A test compares both.
 *
 * @param values of each column by its name; none where a column is empty
 */
record PlainText(List<Column> columns, Map<String, HeldValues> values, int rows) {
  /** Bytes of a file that is held in memory; larger ones are streamed by the engine. */
  private static final long LARGEST = 1L << 26;

  /** A number takes up to four times its text, and several sites' files may be held at once. */
  private static final int HEAP_SHARE = 32;

  private static final Pattern NAME = Pattern.compile("(?i)[^*?\\[]*\\.(csv|tsv|tab|txt|dat)");

  /** The file at an address; nothing where it is not plain. */
  static Optional<PlainText> read(TableAddress address) {
    if (address.query().isPresent()
        || !address.format().equals(TextFormat.STANDARD)
        || !NAME.matcher(address.location()).matches()) {
      return Optional.empty();
    }
    Path file = Path.of(address.location());
    try {
      long most = Math.min(LARGEST, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
      return Files.isRegularFile(file) && Files.size(file) <= most
          ? new PlainTextParser(
                  Files.readAllBytes(file),
                  address.missing().isEmpty() ? List.of("NA") : address.missing())
              .parse()
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
