package ngd.core.data;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import ngd.core.InvalidInput;

/**
 * A CSV file and which of its columns are wanted.
 *
 * <p>The first line is a header and decides the delimiter: comma, semicolon or tab, whichever
 * stands there most. The file may begin with a byte-order mark, and may be gzipped. Coefficients
 * come in the order of the file, whatever the order of {@code features}.
 *
 * @param features the features' names; empty means all columns but the response and {@code labels}
 * @param labels a column that a partition reads clients from; it may hold text, and is a feature
 *     only if {@code features} names it
 * @param format its decimal sign and encoding
 */
public record CsvSource(
    Path file,
    String response,
    List<String> features,
    boolean intercept,
    Optional<String> labels,
    TextFormat format) {
  private static final int LONGEST_HEADER = 1 << 22;

  public CsvSource {
    features = List.copyOf(features);
  }

  /** A file in UTF-8 with decimal points. */
  public CsvSource(
      Path file,
      String response,
      List<String> features,
      boolean intercept,
      Optional<String> labels) {
    this(file, response, features, intercept, labels, TextFormat.STANDARD);
  }

  /** All other columns as features, with an intercept. */
  public static CsvSource of(Path file, String response) {
    return new CsvSource(file, response, List.of(), true, Optional.empty());
  }

  public Table read() {
    if (Files.isDirectory(file)) {
      throw new InvalidInput("%s: must be a CSV file; it is a folder".formatted(file));
    }
    try (InputStream bytes = open();
        BufferedReader text =
            new BufferedReader(
                new InputStreamReader(bytes, format.encoding().newDecoder()), 1 << 16)) {
      char delimiter = delimiter(text);
      CsvColumns columns = new CsvColumns(this);
      try (CsvReader<Integer> reader =
          CsvReader.builder()
              .fieldSeparator(delimiter)
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .trimWhitespacesAroundQuotes(true)
              .build(columns, text)) {
        reader.forEach(fields -> {});
      }
      return columns.table();
    } catch (CsvParseException e) {
      throw problem(e);
    } catch (UncheckedIOException e) {
      throw problem(e.getCause());
    } catch (IOException e) {
      throw problem(e);
    }
  }

  private InputStream open() throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    bytes.mark(2);
    boolean zipped = bytes.read() == 0x1f && bytes.read() == 0x8b;
    bytes.reset();
    return zipped ? new GZIPInputStream(bytes, 1 << 16) : bytes;
  }

  /** Counts delimiters outside quotes on the first line that is not blank, then rewinds. */
  private static char delimiter(Reader text) throws IOException {
    text.mark(1);
    if (text.read() != '\ufeff') {
      text.reset();
    }
    text.mark(LONGEST_HEADER);
    int[] counts = new int[3];
    boolean quoted = false;
    boolean blank = true;
    for (int i = 0; i < LONGEST_HEADER - 1; i++) {
      int c = text.read();
      boolean lineEnds = !quoted && (c == '\n' || c == '\r');
      if (c < 0 || (lineEnds && !blank)) {
        break;
      }
      blank &= lineEnds;
      quoted ^= c == '"';
      int which = ",;\t".indexOf(c);
      if (which >= 0 && !quoted) {
        counts[which]++;
      }
    }
    text.reset();
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    return ",;\t".charAt(most);
  }

  /** What a person can do about it. */
  private InvalidInput problem(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidInput found) {
        return found;
      }
      if (cause instanceof CharacterCodingException) {
        return new InvalidInput(
            "%s: must be %s text; it is not (--encoding names another, such as windows-1252)"
                .formatted(file, format.encoding().name()),
            e);
      }
      if (cause instanceof NoSuchFileException) {
        return new InvalidInput("%s: no such file".formatted(file), e);
      }
      if (cause instanceof ZipException || cause instanceof EOFException) {
        return new InvalidInput("%s: the gzipped file is damaged or cut short".formatted(file), e);
      }
    }
    return new InvalidInput("%s: cannot be read: %s".formatted(file, reason(e)), e);
  }

  private static String reason(Exception e) {
    String what = e.getMessage();
    return e instanceof AccessDeniedException || what == null ? e.getClass().getSimpleName() : what;
  }
}
